import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import { scopeOf } from '../../../src/access/scope.js';
import { parseCommand } from '../../../src/requests/parse-command.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import type { ListenerParts } from '../../../src/slack/answers/context.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import {
  type BotChoices,
  listeningBot,
  payloadFor,
  settled,
  useSimulatedTimers,
} from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
  await remember('Sales');
});
afterEach(() => store.close());

function remember(entry: string, people = 9, list = 'departments', title?: string) {
  return store.suggestions.add([{ list, entry, title, people }], Date.now());
}

interface Bot extends Pick<BotChoices, 'slackTakes' | 'refuses'> {
  readonly level?: Level;
  readonly changes?: Partial<ListenerParts>;
}

function bot({ level = 'everything', changes = {}, ...choices }: Bot = {}) {
  const accessOf = async () => ({ level, address: 'ada@example.com' });
  const access = {
    accessOf,
    isAdmin: async () => false,
    admins: async () => [],
    invalidateGroup() {},
    endGroup() {},
  };
  return listeningBot({ store, changes: { access, smallestGroup: 1, ...changes } as never, ...choices });
}

const slash = (text: string) => ({ ...payloadFor({ kind: 'command', name: '/report' }), text });

/** A mention in a thread. */
function mention(text: string) {
  const payload = payloadFor({ kind: 'event', name: 'app_mention' });
  return { ...payload, event: { ...(payload.event as object), text: `<@UBOT> ${text}` } };
}

describe('a sentence over HTTP', () => {
  const overHttp = { changes: { repliesInAcknowledgements: true } };

  it('is answered in the acknowledgement', async () => {
    const { deliver } = bot(overHttp);
    const { acks } = await deliver(slash('what’s overdue in Sales'));
    expect(acks).toMatchObject([{ response_type: 'ephemeral' }]);
    expect(JSON.stringify(acks)).toContain('/report overdue departments:Sales');
  });

  it('is answered after the acknowledgement where Slack is slow', async () => {
    useSimulatedTimers();
    const { deliver, calls } = bot({ ...overHttp, slackTakes: { people: 2_800 } });
    const { acks, ackedAfterMs } = await settled(deliver(slash('what’s overdue in Sales')));
    expect(ackedAfterMs).toBeLessThanOrEqual(2_500);
    expect(acks).toEqual([undefined]);
    expect(JSON.stringify(calls.filter(({ method }) => method === 'response_url'))).toContain('I read: ');
  });
});

describe('words after /report', () => {
  async function replyTo(text: string) {
    const { deliver, calls } = bot();
    await deliver(slash(text));
    return JSON.stringify(calls);
  }

  it.each([
    ['overdue?', '/report overdue'],
    ['Overdue in sales!', '/report overdue departments:Sales'],
    ['engagement last week?', '/report engagement last-week'],
    ['list everyone who is overdue', '/report overdue rows'],
  ])('that are a sentence are read: %s', async (text, command) => {
    expect(await replyTo(text)).toContain(`I read: ${command}`);
  });

  it.each(['help me please', 'hi'])('that ask for help show it at once: %s', async (text) => {
    const reply = await replyTo(text);
    expect(reply).toContain('Press an example, or type it.');
    expect(reply).not.toContain('I read: ');
  });

  it('of thanks get a word, and no command', async () => {
    const reply = await replyTo('Thanks!');
    expect(reply).toContain('You’re welcome.');
    expect(reply).not.toContain('/report');
  });

  it.each([
    ['overdue except Sales in Berlin', 'clear what to leave out.'],
    ['how am I doing compared with my team', 'Answers are compared with the period before'],
    ['learning hours each month', 'A line over time needs a report and its units'],
    ['send completions and workshops every monday at 9', 'A schedule has one report.'],
    ['completions and workshops', 'These are two requests.'],
  ])(
    'that no command can say are refused with what they ask, and nothing is offered: %s',
    async (text, said) => {
      const reply = await replyTo(text);
      expect(reply).toContain(said);
      expect(reply).not.toMatch(/I read: |"Run"|Run this/);
    },
  );

  it.each([
    ['how are my people doing', 'engagement · your team · last week'],
    [
      'who hasn’t done Fire Safety',
      'content \\"Fire Safety\\" · with rows · assigned since 1 January of last year',
    ],
    ['what is due for my team', 'due assignments · your team · next 7 days'],
  ])('are read with the usual range: %s', async (text, words) => {
    expect(await replyTo(text)).toContain(words);
  });

  it('that name a person get a hint to type the address', async () => {
    const hint = 'type the email address';
    expect(await replyTo('is Grace Hopper overdue')).toContain(hint);
    expect(await replyTo('overdue in Narnia')).not.toContain(hint);
  });

  it.each([
    ['and last month?', '/report engagement last-month'],
    ['only Sales', '/report engagement departments:Sales'],
    ['last month', '/report engagement last-month'],
  ])('that lack a report say so, and how to name it: %s', async (text, command) => {
    const reply = await replyTo(text);
    expect(reply).toContain(
      'I don’t know which report you mean. Name it, or write in the thread of an answer:',
    );
    expect(reply).toContain(command);
    expect(reply).not.toContain('/report list');
  });

  it.each([
    ['assignment last-week', '“assignment”', '/report assignments last-week'],
    ['engagement department:Sales', '“department:”', '/report engagement departments:Sales'],
    ['enagement lst-week csvv', '“enagement”', '/report engagement last-week csv'],
    ['overdue every munday at 9', '“munday”', '/report schedule overdue weekly mon 9'],
    ['save last-week: tracks', '“last-week”', 'begins with a range'],
    ['engagement departments:', 'departments:', 'needs a value'],
    ['engagement tomorrow', '“tomorrow”', 'last-week'],
  ])('that are misspelt are quoted: %s', async (text, quoted, command) => {
    const reply = await replyTo(text);
    expect(reply).not.toContain('I read: ');
    expect(reply).toContain(quoted);
    expect(reply).toContain(command);
  });
});

describe('offers', () => {
  const sentences = [
    'who is overdue',
    'who is overdue in Sales as csv',
    'overdue with their emails and managers',
    'overdue by manager',
    'overdue in my team',
    'my overdue trainings',
    'list the completions of Sales last month, every monday at 9',
    'overdue every monday in my team',
    'who is overdue in Xanadu',
    'who has nt finished GDPR in Sales',
  ];
  const address = 'ada@example.com';

  it.each(['everything', 'team', 'totals', 'nothing'] as const)(
    'to a reader with the level %s are not refused when pressed',
    async (level) => {
      for (const sentence of sentences) {
        const { deliver, calls } = bot({ level });
        await deliver(slash(sentence));
        for (const command of offeredIn(calls)) {
          const parsed = parseCommand(command, { savedNames: [] });
          if (!parsed.ok) throw new Error(`Not a command: ${command}`);
          const what = parsed.value.kind === 'schedule' ? parsed.value.what : parsed.value;
          if (!('request' in what)) continue;
          const { request } = what;
          const scope = scopeOf(
            request,
            { level, address },
            {
              destination: 'other',
              released: new Set(),
              smallestGroup: 5,
              me: address,
            },
          );
          expect({ sentence, command, scope }).toMatchObject({ scope: { ok: true } });
        }
      }
    },
  );

  it('of totals say that they list nobody', async () => {
    const { deliver, calls } = bot({ level: 'totals' });
    await deliver(slash('who is overdue in Sales'));
    expect(offeredIn(calls)).toContain('overdue departments:Sales');
    expect(JSON.stringify(calls)).toContain('You may see totals only here, so no people are listed.');
  });

  it('are none where nothing is left, with the reason', async () => {
    const { deliver, calls } = bot({ level: 'totals' });
    await deliver(slash('overdue in my team'));
    expect(offeredIn(calls)).toEqual([]);
    expect(JSON.stringify(calls)).toContain('leave out any filter on people');
  });

  describe('to somebody to whom nobody reports', () => {
    const noTeam = (manages: boolean | undefined) =>
      bot({ changes: { managers: { manages: () => manages, known: () => manages } } });
    const reason = 'Nobody reports to ada@example.com';

    it.each([
      'overdue in my team',
      'my team’s overdue every monday',
      'overdue manager_email:me departmnets:Sales',
    ])('are none about the own team, with the reason: %s', async (text) => {
      const { deliver, calls } = noTeam(false);
      await deliver(slash(text));
      expect(offeredIn(calls)).toEqual([]);
      expect(JSON.stringify(calls)).toContain(reason);
    });

    it.each(['help', 'help overdue', 'help assignments', 'hello'])(
      'are none about the own team in the reply to “%s”',
      async (text) => {
        const { deliver, calls } = noTeam(false);
        await deliver(slash(text));
        expect(JSON.stringify(calls)).toContain('/report');
        expect(JSON.stringify(calls)).not.toMatch(/manager_email:me|my team/i);
      },
    );

    it.each([true, undefined])('are there where it is known otherwise, or not yet: %s', async (manages) => {
      const { deliver, calls } = noTeam(manages);
      await deliver(slash('overdue in my team'));
      expect(offeredIn(calls)).toContain('overdue manager_email:me');
      await deliver(slash('help'));
      expect(JSON.stringify(calls)).toContain('due next-week manager_email:me');
    });
  });
});

/** The commands that buttons of a reply run. */
function offeredIn(calls: readonly unknown[]): readonly string[] {
  const buttons = [
    ...JSON.stringify(calls).matchAll(/"action_id":"run_words[^"]*".*?"value":"((?:[^"\\]|\\.)*)"/g),
  ];
  return buttons.map(([, value = '']) => JSON.parse(`"${value}"`) as string);
}

describe('while the first look at names is under way', () => {
  /** A first look that takes so long. */
  function lookOf(takesMs: number) {
    let isOver = false;
    const waited: number[] = [];
    const within = async (ms: number) => {
      waited.push(ms);
      if (ms < takesMs) return;
      isOver = true;
      await remember('t-1', 9, 'track_id', 'Safe Online');
    };
    return { waited, firstLooks: { ended() {}, areOver: () => isOver, within } };
  }

  async function askedDuring(takesMs: number, sentence: string) {
    const { firstLooks, waited } = lookOf(takesMs);
    const { deliver, calls } = bot({ changes: { firstLooks } });
    await deliver(slash(sentence));
    return { offered: offeredIn(calls), text: JSON.stringify(calls), waited };
  }

  it('a sentence with a title waits for it a little', async () => {
    const { offered, text, waited } = await askedDuring(2_000, 'who finished Safe Online');
    expect(waited).toEqual([4_000]);
    expect(offered).toEqual(['tracks only:completed track:"Safe Online" rows']);
    expect(text).not.toContain('for the first time');
  });

  it('and is read in each way that it can be where the look takes longer, and the reply says so', async () => {
    const { offered, text } = await askedDuring(60_000, 'who finished Safe Online');
    expect(offered).toEqual([
      'assignments only:completed content:"Safe Online" rows',
      'completions content:"Safe Online" rows',
      'tracks only:completed track:"Safe Online" rows',
    ]);
    expect(text).toContain('I am reading the titles of your reports for the first time');
  });

  it.each(['what is overdue', 'wer hat die Schulung noch nicht gemacht', 'thanks'])(
    '%s: names nothing, and does not wait',
    async (sentence) => {
      const { waited, text } = await askedDuring(60_000, sentence);
      expect(waited).toEqual([]);
      expect(text).not.toContain('for the first time');
    },
  );

  it('nothing waits once titles of all kinds are known', async () => {
    for (const [list, title] of [
      ['track_id', 'Safe Online'],
      ['content_id', 'GDPR basics'],
      ['assessment_id', 'Security Quiz'],
      ['workshop_id', 'Mindful Tuesdays'],
    ] as const)
      await remember('i-1', 9, list, title);
    expect(await askedDuring(60_000, 'who finished Safe Online')).toMatchObject({
      offered: ['tracks only:completed track:"Safe Online" rows'],
      waited: [],
    });
  });
});

describe('known names', () => {
  beforeEach(async () => {
    await remember('Secret', 4);
    await remember('c-1', 4, 'content_id', 'Hidden basics');
  });

  async function readAt(level: Level, sentence: string) {
    const { deliver, calls } = bot({ level, changes: { smallestGroup: 5 } });
    await deliver(slash(sentence));
    return JSON.stringify(calls);
  }

  it('are those that the asker may see', async () => {
    expect(await readAt('everything', 'overdue in Secret')).toContain('I read: ');
    expect(await readAt('everything', 'who is overdue on Hidden')).toContain('Hidden basics');
    for (const level of ['team', 'totals'] as const) {
      expect(await readAt(level, 'overdue in Secret')).toContain("I don't understand “Secret”");
      expect(await readAt(level, 'who is overdue on Hidden')).not.toContain('Hidden basics');
      expect(await readAt(level, 'overdue in Sales')).toContain('I read: ');
    }
  });

  it('are none for those who may ask nothing', async () => {
    expect(await readAt('nothing', 'overdue in Sale')).not.toContain('departments:Sales');
    expect(await readAt('everything', 'overdue in Sale')).toContain('departments:Sales');
  });

  it('are not told to guests', async () => {
    const people = { find: async () => ({ standing: 'guest' }), invalidate() {} };
    const { deliver, calls } = bot({ changes: { people } as never });
    await deliver(slash('overdue in Sales'));
    expect(JSON.stringify(calls)).toContain('Guests cannot ask for reports.');
    expect(JSON.stringify(calls)).not.toContain('departments:Sales');
  });
});

describe('a sentence in a thread', () => {
  const manager = { object: 'user_filter', member: 'manager_email', entries: ['bob@example.com'] };

  async function answered(request: ReportRequest, asker = 'U1') {
    const id = await store.requestLog.record({ channel: 'C1', asker, request, requestedAt: 1 });
    const held = { id, worker: null };
    await store.ledger.markPosting(held, { rows: 1, late: false });
    await store.ledger.markPosted(held, { message: { channel: 'C1', ts: '4.4' }, fileFollows: false }, 2);
  }

  async function replyTo(sentence: string, choices: Bot = {}) {
    const { deliver, calls } = bot(choices);
    await deliver(mention(sentence));
    const [reply] = calls.filter(({ method }) => method === 'chat.postEphemeral');
    expect(reply?.args).toMatchObject({ channel: 'C1', user: 'U1', thread_ts: '4.4' });
    return JSON.stringify(reply?.args);
  }

  const lastWeek: ReportRequest = { ...plainRequest('engagement'), range: 'last-week' };
  const ofBob = { ...lastWeek, filters: [manager] };
  const notApproved = { changes: { personLevelChannels: [] } };

  it('takes what it does not say from the answer', async () => {
    await answered(lastWeek, 'U2');
    expect(await replyTo('only Sales')).toContain('/report engagement last-week departments:Sales');
    expect(await replyTo('and last month?')).toContain('/report engagement last-month');
  });

  it('takes people from an answer only where the reader may see them', async () => {
    await answered(ofBob, 'U2');
    const refused = await replyTo('by team', notApproved);
    expect(refused).toContain('You may not repeat the answer above');
    expect(refused).not.toContain('bob@example.com');
    expect(await replyTo('by team')).toContain('manager_email:bob@example.com');
  });

  it('takes people from the reader’s own answer anywhere', async () => {
    await answered(ofBob);
    expect(await replyTo('by team', notApproved)).toContain('manager_email:bob@example.com');
  });

  it('takes nothing that the level of the reader does not allow', async () => {
    await answered({ ...lastWeek, showRows: true }, 'U2');
    expect(await replyTo('by team', { level: 'totals' })).toContain('You may not repeat the answer above');
    expect(await replyTo('overdue by team please', { level: 'totals' })).not.toContain('above');
  });

  it('takes nothing from an answer that was deleted, and says so', async () => {
    await answered(lastWeek);
    const refuses = (method: string) => (method === 'chat.getPermalink' ? 'message_not_found' : undefined);
    expect(await replyTo('by team', { refuses })).toContain('The answer above was deleted');
  });
});
