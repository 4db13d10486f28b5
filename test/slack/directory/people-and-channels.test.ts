import type { WebClient } from '@slack/web-api';
import { describe, expect, it, vi } from 'vitest';
import { channelsOf } from '../../../src/slack/directory/channels.js';
import { peopleOf } from '../../../src/slack/directory/people.js';

const minuteMs = 60_000;

/** A monotonic clock that the test moves, and one method of Slack that counts its calls. */
function openSlack(method: (args: never) => Promise<unknown>) {
  const call = vi.fn(method);
  const client = {
    users: { info: call },
    conversations: { info: call },
    chat: { getPermalink: call },
  } as unknown as WebClient;
  let time = 1_000;
  return {
    client,
    call,
    now: () => time,
    wait(ms: number) {
      time += ms;
    },
  };
}

describe('the people of a workspace', () => {
  const ada = { user: { id: 'U1', team_id: 'T1', tz: 'Europe/Berlin' } };

  it('are looked up once in ten minutes, and again when Slack reports a change', async () => {
    const { client, call, now, wait } = openSlack(async () => ada);
    const people = peopleOf(client, { teamId: 'T1' }, now);
    expect(await people.find('U1')).toMatchObject({ id: 'U1', standing: 'member', zone: 'Europe/Berlin' });
    wait(9 * minuteMs);
    await people.find('U1');
    expect(call).toHaveBeenCalledTimes(1);
    wait(2 * minuteMs);
    await people.find('U1');
    expect(call).toHaveBeenCalledTimes(2);
    people.invalidate('U1');
    await people.find('U1');
    expect(call).toHaveBeenCalledTimes(3);
  });

  it('are looked up again at once if Slack did not answer', async () => {
    const { client, call, now } = openSlack(() => Promise.reject(new Error('no connection')));
    const people = peopleOf(client, { teamId: 'T1' }, now);
    expect(await people.find('U1')).toEqual({ id: 'U1', standing: 'unknown' });
    await people.find('U1');
    expect(call).toHaveBeenCalledTimes(2);
  });

  it.each([
    [true, false, true],
    [true, true, true],
    [undefined, false, false],
    [undefined, true, true],
    [null, true, true],
    [false, false, false],
    [false, true, false],
  ])(
    'have a confirmed address where Slack says %s and TRUST_SLACK_EMAIL is %s: %s',
    async (said, trustEmail, is) => {
      const user = {
        id: 'U1',
        team_id: 'T1',
        is_email_confirmed: said,
        profile: { email: 'ada@example.org' },
      };
      const { client, now } = openSlack(async () => ({ user }));
      const { email, confirmedEmail } = await peopleOf(client, { teamId: 'T1', trustEmail }, now).find('U1');
      expect([email, confirmedEmail]).toEqual(['ada@example.org', is ? 'ada@example.org' : undefined]);
    },
  );

  it('are dropped one by one from a full cache, the least recent first', async () => {
    const { client, call, now } = openSlack(async () => ada);
    const people = peopleOf(client, { teamId: 'T1' }, now);
    for (let n = 0; n <= 10_000; n += 1) await people.find(`U${n}`);
    call.mockClear();
    await people.find('U10000');
    await people.find('U1');
    expect(call).not.toHaveBeenCalled();
    await people.find('U0');
    expect(call).toHaveBeenCalledTimes(1);
  });
});

describe('the channels of a workspace', () => {
  const learning = { channel: { id: 'C1', is_member: true, is_ext_shared: false } };

  it('are looked up once in ten minutes, and at once for a fresh answer', async () => {
    const { client, call, now, wait } = openSlack(async () => learning);
    const channels = channelsOf(client, now, async () => {});
    expect(await channels.find('C1')).toMatchObject({ known: true, isMember: true, isShared: false });
    await channels.find('C1');
    expect(call).toHaveBeenCalledTimes(1);
    await channels.find('C1', true);
    expect(call).toHaveBeenCalledTimes(2);
    wait(11 * minuteMs);
    await channels.find('C1');
    expect(call).toHaveBeenCalledTimes(3);
  });

  it('are looked up again at once if Slack could not be reached', async () => {
    const { client, call, now } = openSlack(() => Promise.reject(new Error('no connection')));
    const channels = channelsOf(client, now, async () => {});
    expect(await channels.find('C1')).toEqual({ known: false, isTemporary: true });
    await channels.find('C1');
    expect(call).toHaveBeenCalledTimes(2);
  });

  it.each([{ is_ext_shared: true }, { is_pending_ext_shared: true }, { pending_connected_team_ids: ['T2'] }])(
    'are marked as shared by any look that says %o',
    async (flags) => {
      const { client, now } = openSlack(async () => ({ channel: { id: 'C1', is_member: true, ...flags } }));
      const marked: string[] = [];
      const channels = channelsOf(client, now, async (channel) => void marked.push(channel));
      expect(await channels.find('C1')).toMatchObject({ known: true, isShared: true });
      expect(marked).toEqual(['C1']);
    },
  );

  it('are unknown while the mark of a shared one cannot be saved, and are looked up again', async () => {
    const { client, call, now } = openSlack(async () => ({ channel: { id: 'C1', is_ext_shared: true } }));
    const channels = channelsOf(client, now, () => Promise.reject(new Error('no database')));
    expect(await channels.find('C1')).toEqual({ known: false, isTemporary: true });
    await channels.find('C1');
    expect(call).toHaveBeenCalledTimes(2);
  });
});
