import { expect, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { clientOf, openSlack, refusal, startBot } from './test-bot.js';

type Event = Record<string, unknown> & { type: string; subtype?: string };

/** Every event that reaches a real bot. */
async function eventsOf(slack: LocalSlack) {
  const events: Event[] = [];
  await startBot(slack, (app) => {
    app.use(async ({ body, next }) => {
      if ('event' in body) events.push(body.event as unknown as Event);
      await next();
    });
  });
  return {
    events,
    async heard(count: number) {
      await slack.settled();
      await slack.waitFor(() => events.length >= count);
      return events.map(({ type, subtype }) => (subtype ? `${type} ${subtype}` : type));
    },
  };
}

test('a mention is sent from channels of the bot, with Slack markup', async () => {
  const slack = await openSlack();
  const { events, heard } = await eventsOf(slack);
  const ada = slack.as('ada');
  ada.message('hey @rollcall email:ada@example.com in #sales <b> & https://x.test/a', '#learning');
  ada.message('no mention', '#learning');
  ada.message('@rollcall are you there', '#watercooler');
  expect(await heard(1)).toEqual(['app_mention']);
  expect(events[0]).toMatchObject({
    user: 'U00ADA0001',
    channel: 'C00LEARN01',
    text: 'hey <@U00ROLLCAL> email:<mailto:ada@example.com|ada@example.com> in <#C00SALES01|sales> &lt;b&gt; &amp; <https://x.test/a>',
    ts: expect.any(String),
    event_ts: expect.any(String),
  });
});

test('a mention in a thread has the thread', async () => {
  const slack = await openSlack();
  const { events, heard } = await eventsOf(slack);
  const { ts } = slack.as('noah').message('parent', '#learning');
  slack.as('ada').message('@rollcall help', '#learning', ts);
  await heard(1);
  expect(events[0]).toMatchObject({ type: 'app_mention', thread_ts: ts });
});

test('direct messages are sent, with changes and deletions of the bot’s messages', async () => {
  const slack = await openSlack();
  const { events, heard } = await eventsOf(slack);
  slack.as('ada').message('help', '@ada');
  const client = clientOf(slack);
  const { ts, channel } = await client.chat.postMessage({ channel: 'U00ADA0001', text: 'one' });
  await client.chat.update({ channel: String(channel), ts: String(ts), text: 'two' });
  await client.chat.delete({ channel: String(channel), ts: String(ts) });
  // Bolt keeps what the bot itself wrote from its listeners; changes carry no author and come through.
  expect(await heard(3)).toEqual(['message', 'message message_changed', 'message message_deleted']);
  expect(events[0]).toMatchObject({ channel, channel_type: 'im', user: 'U00ADA0001', text: 'help' });
});

test('membership, archive and sharing events are sent from channels of the bot', async () => {
  const slack = await openSlack();
  const { events, heard } = await eventsOf(slack);
  const ada = slack.as('ada');
  ada.invite('#watercooler');
  ada.share('#sales');
  ada.share('#sales', false);
  ada.archive('#people-team');
  ada.archive('#people-team', false);
  slack.as('noah').cleanUp('#sales');
  ada.remove('#sales');
  expect(await heard(8)).toEqual([
    'member_joined_channel',
    'channel_shared',
    'channel_unshared',
    'group_archive',
    'group_unarchive',
    'member_left_channel',
    'member_left_channel',
    'channel_left',
  ]);
  expect(events[0]).toMatchObject({ user: 'U00ROLLCAL', channel: 'C00WATER01', channel_type: 'C' });
  expect(events.at(-1)).toMatchObject({ channel: 'C00SALES01' });
});

test('deleted channels and changed profiles are sent', async () => {
  const slack = await openSlack();
  const { events, heard } = await eventsOf(slack);
  slack.as('ada').deleteChannel('#sales');
  slack.as('ada').deleteChannel('#people-team');
  slack.as('ada').changeProfile({ zone: 'Asia/Tokyo', kind: 'guest' });
  expect(await heard(3)).toEqual(['channel_deleted', 'group_deleted', 'user_change']);
  expect(events[0]).toMatchObject({ channel: 'C00SALES01' });
  expect(events[2]).toMatchObject({ user: { id: 'U00ADA0001', tz: 'Asia/Tokyo', is_restricted: true } });
  const gone = clientOf(slack).conversations.info({ channel: 'C00SALES01' });
  expect(await refusal(gone)).toMatchObject({ error: 'channel_not_found' });
});

test('opening the Home tab and the Messages tab is sent, with the published view', async () => {
  const slack = await openSlack();
  const { events, heard } = await eventsOf(slack);
  slack.as('ada').openHome();
  await heard(1);
  const view = { type: 'home' as const, blocks: [{ type: 'divider' as const }] };
  await clientOf(slack).views.publish({ user_id: 'U00ADA0001', view });
  slack.as('ada').openHome();
  slack.as('ada').openMessages();
  await heard(3);
  expect(events).toMatchObject([
    { type: 'app_home_opened', tab: 'home', user: 'U00ADA0001' },
    { tab: 'home', view: { type: 'home', hash: expect.any(String) } },
    { tab: 'messages' },
  ]);
  expect(events[0]).not.toHaveProperty('view');
});

test('shortcuts reach the bot', async () => {
  const slack = await openSlack({
    app: {
      shortcuts: [
        { callbackId: 'ask', type: 'global', name: 'Ask', description: '' },
        { callbackId: 'again', type: 'message', name: 'Again', description: '' },
      ],
    },
  });
  const heard: Record<string, unknown>[] = [];
  await startBot(slack, (app) => {
    app.shortcut(/.*/, async ({ ack, shortcut }) => {
      heard.push(shortcut as unknown as Record<string, unknown>);
      await ack();
    });
  });
  const ada = slack.as('ada');
  const message = ada.message('words', '#learning');
  await ada.shortcut('ask');
  await ada.messageShortcut('again', message);
  expect(heard).toMatchObject([
    { type: 'shortcut', callback_id: 'ask', trigger_id: expect.any(String) },
    {
      type: 'message_action',
      message_ts: message.ts,
      message: { text: 'words' },
      channel: { id: 'C00LEARN01' },
    },
  ]);
  await expect(ada.shortcut('nothing')).rejects.toThrow('does not have this shortcut');
});

test('a changed user group is sent with who came and went, and with what it is now', async () => {
  const slack = await openSlack();
  const { events, heard } = await eventsOf(slack);
  slack.changeUserGroup('coaches', { members: ['noah', 'priya'] });
  expect(await heard(2)).toEqual(['subteam_members_changed', 'subteam_updated']);
  expect(events).toMatchObject([
    {
      subteam_id: 'S00COACH01',
      added_users: ['U00PRIYA01'],
      removed_users: ['U00ADA0001'],
    },
    { subteam: { id: 'S00COACH01', users: ['U00NOAH001', 'U00PRIYA01'], date_delete: 0 } },
  ]);
  slack.changeUserGroup('coaches', { isDisabled: true });
  expect((await heard(3)).slice(2)).toEqual(['subteam_updated']);
  expect(events[2]).toMatchObject({ subteam: { date_delete: expect.any(Number) } });
});
