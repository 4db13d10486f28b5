import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { ada, noah, priya } from '../../playground/slack/server/workspace/seed.js';
import { userFilter } from '../../src/catalogue/learner.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { dueOnce } from '../digests/test-workspace.js';
import { endEveryProcess } from '../process.js';
import { propertyRuns } from '../property-runs.js';
import { answer } from '../reporting-api/fault-server.js';
import { sqlOn } from '../store/fresh-folder.js';
import { startHostedBot } from './bot-process.js';
import { channelId, openSeveralBots, sharedBots } from './several-bots.js';

afterAll(endEveryProcess);

const mia = { ...priya, id: 'U00MIA0001', handle: 'mia', name: 'Mia Berg', email: 'mia@example.com' };
const askers = { ada, noah, priya };
type Asker = keyof typeof askers;

/** Whose rows the service has. Nobody else has these first names, and nobody types addresses in this case. */
const learners = {
  ada: { userid: 'u1', email: 'ADA@Example.com', first_name: 'Adalearns', manager_email: 'boss@example.com' },
  noah: { userid: 'u2', email: 'NOAH@Example.com', first_name: 'Noahlearns', manager_email: ada.email },
  priya: { userid: 'u3', email: 'PRIYA@Example.com', first_name: 'Priyalearns', manager_email: noah.email },
  mia: { userid: 'u4', email: 'MIA@Example.com', first_name: 'Mialearns', manager_email: noah.email },
  stranger: {
    userid: 'u5',
    email: 'X@Else.example',
    first_name: 'Strangerlearns',
    manager_email: noah.email,
  },
};
type Learner = keyof typeof learners;
const names = Object.keys(learners) as Learner[];
const readers = ['ada', 'noah', 'priya', 'mia'] as const;

const hows = [
  '',
  'csv',
  'rows',
  'by:email',
  'by:first_name',
  'fields:views csv',
  'fields:email,views rows',
] as const;
const abouts = [
  undefined,
  undefined,
  'email:priya@example.com',
  'email:mia@example.com',
  'manager_email:noah@example.com',
] as const;

const step = fc.record({
  who: fc.constantFrom<Asker>('ada', 'ada', 'noah', 'priya'),
  where: fc.constantFrom('direct', 'shared-work', 'approved'),
  how: fc.constantFrom(...hows),
  about: fc.constantFrom(...abouts),
  press: fc.constantFrom(undefined, 'CSV', 'Details'),
  isDigest: fc.constantFrom(false, false, false, true),
  /** Whose rows there are that day. Some name their person by the user ID alone. */
  present: fc.subarray(names, { minLength: 1 }),
  idsAlone: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A line of a person's record, as Slack shows it. */
const lineOf = (what: string, who: Asker, isInChannel = false) =>
  `A ${what}: engagement${isInChannel ? ', in a channel that may get names' : ''}, for ${askers[who].name}`;

/** One bot, and what everybody's record has to say after all that was done with it. */
const openHistory = sharedBots(async (location, folder) => {
  const bots = await openSeveralBots(location, folder, {
    names: ['shared-work', 'approved'],
    people: [mia],
    start: startHostedBot,
  });
  const { slack, service, store } = bots;
  for (const [id, level] of [
    [noah.id, 'team'],
    [priya.id, 'totals'],
  ] as const)
    await store.accessRules.set({ subject: { kind: 'person', id }, level }, { by: ada.id, at: Date.now() });
  await store.recordSettings.showAskerNames(true, { by: ada.id, at: Date.now() - 1000 });
  await bots.start({ ROLLCALL_ADMINS: ada.id, PERSON_LEVEL_CHANNELS: channelId('approved') });

  let rows: readonly object[] = [];
  service.always((...call) => {
    const { user_filter: filter = {} } = JSON.parse(service.seen.at(-1)?.body || '{}');
    const isMeant = (row: object) =>
      Object.entries(filter as Record<string, string>).every(
        ([member, entries]) =>
          !['email', 'manager_email'].includes(member) ||
          String(Reflect.get(row, member)).toLowerCase() === entries.toLowerCase(),
      );
    return answer(JSON.stringify(rows.filter(isMeant)))(...call);
  });

  /** Until nothing of what was done is under way. */
  async function quiet() {
    await slack.settled();
    const open = `SELECT (SELECT count(*) FROM posts WHERE state IN ('queued', 'running', 'posting')) +
      (SELECT count(*) FROM inbox WHERE payload IS NOT NULL) AS open`;
    const count = async () => Number((await sqlOn<{ open: number }>(location, open))[0]?.open);
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
  }

  /** What each step says to each record. */
  const done: { readonly step: Step; readonly lines: Readonly<Record<Learner, readonly string[]>> }[] = [];
  let day = 0;

  return {
    ...bots,
    done,
    /** Does one thing, and adds what it says to each record: from what the service sent, and from what Slack has. */
    async take(step: Step) {
      const { who, where: wanted, how, about, press, isDigest, present, idsAlone } = step;
      // Equal questions share an answer.
      day += 1;
      const date = new Date(Date.UTC(2024, 0, day)).toISOString().slice(0, 10);
      rows = present.map((name) => ({
        ...learners[name],
        // A filter on addresses finds no row without one.
        email: idsAlone && !about?.startsWith('email') ? null : learners[name].email,
        views: 3,
        sessions: 2,
      }));
      const where = who === 'priya' ? 'direct' : wanted;
      const place = where === 'direct' ? `@${who}` : `#${where}`;
      const lines: Record<Learner, string[]> = { ada: [], noah: [], priya: [], mia: [], stranger: [] };
      const named = names.find((name) => about?.endsWith(`:${name}@example.com`));
      const note = (name: Learner | undefined, line: string) => {
        if (name !== undefined && name !== who) lines[name].push(line);
      };

      /** Whose rows a file or a table of this question has. */
      function rowsOf(): readonly Learner[] {
        const [member, value] = about?.split(':') ?? [];
        return present.filter((name) => {
          const { email, manager_email } = learners[name];
          const filtered = member === 'email' ? email : manager_email;
          const isMeant = value === undefined || filtered.toLowerCase() === value;
          const mayHave = { ada: true, noah: manager_email === noah.email, priya: name === 'priya' };
          return isMeant && mayHave[who];
        });
      }

      /** What was posted since: files and tables by their rows, other messages by the names in them. */
      async function noteSince(before: number) {
        for (const { channel, text, blocks, files } of slack.posts.slice(before)) {
          const noteAll = (some: readonly Learner[], what: string) => {
            for (const name of some) note(name, lineOf(what, who, channel.startsWith('C')));
          };
          for (const id of files) {
            const inFile = (await slack.fileBytes(id)).toString('utf8').trim().split('\r\n').length - 1;
            expect(inFile, 'lines of the file').toBe(rowsOf().length);
            noteAll(rowsOf(), 'file had rows about you');
          }
          const table = blocks.find(({ type }) => type === 'data_table');
          if (table && how.includes('rows') && !text.startsWith('Details')) {
            expect(table.rows, 'rows of the table').toHaveLength(rowsOf().length + 1);
            noteAll(rowsOf(), 'table had rows about you');
            continue;
          }
          const words = `${text}\n${JSON.stringify(blocks)}`;
          const isNamed = (name: Learner) =>
            words.includes(learners[name].first_name) || words.includes(learners[name].email);
          noteAll(names.filter(isNamed), 'list of people named you');
        }
      }

      const before = slack.posts.length;
      if (isDigest && who !== 'priya') {
        const [member = '', value] = about?.split(':') ?? [];
        const request: ReportRequest = {
          ...plainRequest('engagement'),
          range: date,
          ...(how.includes('csv') && { file: 'csv' as const }),
          ...(how.includes('rows') && { showRows: true }),
          ...(how.startsWith('by:') && { by: how.slice(3) }),
          filters: value === undefined ? [] : [{ object: userFilter.name, member, entries: [value] }],
        };
        // As the workspace of the tests names it.
        const direct = `D00${who.toUpperCase()}BOT`;
        const channel = where === 'direct' ? direct : channelId(where);
        const owner = askers[who].id;
        const now = Date.now();
        const id = await store.digests.add({ ...dueOnce(), channel, owner, request }, owner, now, now);
        const newest = async () => (await store.ledger.history(id, 1))[0];
        const ends = ['posted', 'skipped', 'failed'];
        await expect.poll(async () => (await newest())?.state, { timeout: 60_000 }).toBeOneOf(ends);
        await quiet();
        if ((await newest())?.state === 'posted') note(named, lineOf('request named you', who));
        await store.digests.delete(id, Date.now());
      } else {
        const words = ['/report engagement', date, how, about].filter(Boolean).join(' ');
        await slack.as(who).command(words, place);
        await quiet();
        await slack.waitFor(() => slack.posts.length > before, 60_000, words);
        await quiet();
        const isRefused = slack.posts.slice(before).some(({ text }) => /^You may ask for totals/.test(text));
        note(named, lineOf(isRefused ? 'request named you, and was refused' : 'request named you', who));
      }
      await noteSince(before);

      const pressed = press && findButton(press, before);
      if (pressed) {
        const after = slack.posts.length;
        await slack.as(who).click(pressed, press);
        await quiet();
        note(named, lineOf('request named you', who));
        await noteSince(after);
      }
      done.push({ step, lines });
    },
  };

  /** A message since then with such a button. */
  function findButton(label: string, before: number): SeenMessage | undefined {
    const hasIt = (blocks: unknown) => JSON.stringify(blocks)?.includes(`"text":"${label}"`);
    const post = slack.posts.slice(before).find(({ blocks, visibleTo }) => !visibleTo && hasIt(blocks));
    return post && slack.messages(post.channel).find(({ ts }) => ts === post.ts);
  }
});

const isRecord = ({ text }: { readonly text: string }) => text.startsWith('What was asked about you');

/** The lines of somebody's own record, newest first. */
async function recordOf({ slack }: Awaited<ReturnType<typeof openHistory>>, name: string) {
  const direct = `@${name}`;
  const before = slack.messages(direct).filter(isRecord).length;
  await slack.as(name).command('/report record', direct);
  const message = await slack.waitFor(() => slack.messages(direct).filter(isRecord)[before], 60_000, direct);
  return [...message.words.matchAll(/A (?:file|table|list|request) [^.\n]*/g)].map(([line]) => line);
}

/** A page has so many lines. */
const pageSize = 15;

it('everybody’s record says exactly who got rows of them and who named them, after any history', async () => {
  const history = await openHistory();
  const first = { who: 'ada', where: 'direct', how: 'csv', about: undefined, press: undefined } as const;
  // From here on, Rollcall knows which user IDs are theirs.
  await history.take({ ...first, isDigest: false, present: names, idsAlone: false });
  let reads = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      for (const one of steps) await history.take(one);
      for (const name of readers) {
        const found = await recordOf(history, name);
        reads += 1;
        let at = 0;
        for (const { step, lines } of history.done.toReversed()) {
          const wanted = lines[name].toSorted();
          // The last step on the page may be cut.
          if (at + wanted.length > found.length) break;
          // Those of one step come at about the same time.
          const shown = found.slice(at, at + wanted.length).toSorted();
          expect(shown, `${name} after ${JSON.stringify(step)}`).toEqual(wanted);
          at += wanted.length;
        }
        const count = history.done.reduce((sum, { lines }) => sum + lines[name].length, 0);
        expect(found, name).toHaveLength(Math.min(pageSize, count));
      }
    }),
    // What was done stays, so that fewer steps cannot be tried.
    { numRuns: propertyRuns(24), endOnFailure: true },
  );
  // Each went to the direct messages of its reader, and nowhere else.
  const { posts, refusals } = history.slack;
  expect(posts.filter(isRecord)).toHaveLength(reads);
  expect(refusals).toEqual([]);
}, 600_000);
