import type { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { peopleOf } from '../../../src/slack/directory/people.js';
import { maxNamedPeople, type NameSearch } from '../../../src/slack/directory/people-names.js';

const minuteMs = 60_000;
const perPage = 400;

afterEach(() => void vi.useRealTimers());

interface Member {
  readonly id: string;
  readonly name?: string;
  readonly real_name?: string;
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly is_restricted?: boolean;
  readonly team_id?: string;
  readonly profile?: { readonly display_name?: string; readonly email?: string };
}

const member = (id: string, real_name: string, display_name = '', more: Partial<Member> = {}): Member => ({
  id,
  team_id: 'T1',
  name: id.toLowerCase(),
  real_name,
  profile: { display_name, email: `${id}@example.com` },
  ...more,
});

/** A workspace that answers as Slack does, and counts its calls. */
function workspace(members: readonly Member[], fails: () => Error | undefined = () => undefined) {
  const list = vi.fn(async ({ cursor = '0', limit = 0 }: { cursor?: string; limit?: number }) => {
    const error = fails();
    if (error) throw error;
    const from = Number(cursor);
    return {
      members: members.slice(from, from + limit),
      response_metadata: { next_cursor: from + limit < members.length ? String(from + limit) : '' },
    };
  });
  const client = { users: { list, info: vi.fn() } } as unknown as WebClient;
  return { list, people: peopleOf(client, { teamId: 'T1' }, () => performance.now()) };
}

function idsOf(search: NameSearch, phrase: string) {
  if (search.kind !== 'found') throw new Error(`The search ended as ${search.kind}`);
  const { whole, part } = search.of(phrase);
  return { whole: whole.map(({ id }) => id), part: part.map(({ id }) => id) };
}

describe('names in Slack', () => {
  it('are found as shown, in full and as a handle, and by one of their words', async () => {
    const { people } = workspace([
      member('U1', 'Ada Moreau', 'ada'),
      member('U2', 'Ada Lovelace', 'Countess'),
      member('U3', 'Jürgen von der Heide'),
      member('U4', "Siobhán O'Brien"),
      member('U5', '佐藤 さくら', 'さくら'),
    ]);
    const search = await people.search(1_000);
    expect(idsOf(search, '@ada')).toEqual({ whole: ['U1'], part: ['U1', 'U2'] });
    expect(idsOf(search, 'Ada Lovelace').whole).toEqual(['U2']);
    expect(idsOf(search, '@countess').whole).toEqual(['U2']);
    expect(idsOf(search, 'u3').whole).toEqual(['U3']);
    expect(idsOf(search, 'jurgen von der heide').whole).toEqual(['U3']);
    expect(idsOf(search, 'Siobhan OBrien').whole).toEqual(['U4']);
    expect(idsOf(search, 'さくら')).toEqual({ whole: ['U5'], part: ['U5'] });
    expect(idsOf(search, 'Grace')).toEqual({ whole: [], part: [] });
  });

  it('are those of people with an address who belong to the workspace', async () => {
    const { people } = workspace([
      member('U1', 'Ada Gone', '', { deleted: true }),
      member('U2', 'Ada Bot', '', { is_bot: true }),
      member('U3', 'Ada Elsewhere', '', { team_id: 'T2' }),
      member('U4', 'Ada Guest', '', { is_restricted: true }),
      member('U5', 'Ada Nowhere', '', { profile: {} }),
    ]);
    expect(idsOf(await people.search(1_000), 'Ada').part).toEqual(['U4']);
  });

  it('are read once in five minutes, page by page, and forgotten then', async () => {
    vi.useFakeTimers();
    const { people, list } = workspace(
      Array.from({ length: 1_000 }, (_, n) => member(`U${n}`, `Person ${n}`)),
    );
    const [search] = await Promise.all([people.search(1_000), people.search(1_000)]);
    expect(idsOf(search, 'person 999').whole).toEqual(['U999']);
    await people.search(1_000);
    expect(list).toHaveBeenCalledTimes(Math.ceil(1_000 / perPage));
    await vi.advanceTimersByTimeAsync(5 * minuteMs);
    await people.search(1_000);
    expect(list).toHaveBeenCalledTimes(2 * Math.ceil(1_000 / perPage));
  });

  it('share the pages that Slack allows in a minute, and whoever cannot wait is told', async () => {
    vi.useFakeTimers();
    const { people, list } = workspace(
      Array.from({ length: 7_000 }, (_, n) => member(`U${n}`, `Person ${n}`)),
    );
    const first = people.search(1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await first).toEqual({ kind: 'slow' });
    expect(list).toHaveBeenCalledTimes(15);
    // The other reader of the list has none left either.
    people.prepare(Array.from({ length: 40 }, (_, n) => `U${n}`));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(list).toHaveBeenCalledTimes(15);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(idsOf(await people.search(1_000), 'person 6999').whole).toEqual(['U6999']);
  });

  it('are not searched in a workspace where one could be that of somebody who was not read', async () => {
    vi.useFakeTimers();
    const { people, list } = workspace(
      Array.from({ length: maxNamedPeople + 1 }, (_, n) => member(`U${n}`, `Person ${n}`)),
    );
    const first = people.search(1_000);
    await vi.advanceTimersByTimeAsync(2 * minuteMs);
    await first;
    expect(await people.search(1_000)).toEqual({ kind: 'too-many-people' });
    expect(list).toHaveBeenCalledTimes(maxNamedPeople / perPage);
  });

  it('are read again after Slack refused', async () => {
    let error: Error | undefined = new Error('ratelimited');
    const { people } = workspace([member('U1', 'Ada')], () => error);
    expect(await people.search(1_000)).toEqual({ kind: 'unreachable' });
    error = undefined;
    expect(idsOf(await people.search(1_000), 'ada').whole).toEqual(['U1']);
  });
});
