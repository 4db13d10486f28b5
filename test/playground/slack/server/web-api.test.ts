import { describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { clientOf, openSlack, refusal } from './test-bot.js';

type Asked = readonly [what: string, method: string, args: Record<string, unknown>, error: string];

const text = 'Hello';
const refused: readonly Asked[] = [
  ['a method that is not there', 'chat.shout', {}, 'unknown_method'],
  ['no channel', 'chat.postMessage', { text }, 'invalid_arguments'],
  ['nothing said', 'chat.postMessage', { channel: 'C00LEARN01' }, 'no_text'],
  ['blanks only', 'chat.postMessage', { channel: 'C00LEARN01', text: ' ' }, 'no_text'],
  ['an unknown channel', 'chat.postMessage', { channel: 'C0NOWHERE1', text }, 'channel_not_found'],
  ['a channel without the bot', 'chat.postMessage', { channel: 'C00WATER01', text }, 'not_in_channel'],
  [
    'a private channel without the bot',
    'chat.postMessage',
    { channel: 'C00BOARD01', text },
    'channel_not_found',
  ],
  [
    'a direct message of two others',
    'chat.postMessage',
    { channel: 'D00ADANOAH', text },
    'channel_not_found',
  ],
  ['an archived channel', 'chat.postMessage', { channel: 'C00OLDAC01', text }, 'is_archived'],
  [
    'a read-only channel',
    'chat.postMessage',
    { channel: 'C00ANNOU01', text },
    'restricted_action_read_only_channel',
  ],
  ['itself', 'chat.postMessage', { channel: 'U00ROLLCAL', text }, 'cannot_dm_bot'],
  [
    'blocks that are no JSON',
    'chat.postMessage',
    { channel: 'C00LEARN01', blocks: '[{' },
    'invalid_blocks_format',
  ],
  [
    'blocks that are no list',
    'chat.postMessage',
    { channel: 'C00LEARN01', blocks: '{}' },
    'invalid_blocks_format',
  ],
  [
    'two ways to say it',
    'chat.postMessage',
    { channel: 'C00LEARN01', text, markdown_text: text },
    'markdown_text_conflict',
  ],
  [
    'a thread that is not there',
    'chat.postMessage',
    { channel: 'C00LEARN01', text, thread_ts: '1.000001' },
    'thread_not_found',
  ],
  [
    'a thread that is no timestamp',
    'chat.postMessage',
    { channel: 'C00LEARN01', text, thread_ts: 'x' },
    'invalid_thread_ts',
  ],
  [
    'metadata that is no object',
    'chat.postMessage',
    { channel: 'C00LEARN01', text, metadata: '[]' },
    'invalid_metadata_format',
  ],
  [
    'an ephemeral message to somebody else',
    'chat.postEphemeral',
    { channel: 'C00SALES01', user: 'U00PRIYA01', text },
    'user_not_in_channel',
  ],
  [
    'an ephemeral message where the bot is not',
    'chat.postEphemeral',
    { channel: 'C00WATER01', user: 'U00ADA0001', text },
    'not_in_channel',
  ],
  [
    'an update of nothing',
    'chat.update',
    { channel: 'C00LEARN01', ts: '1.000001', text },
    'message_not_found',
  ],
  ['a deletion of nothing', 'chat.delete', { channel: 'C00LEARN01', ts: '1.000001' }, 'message_not_found'],
  [
    'a link to nothing',
    'chat.getPermalink',
    { channel: 'C00LEARN01', message_ts: '1.000001' },
    'message_not_found',
  ],
  ['an unknown channel', 'conversations.info', { channel: 'C0NOWHERE1' }, 'channel_not_found'],
  ['a private channel without the bot', 'conversations.info', { channel: 'C00BOARD01' }, 'channel_not_found'],
  [
    'a direct message, for which there is no scope',
    'conversations.info',
    { channel: 'D00ADABOT' },
    'missing_scope',
  ],
  [
    'a private channel to join',
    'conversations.join',
    { channel: 'C00PEOPL01' },
    'method_not_supported_for_channel_type',
  ],
  ['an archived channel to join', 'conversations.join', { channel: 'C00OLDAC01' }, 'is_archived'],
  ['nobody to talk with', 'conversations.open', {}, 'users_list_not_supplied'],
  ['somebody unknown', 'conversations.open', { users: 'U0NOBODY01' }, 'user_not_found'],
  ['several people', 'conversations.open', { users: 'U00ADA0001,U00NOAH001' }, 'missing_scope'],
  [
    'an invitation, for which there is no scope',
    'conversations.invite',
    { channel: 'C00LEARN01', users: 'U00ADA0001' },
    'missing_scope',
  ],
  ['unknown kinds of channels', 'conversations.list', { types: 'secret_channel' }, 'invalid_types'],
  ['direct messages, for which there is no scope', 'users.conversations', { types: 'im' }, 'missing_scope'],
  ['a page that is not there', 'conversations.list', { cursor: 'nowhere' }, 'invalid_cursor'],
  ['somebody unknown', 'users.info', { user: 'U0NOBODY01' }, 'user_not_found'],
  ['an unknown address', 'users.lookupByEmail', { email: 'nobody@example.com' }, 'users_not_found'],
  [
    'an address of another organization',
    'users.lookupByEmail',
    { email: 'sofia@nordlicht.example' },
    'users_not_found',
  ],
  ['an unknown group', 'usergroups.users.list', { usergroup: 'S0' }, 'no_such_subteam'],
  ['the workspace, for which there is no scope', 'team.info', {}, 'missing_scope'],
  ['files, for which there is no scope', 'files.info', { file: 'F1' }, 'missing_scope'],
  ['an app-token method with the bot token', 'apps.connections.open', {}, 'not_allowed_token_type'],
];

describe('what Slack refuses', () => {
  test.each(refused)('%s: %s', async (_what, method, args, error) => {
    const slack = await openSlack();
    expect(await refusal(clientOf(slack).apiCall(method, args))).toMatchObject({ ok: false, error });
    expect(slack.posts).toEqual([]);
  });

  test('a missing scope says which is needed, and which there are', async () => {
    const slack = await openSlack({ app: { scopes: ['chat:write', 'users:read'] } });
    expect(await refusal(clientOf(slack).usergroups.list())).toMatchObject({
      error: 'missing_scope',
      needed: 'usergroups:read',
      provided: 'chat:write,users:read',
    });
  });

  test('without the scope for them, addresses are left out', async () => {
    const slack = await openSlack({ app: { scopes: ['users:read'] } });
    const { user } = await clientOf(slack).users.info({ user: 'U00ADA0001' });
    expect(user?.profile).not.toHaveProperty('email');
  });

  test('tokens: none, an unknown one, a revoked one', async () => {
    const slack = await openSlack();
    const bare = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' });
    expect(await bare.json()).toEqual({ ok: false, error: 'not_authed' });
    expect(await refusal(clientOf(slack, 'xoxb-other').auth.test())).toMatchObject({ error: 'invalid_auth' });
    slack.tokens.revoke('account_inactive');
    expect(await refusal(clientOf(slack).auth.test())).toMatchObject({ error: 'account_inactive' });
    slack.tokens.revoke(undefined);
    expect(await clientOf(slack).auth.test()).toMatchObject({ ok: true, user_id: 'U00ROLLCAL' });
  });

  test('messages tab off: no direct messages', async () => {
    const slack = await openSlack({ app: { messagesTab: false } });
    const call = clientOf(slack).chat.postMessage({ channel: 'U00ADA0001', text });
    expect(await refusal(call)).toMatchObject({ error: 'messages_tab_disabled' });
  });
});

describe('how arguments may be sent', () => {
  const post = (
    slack: LocalSlack,
    contentType: string,
    body: string,
    token: string | undefined = slack.botToken,
  ) =>
    fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': contentType, ...(token && { authorization: `Bearer ${token}` }) },
      body,
    }).then((response) => response.json());

  test('a form, JSON, and a token among the arguments', async () => {
    const slack = await openSlack();
    const blocks = [{ type: 'divider' }];
    const form = new URLSearchParams({ channel: 'C00LEARN01', text, blocks: JSON.stringify(blocks) });
    expect(await post(slack, 'application/x-www-form-urlencoded', form.toString())).toMatchObject({
      ok: true,
    });
    const json = JSON.stringify({ channel: 'C00LEARN01', text, blocks });
    expect(await post(slack, 'application/json; charset=utf-8', json)).toMatchObject({ ok: true });
    form.set('token', slack.botToken);
    expect(await post(slack, 'application/x-www-form-urlencoded', form.toString(), '')).toMatchObject({
      ok: true,
    });
    expect(slack.posts.map((one) => one.blocks)).toEqual(Array(3).fill([expect.objectContaining(blocks[0])]));
  });

  test('JSON that cannot be read, or is no object', async () => {
    const slack = await openSlack();
    expect(await post(slack, 'application/json', '{')).toMatchObject({ ok: false, error: 'invalid_json' });
    expect(await post(slack, 'application/json', '[]')).toMatchObject({
      ok: false,
      error: 'json_not_object',
    });
  });
});
