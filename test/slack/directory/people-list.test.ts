import type { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { peopleOf } from '../../../src/slack/directory/people.js';

const minuteMs = 60_000;
const perPage = 400;

afterEach(() => void vi.useRealTimers());

interface Reply {
  readonly members: readonly { readonly id: string; readonly team_id: string; readonly deleted?: boolean }[];
  readonly response_metadata: { readonly next_cursor: string };
}

/** A workspace with that many people, `U0` first, and a clock that the test moves. */
function openWorkspace(size: number) {
  let time = 1_000;
  const gone = new Set<string>();
  const person = (id: string) => ({ id, team_id: 'T1', deleted: gone.has(id) });
  const page = (cursor = '0', limit = 0): Reply => {
    const from = Number(cursor);
    const members = Array.from({ length: Math.min(limit, size - from) }, (_, n) => person(`U${from + n}`));
    return { members, response_metadata: { next_cursor: from + limit < size ? String(from + limit) : '' } };
  };
  const info = vi.fn(async ({ user }: { user: string }) => ({ user: person(user) }));
  const list = vi.fn(async ({ cursor, limit }: { cursor?: string; limit?: number }) => page(cursor, limit));
  const client = { users: { info, list } } as unknown as WebClient;
  return {
    people: peopleOf(client, { teamId: 'T1' }, () => time),
    info,
    list,
    gone,
    page,
    wait(ms: number) {
      time += ms;
    },
  };
}

const users = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `U${from + n}`);

describe('many people', () => {
  it('are looked up in as many calls as the list has pages', async () => {
    const { people, info, list } = openWorkspace(2000);
    people.prepare(users(2000));
    const found = await Promise.all(users(2000).map((user) => people.find(user)));
    expect(found.every(({ standing }) => standing === 'member')).toBe(true);
    expect(list).toHaveBeenCalledTimes(2000 / perPage);
    expect(info).not.toHaveBeenCalled();
    people.prepare(users(2000));
    expect(list).toHaveBeenCalledTimes(2000 / perPage);
  });

  it('are looked up one by one if they are few, and if the list would take more calls', async () => {
    const { people, info, list } = openWorkspace(40_000);
    people.prepare(users(29));
    expect(list).not.toHaveBeenCalled();
    people.prepare(users(40, 39_000));
    await Promise.all(users(40, 39_000).map((user) => people.find(user)));
    expect(list).toHaveBeenCalledTimes(40 / 5);
    expect(info).toHaveBeenCalledTimes(40);
  });

  it('take no more than fifteen pages a minute, and the next ones from there', async () => {
    const { people, list, wait, info } = openWorkspace(40 * perPage);
    const wanted = users(200, 39 * perPage);
    people.prepare(wanted);
    await people.find('U15600');
    expect(list).toHaveBeenCalledTimes(15);
    people.prepare(wanted);
    expect(list).toHaveBeenCalledTimes(15);
    for (let minute = 0; minute < 2; minute += 1) {
      wait(minuteMs + 1);
      people.prepare(wanted);
      await people.find(`U${15_601 + minute}`);
    }
    expect(list).toHaveBeenCalledTimes(40);
    expect(info).toHaveBeenCalledTimes(2);
    await people.find('U15799');
    expect(info).toHaveBeenCalledTimes(2);
  });

  it('are never older than ten minutes from the call for their page', async () => {
    const { people, list, wait, gone, info } = openWorkspace(100);
    let answer = (_reply: Reply) => {};
    list.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const { page } = openWorkspace(100);
    people.prepare(users(100));
    wait(3 * minuteMs);
    answer(page('0', 100));
    await people.find('U1');
    gone.add('U1');
    wait(6 * minuteMs);
    expect(await people.find('U1')).toMatchObject({ standing: 'member' });
    wait(minuteMs + 1);
    expect(await people.find('U1')).toMatchObject({ standing: 'gone' });
    expect(info).toHaveBeenCalledTimes(1);
  });

  it('are asked about again if Slack reports a change while a page is read', async () => {
    const { people, list, gone, info, page } = openWorkspace(100);
    let answer = (_reply: Reply) => {};
    list.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    people.prepare(users(100));
    const before = page('0', 100);
    const waiting = people.find('U1');
    gone.add('U1');
    people.invalidate('U1');
    answer(before);
    expect(await waiting).toMatchObject({ standing: 'gone' });
    expect(await people.find('U1')).toMatchObject({ standing: 'gone' });
    expect(await people.find('U2')).toMatchObject({ standing: 'member' });
    expect(info).toHaveBeenCalledTimes(1);
  });

  it('are looked up one by one if the list fails', async () => {
    const { people, list, info } = openWorkspace(1000);
    list.mockRejectedValueOnce(new Error('ratelimited'));
    people.prepare(users(1000));
    expect(await people.find('U1')).toMatchObject({ standing: 'member' });
    expect(info).toHaveBeenCalledTimes(1);
  });

  it('are looked up one by one if the list takes more than five seconds, and are not replaced later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { people, list, info, gone, page } = openWorkspace(100);
    let answer = (_reply: Reply) => {};
    list.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    people.prepare(users(100));
    const before = page('0', 100);
    const waiting = people.find('U1');
    gone.add('U1');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await waiting).toMatchObject({ standing: 'gone' });
    answer(before);
    expect(await people.find('U2')).toMatchObject({ standing: 'member' });
    expect(await people.find('U1')).toMatchObject({ standing: 'gone' });
    expect(info).toHaveBeenCalledTimes(1);
  });
});
