import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import type { Level } from '../../src/access/levels.js';
import { plainRequest } from '../../src/requests/request.js';
import { nextWave } from '../../src/schedule/reader-runs.js';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { propertyRuns } from '../property-runs.js';
import { answer } from '../reporting-api/fault-server.js';
import {
  ada,
  type DigestTestWorkspace,
  hour,
  openTestWorkspace,
  settings,
  type WorkspaceParts,
  withSlack,
} from './test-workspace.js';

const zones = ['Asia/Kolkata', 'Europe/Berlin', 'America/New_York'] as const;
type Zone = (typeof zones)[number];

const [someone] = defaultSeed.people;
if (!someone) throw new Error('The workspace has no people');
const seeded = someone;
const person = (n: number, more: Partial<typeof seeded> = {}) => ({
  ...seeded,
  kind: 'member' as const,
  id: `U00MANAG${10 + n}`,
  handle: `m${n}`,
  email: `m${n}@example.com`,
  zone: zones[n % zones.length] ?? 'UTC',
  ...more,
});

/** Six who can be reached, two in each zone, and those who cannot: in no scenario do they get anything. */
const reachable = Array.from({ length: 6 }, (_, n) => person(n));
const unreachable = [
  person(6, { kind: 'guest' }),
  person(7, { kind: 'deactivated' }),
  person(8, { isEmailConfirmed: false }),
  person(9, { email: 'twice@example.com' }),
  person(10, { email: 'Twice@example.com' }),
];
const everybody = [...reachable, ...unreachable];
const addresses = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'twice', 'nobody'];

interface Row {
  readonly manager: string | null;
  readonly isOverdue: boolean;
}

const anyRow: fc.Arbitrary<Row> = fc.record({
  manager: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...addresses.map((name) => `${name}@example.com`)) },
    fc.constantFrom(null, 'M0@EXAMPLE.com', ' m1@example.com ', 'm0@example.com, m1@example.com'),
  ),
  isOverdue: fc.integer({ min: 1, max: 5 }).map((n) => n > 1),
});

/** The level of each who can be reached: some may not read names. */
const anyLevels = fc.array(
  fc.constantFrom<Level>('everything', 'team', 'team', 'team', 'totals', 'nothing'),
  {
    minLength: reachable.length,
    maxLength: reachable.length,
  },
);

const scenario = fc.record({
  rows: fc.array(anyRow, { minLength: 12, maxLength: 30 }),
  /** Clocks change on 25 October in Europe, and on 1 November in America. */
  day: fc.integer({ min: 0, max: 16 }),
  /** Hours that the clock moves by, one after the other. */
  moves: fc.array(fc.constantFrom(2, 3, 4, 6, 9, 13, -1), { minLength: 4, maxLength: 8 }),
  levels: fc.tuple(anyLevels, anyLevels),
  /** From which move on the second levels hold. */
  levelsChange: fc.nat(8),
  declined: fc.array(fc.nat(reachable.length - 1), { maxLength: 2 }),
  /** After so many further steps a process ends, and the next one begins. */
  kills: fc.array(fc.record({ steps: fc.integer({ min: 1, max: 24 }), isDone: fc.boolean() }), {
    maxLength: 4,
  }),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

const firstDay = Date.parse('2026-10-19T00:00:00Z');
const dayMs = 24 * hour;

function answerOf(rows: readonly Row[]): string {
  return JSON.stringify(
    rows.map(({ manager, isOverdue }, n) => ({
      manager_email: manager,
      email: `p${n}@example.com`,
      userid: `p${n}`,
      first_name: `Person${n}`,
      last_name: '',
      content_id: `c${n}`,
      content_title: `Title-${n}-`,
      assignment_id: `a${n}`,
      assignment_status: isOverdue ? 'not_started' : 'completed',
      assigned_date: '2026-01-01T00:00:00Z',
      due_date: '2026-02-01T00:00:00Z',
      completed_date: isOverdue ? null : '2026-01-02T00:00:00Z',
    })),
  );
}

/** The wall clock of a zone, as `weekday, hour:minute` and as a day. */
function wallOf(at: number, zone: Zone) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(at);
  return {
    weekday: format({ weekday: 'short' }),
    time: format({ hour: '2-digit', minute: '2-digit' }),
    day: format({ dateStyle: 'short' }),
  };
}

/** The moments at which a process looks for work. The next day, it is nine in Kolkata again after 27 and a half hours. */
function looksOf({ moves, levels, levelsChange, day }: Scenario) {
  let at = firstDay + day * dayMs;
  return moves
    .map((hours, place) => {
      at += hours * hour;
      return { at, levels: place >= levelsChange ? levels[1] : levels[0] };
    })
    .filter((look) => look.at < firstDay + day * dayMs + 27 * hour);
}

/** When it is nine in a zone on the day that begins at `from`, found by looking at every half hour. */
function nineOClock(from: number, zone: Zone): number {
  for (let at = from; ; at += hour / 2) if (wallOf(at, zone).time === '09:00') return at;
}

/** How many overdue rows each gets, and by whom, computed a second time. */
function naively(found: Scenario) {
  const { rows, declined, day } = found;
  const begin = firstDay + day * dayMs;
  const looks = looksOf(found);
  return new Map(
    reachable.map(({ id, email, zone }, n) => {
      const own = rows.flatMap((row, place) =>
        row.isOverdue && row.manager?.trim().toLowerCase() === email ? [`Title-${place}-`] : [],
      );
      const due = nineOClock(begin, zone as Zone);
      const wall = wallOf(due, zone as Zone);
      const look = looks.find((one) => one.at >= due);
      const isTold =
        own.length > 0 &&
        look !== undefined &&
        !['Sat', 'Sun'].includes(wall.weekday) &&
        wallOf(look.at, zone as Zone).day === wall.day &&
        ['team', 'everything'].includes(look.levels[n] ?? '') &&
        !declined.includes(n);
      return [id, { own, isTold }];
    }),
  );
}

class Killed extends Error {}

/** A process that ends at a step. Nothing that it does after that has any effect. */
function startProcess(parts: WorkspaceParts, name: string, kill: Scenario['kills'][number] | undefined) {
  let left = kill?.steps ?? Number.POSITIVE_INFINITY;
  let isDead = false;
  let ended = () => {};
  const killed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const die = () => {
    isDead = true;
    ended();
    return new Killed();
  };
  const isStep = new Set([
    'beginManagerPost',
    'saveOf',
    'markPosting',
    'postMessage',
    'markPosted',
    'keep',
    'endManagersRun',
  ]);
  const mortal = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, method, receiver) {
        const value: unknown = Reflect.get(target, method, receiver);
        if (typeof value !== 'function') return value;
        return (...given: readonly unknown[]) => {
          if (isDead) throw new Killed();
          const call = () => value.apply(target, given);
          if (!isStep.has(String(method)) || --left > 0) return call();
          if (kill?.isDone !== true) return Promise.reject(die());
          return Promise.resolve(call()).then(() => {
            throw die();
          });
        };
      },
    });
  const { store, client } = parts;
  const { ledger, managerReaders, sentRows, digests } = store;
  const itsStore = {
    ...store,
    ledger: mortal(ledger),
    managerReaders: mortal(managerReaders),
    sentRows: mortal(sentRows),
    digests: mortal(digests),
  };
  const posting = Object.create(client, { chat: { value: mortal(client.chat) } });
  const scheduler = digestScheduler(
    withSlack({ ...parts, worker: name, store: itsStore, client: posting } as WorkspaceParts),
  );
  scheduler.start();
  return { scheduler, killed, isDead: () => isDead };
}

it('gives each manager exactly their own people, once, whatever ends on the way', async () => {
  const levelOf = new Map<string, Level>();
  const addressOf = new Map(everybody.map(({ id, email }) => [id, email]));
  const access = {
    accessOf: async (user: string) => ({
      level: user === ada ? ('everything' as const) : (levelOf.get(user) ?? ('everything' as const)),
      address: addressOf.get(user),
    }),
  };
  const workspace = await openTestWorkspace({
    access,
    people: [...defaultSeed.people, ...everybody],
    now: firstDay,
  });
  const channels = new Map<string, string>();
  for (const { id } of reachable) channels.set(await workspace.parts.channels.directWith(id), id);
  const adaChannel = await workspace.parts.channels.directWith(ada);
  let runs = 0;
  const counts = { messages: 0, unconfirmed: 0, kills: 0 };

  await fc.assert(
    fc.asyncProperty(scenario, async (found) => {
      await play(workspace, found, `p${runs++}`);
    }),
    { numRuns: propertyRuns(40), endOnFailure: true },
  );
  expect(counts.messages).toBeGreaterThan(4);
  expect(counts.kills).toBeGreaterThan(0);

  async function play(
    { clock, service, store, slack, parts, wait }: DigestTestWorkspace,
    found: Scenario,
    name: string,
  ) {
    const { rows, declined, kills, day } = found;
    const begin = firstDay + day * dayMs;
    clock.moveBy(begin - clock.now());
    service.always(answer(answerOf(rows)));
    const schedule = {
      cadence: { kind: 'daily', time: '09:00' },
      zone: 'Europe/Berlin',
      firstDay: '2026-10-01',
    } as const;
    const digest = await workspace.digest(
      {
        ...settings,
        request: { ...plainRequest('assignments'), view: 'overdue' },
        schedule,
        zones,
        audience: 'managers',
      },
      nextWave(schedule, zones, begin),
    );
    for (const n of declined) await store.managerReaders.decline(digest.id, reachable[n]?.id ?? '', true);
    const before = slack.posts.length;
    const waiting = [...kills];
    let process = 0;
    for (const look of looksOf(found)) {
      // A few seconds, as time passes.
      clock.moveBy(look.at + 5000 - clock.now());
      wait(60_000);
      look.levels.forEach((level, n) => {
        levelOf.set(reachable[n]?.id ?? '', level);
      });
      for (;;) {
        const worker = startProcess(parts, `${name}-${process++}`, waiting.shift());
        await Promise.race([worker.killed, isQuiet(digest.id)]);
        await worker.scheduler.stop();
        if (!worker.isDead()) break;
        counts.kills += 1;
      }
    }
    await store.digests.delete(digest.id, clock.now());
    const expected = naively(found);
    const posts = slack.posts.slice(before);
    const history = await store.ledger.history(digest.id, 50);
    let unconfirmed = 0;
    for (const { id } of history)
      unconfirmed += (await store.ledger.countManagerPosts(id)).get('unknown') ?? 0;
    let missing = 0;
    for (const [channel, user] of channels) {
      const got = posts.filter((post) => post.channel === channel).map(({ text }) => text);
      const { own = [], isTold = false } = expected.get(user) ?? {};
      expect(got.length, `${user} ${JSON.stringify(got)}`).toBeLessThanOrEqual(isTold ? 1 : 0);
      if (isTold && got.length === 0) missing += 1;
      for (const text of got) {
        expect([...text.matchAll(/Title-\d+-/g)].map(([title]) => title).sort()).toEqual(
          [...own].sort().slice(0, 10),
        );
        expect(text).toMatch(new RegExp(`ha(s|ve) ${own.length} overdue`));
      }
      counts.messages += got.length;
    }
    // Whoever got nothing is counted as unconfirmed: their message was on its way when a process ended.
    expect(missing).toBeLessThanOrEqual(unconfirmed);
    expect(unconfirmed).toBeLessThanOrEqual(2 * kills.length);
    counts.unconfirmed += unconfirmed;
    const others = posts.filter(({ channel }) => !channels.has(channel) && channel !== adaChannel);
    expect(others).toEqual([]);

    async function isQuiet(id: string) {
      for (;;) {
        const [current, [run]] = await Promise.all([store.digests.find(id), store.ledger.history(id, 1)]);
        const isDue = (current?.nextDue ?? Number.POSITIVE_INFINITY) <= clock.now();
        if (!isDue && (!run || ['posted', 'skipped', 'failed'].includes(run.state))) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }
}, 60_000);
