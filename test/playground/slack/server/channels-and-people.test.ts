import { describe, expect, test } from 'vitest';
import { clientOf, openSlack } from './test-bot.js';

describe('channels', () => {
  test.each([
    ['C00LEARN01', { is_private: false, is_member: true, is_ext_shared: false, is_archived: false }],
    ['C00WATER01', { is_private: false, is_member: false }],
    ['C00PEOPL01', { is_private: true, is_member: true }],
    ['C00ANNOU01', { is_read_only: true }],
    ['C00PARTN01', { is_ext_shared: true, is_shared: true }],
    ['C00PILOT01', { is_ext_shared: false, is_pending_ext_shared: true }],
    ['C00OLDAC01', { is_archived: true }],
  ])('%s is described with its flags', async (channel, flags) => {
    const slack = await openSlack();
    expect((await clientOf(slack).conversations.info({ channel })).channel).toMatchObject(flags);
  });

  test('members, and how many', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { members } = await client.conversations.members({ channel: 'C00SALES01' });
    expect(members).toEqual(['U00ADA0001', 'U00NOAH001', 'U00ROLLCAL']);
    const info = await client.conversations.info({ channel: 'C00SALES01', include_num_members: true });
    expect(info.channel?.num_members).toBe(3);
  });

  test('a list comes in pages and holds no private channel that the bot is not in', async () => {
    const slack = await openSlack();
    const names: (string | undefined)[] = [];
    const pages = clientOf(slack).paginate('conversations.list', {
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: 2,
    });
    for await (const page of pages as AsyncIterable<{ channels?: { name?: string }[] }>) {
      expect(page.channels?.length).toBeLessThanOrEqual(2);
      names.push(...(page.channels ?? []).map((one) => one.name));
    }
    expect(names).toEqual([
      'learning',
      'general',
      'sales',
      'watercooler',
      'announcements',
      'people-team',
      'partner-academy',
      'partner-pilot',
    ]);
  });

  test('a deactivated person is in no channel, is marked as deleted, and gets no messages', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const user = 'U00NOAH001';
    slack.as('noah').leaveWorkspace();
    expect((await client.users.info({ user })).user?.deleted).toBe(true);
    const { members } = await client.conversations.members({ channel: 'C00SALES01' });
    expect(members).toEqual(['U00ADA0001', 'U00ROLLCAL']);
    const disabled = { data: expect.objectContaining({ error: 'user_disabled' }) };
    await expect(client.conversations.open({ users: user })).rejects.toMatchObject(disabled);
    await expect(client.chat.postMessage({ channel: user, text: 'Hello' })).rejects.toMatchObject(disabled);
  });

  test('the channels of a person, as far as the bot may know', async () => {
    const slack = await openSlack();
    const { channels } = await clientOf(slack).users.conversations({
      user: 'U00NOAH001',
      types: 'public_channel,private_channel',
    });
    const names = channels?.map((one) => one.name);
    expect(names).toContain('people-team');
    expect(names).not.toContain('leadership');
  });

  test('joining tells the channel, once', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    await client.conversations.join({ channel: 'C00WATER01' });
    expect(await client.conversations.join({ channel: 'C00WATER01' })).toMatchObject({
      warning: 'already_in_channel',
    });
    expect(slack.messages('#watercooler')).toMatchObject([{ notice: 'channel_join', user: 'U00ROLLCAL' }]);
    await client.chat.postMessage({ channel: 'C00WATER01', text: 'Hello' });
  });

  test('opening a direct message twice gives the same one', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const first = await client.conversations.open({ users: 'U00ADA0001' });
    expect((await client.conversations.open({ users: 'U00ADA0001', return_im: true })).channel).toMatchObject(
      {
        id: first.channel?.id,
        is_im: true,
        user: 'U00ADA0001',
      },
    );
  });
});

describe('people', () => {
  test.each([
    ['U00ADA0001', { tz: 'Europe/Berlin', is_admin: true, is_restricted: false, is_stranger: false }],
    ['U00NOAH001', { tz: 'America/New_York', is_admin: false }],
    ['U00PRIYA01', { tz: 'Asia/Kolkata', tz_offset: 19_800 }],
    ['U00GIL0001', { is_restricted: true }],
    ['U00SOFIA01', { is_stranger: true, team_id: 'T00OTHER01' }],
    ['U00ROLLCAL', { is_bot: true }],
  ])('%s is described', async (user, expected) => {
    const slack = await openSlack();
    expect((await clientOf(slack).users.info({ user })).user).toMatchObject(expected);
  });

  test('offsets follow daylight saving time by the workspace clock', async () => {
    const slack = await openSlack();
    const offsetAt = async (moment: string) => {
      slack.clock.moveBy(Date.parse(moment) - slack.clock.now());
      return (await clientOf(slack).users.info({ user: 'U00ADA0001' })).user?.tz_offset;
    };
    expect(await offsetAt('2026-10-25T00:30:00Z')).toBe(7200);
    expect(await offsetAt('2026-10-25T01:30:00Z')).toBe(3600);
  });

  test('email addresses match in any case; locales come on request', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    expect((await client.users.lookupByEmail({ email: 'ADA@example.com' })).user?.id).toBe('U00ADA0001');
    const { user } = await client.users.info({ user: 'U00PRIYA01', include_locale: true });
    expect(user).toMatchObject({ locale: 'en-GB' });
  });

  test('groups and their people', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    expect((await client.usergroups.list({ include_users: true })).usergroups).toMatchObject([
      { handle: 'coaches', users: ['U00ADA0001', 'U00NOAH001'] },
      { handle: 'managers', users: ['U00NOAH001'] },
    ]);
    expect((await client.usergroups.users.list({ usergroup: 'S00COACH01' })).users).toHaveLength(2);
  });

  test('a disabled group is unknown unless disabled groups are asked for', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    slack.changeUserGroup('coaches', { members: ['priya'], isDisabled: true });
    expect((await client.usergroups.list()).usergroups).toMatchObject([{ handle: 'managers' }]);
    expect((await client.usergroups.list({ include_disabled: true })).usergroups).toMatchObject([
      { handle: 'coaches', date_delete: expect.any(Number) },
      { handle: 'managers', date_delete: 0 },
    ]);
    const list = client.usergroups.users.list;
    const unknown = { data: expect.objectContaining({ error: 'no_such_subteam' }) };
    await expect(list({ usergroup: 'S00COACH01' })).rejects.toMatchObject(unknown);
    await expect(list({ usergroup: 'S0NOBODY' })).rejects.toMatchObject(unknown);
    expect((await list({ usergroup: 'S00COACH01', include_disabled: true })).users).toEqual(['U00PRIYA01']);
    slack.changeUserGroup('coaches', { isDisabled: false });
    expect((await list({ usergroup: 'S00COACH01' })).users).toEqual(['U00PRIYA01']);
  });

  test('owners and unconfirmed addresses', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const describe = async () => (await client.users.info({ user: 'U00NOAH001' })).user;
    expect(await describe()).toMatchObject({ is_owner: false, is_email_confirmed: true });
    slack.as('noah').changeProfile({ isOwner: true, isEmailConfirmed: false });
    expect(await describe()).toMatchObject({ is_owner: true, is_email_confirmed: false });
  });

  test('blocks.validate says the same as a refusal, without a token', async () => {
    const slack = await openSlack();
    const body = JSON.stringify({ blocks: [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }] });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${slack.apiUrl}blocks.validate`, { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({
      ok: true,
      errors: [{ code: 'not_allowed_here', pointer: '/blocks/0/text' }],
    });
  });
});
