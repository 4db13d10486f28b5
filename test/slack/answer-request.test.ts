import { WebAPIRequestError, type WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Level } from '../../src/access/levels.js';
import type { AccessEvent } from '../../src/access/record.js';
import { Failure } from '../../src/errors/failure.js';
import { partsFor } from '../../src/logging/logger.js';
import { plainRequest } from '../../src/requests/request.js';
import type { ReadOptions } from '../../src/runner/ports.js';
import { type AnswerParts, answerRequest } from '../../src/slack/answers/answer-request.js';
import { type AnswerOptions, answerRightsOf, recentAnswersOf } from '../../src/slack/answers/answer-run.js';
import { editBudget } from '../../src/slack/answers/progress.js';
import { runningRequests } from '../../src/slack/answers/running-requests.js';
import type { MemberContext } from '../../src/slack/context/request-context.js';
import { refusedBlocks } from '../../src/slack/delivery/post-message.js';
import type { FileDestination } from '../../src/slack/delivery/upload.js';
import { databaseUnusable } from '../../src/store/database/errors.js';
import { RecordedElsewhere } from '../../src/store/requests/request-log.js';
import { figuresOf } from '../figures/fixed-answers.js';

const request = { ...plainRequest('engagement'), range: 'last-week' };
const member = { id: 'U1', zone: 'Europe/Berlin', email: 'U1@example.com' };
const context: MemberContext = {
  asker: 'U1',
  member,
  requestId: 'ID',
  channel: 'C1',
  typed: 'engagement last-week',
};

interface Setup {
  readonly standing?: string;
  readonly isMember?: boolean;
  readonly level?: Level;
  /** The confirmed address of the asker. */
  readonly address?: string;
  /** Channels that may get person-level data. */
  readonly approved?: readonly string[];
  /** The record of access cannot be written. */
  readonly recordIsBroken?: boolean;
  readonly smallestGroup?: number;
  /** What the service returns; each is a person with some views. */
  readonly people?: readonly string[];
  /** Called when the service is queried. */
  readonly onQuery?: (options: ReadOptions) => Promise<void>;
  readonly onPost?: () => Promise<unknown>;
  /** Called when the request is recorded. */
  readonly onRecord?: () => Promise<void>;
  /** Called before a state is marked in the ledger. */
  readonly onMark?: (state: string) => void;
}

/** Parts without Slack, service or database. Each one records its calls. */
function setUp({
  standing = 'member',
  isMember = true,
  level = 'everything',
  address,
  approved = [],
  recordIsBroken,
  smallestGroup = 1,
  people = [],
  ...calls
}: Setup = {}) {
  const { onQuery, onPost, onRecord, onMark } = calls;
  const journal: string[] = [];
  let requests = 0;
  const queries: { range?: unknown; body: Readonly<Record<string, unknown>> }[] = [];
  const mark = (state: string) => async () => {
    onMark?.(state);
    journal.push(state);
    return true;
  };
  const ledger = {
    markPosting: mark('posting'),
    markPosted: mark('posted'),
    markFailed: mark('failed'),
    markCancelled: mark('cancelled'),
    markUnconfirmed: mark('unconfirmed'),
  };
  const lastFigures = { find: async () => undefined, save: vi.fn(async () => {}) };
  const chat = {
    async postMessage({ channel, text, blocks }: { channel: string; text: string; blocks?: object[] }) {
      posted.push(JSON.stringify(blocks));
      journal.push(`message to ${channel}: ${text.split('\n')[0]}`);
      await onPost?.();
      return { ok: true, channel, ts: '2.2' };
    },
    async postEphemeral({ user, text, blocks }: { user: string; text: string; blocks?: object[] }) {
      shownToAsker.push(JSON.stringify(blocks));
      journal.push(`only to ${user}: ${text}`);
      return { ok: true };
    },
    async update({
      channel,
      ts,
      text,
      blocks,
    }: {
      channel: string;
      ts: string;
      text: string;
      blocks?: object[];
    }) {
      posted.push(JSON.stringify(blocks));
      journal.push(`edit in ${channel}: ${text.split('\n')[0]}`);
      return { ok: true, channel, ts };
    },
    delete: async () => ({ ok: true }),
  };
  const recorded: AccessEvent[] = [];
  const events = {
    async append(event: AccessEvent) {
      if (recordIsBroken) throw new Error('disk full');
      if (event.kind === 'exported') journal.push('exported');
      recorded.push(event);
    },
  };
  const logged: string[] = [];
  const posted: string[] = [];
  const shownToAsker: string[] = [];
  /** Of each file; undefined where it has none. */
  const comments: (string | undefined)[] = [];
  const ended = vi.fn();
  const requestsChanged = vi.fn();
  const parts = {
    weekStart: 'monday',
    defaultZone: 'UTC',
    personLevelChannels: approved,
    access: { accessOf: async () => ({ level, address }) },
    smallestGroup,
    learningLinks: {},
    workspaceUrl: 'https://example.slack.com/',
    clock: { now: () => Date.parse('2026-11-20T12:00:00Z') },
    log: { info() {}, warn() {}, error: (_details: object, message: string) => logged.push(message) },
    people: {
      find: async (id: string) => ({ id, standing, zone: 'Europe/Berlin', email: `${id}@example.com` }),
    },
    channels: {
      find: async () => ({ known: true, isMember, isShared: false, isArchived: false, isPrivate: false }),
      directWith: async () => 'D1',
    },
    store: {
      approvals: {
        isChannelApproved: async () => false,
        lostApproval: async () => false,
        releasedKeys: async () => [],
      },
      requestLog: {
        async record(_entry: unknown, _what: unknown, _id: unknown, { event }: { event?: AccessEvent } = {}) {
          await onRecord?.();
          if (event) await events.append(event);
        },
        isOfThisProcess: async () => true,
        stillWanted: async (ids: readonly string[]) => ids,
      },
      suggestions: { remember: async () => {} },
      ledger,
      lastFigures,
      answerTotals: { keep: async () => {} },
      events,
    },
    source: {
      async read(query, plan, options) {
        queries.push(query);
        await onQuery?.(options);
        options.signal.throwIfAborted();
        const records = people.map((email) => ({ user_id: email, email, views: 3 }));
        const figures = plan.figures && figuresOf(plan.figures, records);
        const cells = people.map((text) => ({ cells: [{ text }] }));
        const rows = plan.rows && {
          columns: [{ flag: 'email', label: 'Email' }],
          total: people.length,
          listed: cells,
        };
        // The look for a team of the asker, which is a year of assignments, finds one.
        const isTeamLook = !plan.figures && !plan.file;
        return {
          records: isTeamLook ? 1 : people.length,
          figures,
          rows,
          file: plan.file && { path: plan.file.path, bytes: 3, columns: [] },
        };
      },
    } satisfies AnswerParts['source'],
    share: vi.fn(async () => async ({ channel, thread, comment }: FileDestination) => {
      comments.push(comment);
      journal.push(`file to ${channel} ${thread ?? ''}`.trim());
      return { fileId: 'F1' };
    }),
    files: { pathFor: (id: string) => `/answers/${id}.csv`, remove: vi.fn(async () => {}) },
    client: { chat } as unknown as WebClient,
    edits: editBudget(30, () => 0),
    refused: refusedBlocks(() => 0),
    recentAnswers: recentAnswersOf(),
    running: runningRequests(),
    ended,
    requestsChanged,
    handOver: async () => false,
  } as unknown as AnswerParts & { files: { remove: () => Promise<void> } };
  const standingIs = (now: string) => {
    standing = now;
  };
  const answer = (changes: Partial<typeof request> = {}, options?: AnswerOptions) => {
    requests += 1;
    const requestId = requests === 1 ? 'ID' : `ID${requests}`;
    return answerRequest(
      { ...request, ...changes },
      { ...context, requestId },
      partsFor(requestId, parts),
      options,
    );
  };
  return {
    answer,
    standingIs,
    parts,
    journal,
    queries,
    lastFigures,
    ended,
    requestsChanged,
    recorded,
    logged,
    comments,
    posted,
    shownToAsker,
  };
}

describe('many requests of one person', () => {
  it('run three at a time, and the 14th is refused with the way on', async () => {
    const running = new Set<AbortSignal>();
    let most = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { answer, journal } = setUp({
      onQuery: async ({ signal }) => {
        running.add(signal);
        most = Math.max(most, running.size);
        await held;
        running.delete(signal);
      },
    });
    const all = Array.from({ length: 14 }, () => answer());
    await vi.waitFor(() =>
      expect(journal).toEqual([
        'only to U1: You have 3 requests running and 10 waiting. Cancel one, or wait until one ends.',
      ]),
    );
    expect(running.size).toBe(3);
    release();
    await Promise.all(all);
    expect(journal.filter((line) => line.startsWith('message to C1'))).toHaveLength(13);
    expect(most).toBe(3);
  });
});

describe('answering a request', () => {
  it('records the request, runs it and posts the summary, in this order', async () => {
    const { answer, journal, ended, requestsChanged, lastFigures } = setUp();
    await answer();
    expect(journal).toEqual(['posting', expect.stringMatching(/^message to C1: Engagement/), 'posted']);
    expect(ended).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ report: 'engagement', outcome: 'answered', records: 0 }),
    );
    expect(requestsChanged.mock.calls).toEqual([['U1'], ['U1']]);
    expect(lastFigures.save).toHaveBeenCalledTimes(1);
  });

  it('sends a file with person-level columns to direct messages, and notifies the asker', async () => {
    const { answer, journal } = setUp();
    await answer({ file: 'csv' as const });
    expect(journal.filter((line) => line.startsWith('file'))).toEqual(['file to D1']);
    expect(journal.at(-1)).toMatch(/^only to U1: /);
  });

  it('posts only the file, in the thread of the summary, if only the file is requested', async () => {
    const { answer, journal } = setUp();
    await answer(
      { report: 'workshops', columns: ['workshop_title'], file: 'csv' as const },
      { fileInto: '1.1' },
    );
    expect(journal).toEqual(['posting', 'exported', 'file to C1 1.1', 'posted']);
  });

  it.each([
    ['team', '1.1', 'For <@U1>: Limited to your team.'],
    ['team', undefined, 'For <@U1>: Limited to your team.'],
    ['everything', '1.1', undefined],
  ] as const)('says above the file whose rows it has: %s, into %s', async (level, fileInto, comment) => {
    const { answer, journal, comments } = setUp({ level, address: 'u1@example.com', approved: ['C1'] });
    await answer({ file: 'csv' as const }, fileInto && { fileInto });
    expect(journal).toContain(`file to C1 ${fileInto ?? '2.2'}`);
    expect(comments).toEqual([comment]);
  });

  it.each([
    ['team', 'csv', false],
    ['team', undefined, true],
    ['everything', 'csv', true],
  ] as const)(
    'offers to share a summary about everybody only: %s, file: %s',
    async (level, file, isOffered) => {
      const { answer, posted } = setUp({ level, address: 'u1@example.com' });
      await answer({ file, toMe: true });
      expect(posted[0]?.includes('Share to channel')).toBe(isOffered);
    },
  );

  it('says above a file in direct messages whose rows it has', async () => {
    const { answer, comments } = setUp({ level: 'team', address: 'u1@example.com' });
    await answer({ file: 'csv' as const });
    expect(comments).toEqual(['The file for /report engagement last-week. Limited to your team.']);
  });

  it('sends a direct message if the bot is not a member, and notifies the asker', async () => {
    const { answer, journal } = setUp({ isMember: false });
    await answer();
    expect(journal.filter((line) => line.startsWith('message'))).toEqual([
      expect.stringMatching(/^message to D1: Engagement/),
    ]);
  });

  it('runs with the zone, the “me” and the range of an earlier answer', async () => {
    const { answer, queries, lastFigures } = setUp();
    const range = { words: 'today', zone: 'UTC', from: 10, until: 20, firstDay: '', lastDay: '' };
    const filters = [{ object: 'user_filter', member: 'email', entries: ['me'] }];
    await answer({ filters }, { me: 'U2', range, isRepeat: true });
    expect(queries[0]).toMatchObject({
      range: { from: 10, until: 20 },
      body: { user_filter: { email: 'U2@example.com' } },
    });
    expect(lastFigures.save).not.toHaveBeenCalled();
  });
});

describe('rows', () => {
  const people = ['eve@example.com', 'mallory@example.com'];
  const showRows = { showRows: true } as const;

  it('are in the summary where the channel may get them', async () => {
    const { answer, journal, posted } = setUp({ people, approved: ['C1'] });
    await answer(showRows);
    expect(journal).toEqual(['posting', expect.stringMatching(/^message to C1: Engagement/), 'posted']);
    expect(posted[0]).toContain('data_table');
    expect(posted[0]).toContain('eve@example.com');
  });

  it('go to the asker elsewhere, with one line there and a way to ask for approval', async () => {
    const { answer, journal, posted } = setUp({ people });
    await answer(showRows);
    expect(journal).toEqual([
      'posting',
      expect.stringMatching(/^message to C1: Engagement/),
      'posted',
      'posting',
      'message to D1: The rows of /report engagement last-week',
      'posted',
      'only to U1: The rows name people, so they are in your direct messages with me.',
    ]);
    expect(posted[0]).not.toContain('eve@example.com');
    expect(posted[1]).toContain('eve@example.com');
    expect(posted[1]).toContain('"action_id":"ask_csv"');
    expect(posted[1]).toContain('"action_id":"ask_xlsx"');
  });

  it('are in the file alone where a file goes to the direct messages', async () => {
    const { answer, journal, posted } = setUp({ people });
    await answer({ ...showRows, file: 'csv' as const });
    expect(journal).toContain('file to D1');
    expect(posted).toHaveLength(1);
    expect(posted[0]).not.toContain('data_table');
  });

  it('of columns that name people are wholly in the direct messages', async () => {
    const { answer, journal, posted } = setUp({ people });
    await answer({ columns: ['email'] });
    expect(journal.filter((line) => line.startsWith('message'))).toEqual([
      expect.stringMatching(/^message to D1: Engagement/),
    ]);
    expect(posted[0]).toContain('eve@example.com');
  });

  it('are limited to the team, and refused to somebody who may see totals only', async () => {
    const team = setUp({ people, level: 'team', address: 'u1@example.com' });
    await team.answer(showRows);
    expect(team.queries[0]?.body).toMatchObject({ user_filter: { manager_email: 'u1@example.com' } });
    expect(team.posted[1]).toContain('Limited to your team.');
    const totals = setUp({ people, level: 'totals', address: 'u1@example.com' });
    await totals.answer(showRows);
    expect(totals.queries).toEqual([]);
    expect(totals.journal.at(-1)).toContain('so leave out the rows.');
    expect(totals.shownToAsker.at(-1)).toContain('"value":"engagement last-week"');
  });

  it('whose delivery nobody knows are not sent again, and their asker is told, where no mark can be written', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let posts = 0;
    const { answer, journal } = setUp({
      people,
      async onPost() {
        posts += 1;
        if (posts > 1) throw new WebAPIRequestError(new Error('socket hang up'));
      },
      onMark(state) {
        if (state === 'unconfirmed') throw new Error('disk full');
      },
    });
    // Writes of outcomes are tried again for a while.
    await Promise.all([answer(showRows), vi.advanceTimersByTimeAsync(20_000)]);
    expect(posts).toBe(2);
    expect(journal.at(-1)).toMatch(/only to U1: Delivery of the file is unconfirmed/);
    expect(journal).not.toContain('failed');
  });

  it('of a small team come to its manager, even where the summary has no figures', async () => {
    const { answer, posted } = setUp({ people, level: 'team', address: 'u1@example.com', smallestGroup: 5 });
    await answer(showRows);
    expect(posted[0]).toContain('Fewer than 5 people match');
    expect(posted[0]).not.toContain('eve@example.com');
    expect(posted[1]).toContain('eve@example.com');
  });

  it('whose delivery nobody knows are not sent again', async () => {
    let posts = 0;
    const onPost = async () => {
      posts += 1;
      if (posts > 1) throw new WebAPIRequestError(new Error('socket hang up'));
    };
    const { answer, journal } = setUp({ people, onPost });
    await answer(showRows);
    expect(posts).toBe(2);
    expect(journal.slice(-2)).toEqual(['unconfirmed', expect.stringContaining('only to U1:')]);
  });

  it('are none where nothing was found', async () => {
    const { answer, journal } = setUp();
    await answer(showRows);
    expect(journal.filter((line) => line.startsWith('message'))).toHaveLength(1);
  });
});

describe('rights that completing a request has found out', () => {
  async function found() {
    const { parts } = setUp();
    const conversation = { channel: 'C1', kind: 'member', personLevel: 'not-approved' } as const;
    const asker = { id: 'U1', zone: 'UTC', email: 'U1@example.com' };
    return answerRightsOf(request, asker, conversation, parts);
  }

  it('are not looked up again before the queries, but before sending', async () => {
    const { answer, journal, parts } = setUp({ onQuery: async () => void steps.push('query') });
    const steps: string[] = [];
    const { accessOf } = parts.access;
    parts.access.accessOf = (...whose) => {
      steps.push('look');
      return accessOf(...whose);
    };
    await answer({}, { rights: await found() });
    expect(steps).toEqual(['query', 'query', 'look']);
    expect(journal.at(-1)).toBe('posted');
  });

  it('send nothing where they have ended since', async () => {
    const { answer, journal, recorded } = setUp({ level: 'nothing' });
    await answer({}, { rights: await found() });
    expect(recorded).toMatchObject([{ kind: 'asked', details: { level: 'everything' } }]);
    expect(journal).toEqual(['failed', expect.stringMatching(/^only to U1: /)]);
  });
});

describe('somebody who may no longer ask', () => {
  const standings = [
    ['guest', 'Guests cannot ask'],
    ['gone', 'Only people can ask'],
    ['outsider', 'Only members of this workspace'],
  ] as const;

  it.each(standings)('gets no answer: a %s when the report is made', async (standing, words) => {
    const setup = setUp({
      async onQuery() {
        setup.standingIs(standing);
      },
    });
    await setup.answer({ file: 'csv' as const });
    expect(setup.queries).not.toEqual([]);
    expect(setup.journal).toEqual(['failed', expect.stringContaining(`only to U1: ${words}`)]);
    expect(setup.parts.share).not.toHaveBeenCalled();
    expect(setup.lastFigures.save).not.toHaveBeenCalled();
  });

  it.each(standings)('gets no file: a %s once the summary is posted', async (standing, words) => {
    const setup = setUp({
      async onPost() {
        setup.standingIs(standing);
      },
    });
    await setup.answer({ file: 'csv' as const });
    expect(setup.journal.filter((line) => /^file|^exported/.test(line))).toEqual([]);
    expect(setup.journal.slice(-2)).toEqual(['failed', expect.stringContaining(`only to U1: ${words}`)]);
  });

  it.each(standings)('gets no file for which CSV was pressed: a %s', async (standing, words) => {
    const setup = setUp({
      async onQuery() {
        setup.standingIs(standing);
      },
    });
    await setup.answer({ file: 'csv' as const }, { fileInto: '1.1' });
    expect(setup.journal).toEqual(['failed', expect.stringContaining(`only to U1: ${words}`)]);
  });
});

describe('a request that is still being recorded', () => {
  /** A request that the service has answered, while its record waits for `end`. */
  async function answeredEarly() {
    let query: AbortSignal | undefined;
    let end = (_failure?: Error) => {};
    const recorded = new Promise<void>((resolve, reject) => {
      end = (failure) => (failure ? reject(failure) : resolve());
    });
    const setup = setUp({
      async onQuery({ signal }) {
        query = signal;
      },
      onRecord: () => recorded,
    });
    const answered = setup.answer({ file: 'csv' });
    await vi.waitFor(() => expect(query).toBeDefined());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(setup.journal).toEqual([]);
    expect(setup.requestsChanged).not.toHaveBeenCalled();
    return { ...setup, answered, end, query };
  }

  it('is queried, and answered once it is recorded', async () => {
    const { answered, journal, end } = await answeredEarly();
    end();
    await answered;
    expect(journal.slice(0, 2)).toEqual(['posting', expect.stringMatching(/^message to C1: Engagement/)]);
  });

  it('ends with its queries where it cannot be recorded, and its asker is told', async () => {
    const { answered, journal, parts, ended, end, query } = await answeredEarly();
    end(new Error('disk full'));
    await answered;
    expect(journal).toEqual([expect.stringMatching(/^only to U1: Something went wrong/)]);
    expect(query?.aborted).toBe(true);
    expect(parts.files.remove).toHaveBeenCalledWith('ID');
    expect(parts.running.cancel('ID', 'U1')).toBe('not-running');
    expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ outcome: 'failed' }));
  });

  it('is left to another process that has it, without a word', async () => {
    const { answered, journal, end, query } = await answeredEarly();
    end(new RecordedElsewhere());
    await answered;
    expect(journal).toEqual([]);
    expect(query?.aborted).toBe(true);
  });
});

describe('a full disk', () => {
  const full = () => databaseUnusable('rollcall.db', 'SQLITE_FULL');
  const sentence = 'only to U1: My database cannot be used: my disk is full. Tell your admin.';
  const failAt = (stage: string) => (state: string) => {
    if (state === stage) throw full();
  };

  beforeEach(() =>
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }),
  );
  afterEach(() => vi.useRealTimers());

  it.each<[string, Setup, readonly string[]]>([
    ['the record of the request', { onRecord: () => Promise.reject(full()) }, [sentence]],
    ['the mark before the post', { onMark: failAt('posting') }, ['failed', sentence]],
    [
      'the mark after the post',
      { onMark: failAt('posted') },
      [
        'posting',
        expect.stringMatching(/^edit in C1: Engagement/),
        expect.stringMatching(/^only to U1: .*posted/),
      ],
    ],
    [
      'the mark of a failure',
      { onQuery: unreachable, onMark: failAt('failed') },
      [expect.stringMatching(/^only to U1: The Reporting Service cannot be reached/)],
    ],
    [
      'the mark of a failure after one before the post',
      {
        onMark: () => {
          throw full();
        },
      },
      [sentence],
    ],
  ])('at %s: its asker is told, and nothing goes on', async (_stage, setup, expected) => {
    const { answer, journal, parts, ended } = setUp({
      ...setup,
      // Progress is shown by then.
      async onQuery(options) {
        await vi.advanceTimersByTimeAsync(3_500);
        await setup.onQuery?.(options);
      },
    });
    const answered = answer();
    // Writes of outcomes are tried again for a while.
    await Promise.all([answered, vi.advanceTimersByTimeAsync(20_000)]);
    expect(journal.filter((line) => !line.includes('Running'))).toEqual(expected);
    expect(vi.getTimerCount()).toBe(0);
    expect(parts.running.lengths()).toEqual({ running: 0, waiting: 0 });
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('that stops the record of several requests of a person leaves all their places free', async () => {
    const { answer, parts } = setUp({ onRecord: () => Promise.reject(full()) });
    for (let count = 0; count < 14; count += 1) await answer({ file: 'csv' as const });
    expect(vi.getTimerCount()).toBe(0);
    expect(parts.running.lengths()).toEqual({ running: 0, waiting: 0 });
    expect(parts.running.reserve('U1')).toBeDefined();
  });
});

describe('a request without an answer', () => {
  it.each([
    ['its range is refused', { range: 'since:2099-01-01' }, {}, 'range-refused'],
    ['the service cannot be reached', {}, { onQuery: unreachable }, 'service-unreachable'],
    ['something unexpected breaks', {}, { onQuery: () => Promise.reject(new Error('x')) }, 'unexpected'],
  ])('ends as failed where %s', async (_why, changes, setup: Setup, code) => {
    const { answer, journal, ended, parts } = setUp(setup);
    await answer({ ...changes, file: 'csv' });
    expect(journal).toEqual(['failed', expect.stringMatching(/^only to U1: /)]);
    expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ outcome: 'failed', code }));
    expect(parts.files.remove).toHaveBeenCalledWith('ID');
  });

  it('can be cancelled by its asker only', async () => {
    const setup = setUp({
      async onQuery() {
        expect(setup.parts.running.cancel('ID', 'U2')).toBe('not-theirs');
        expect(setup.parts.running.cancel('ID', 'U1')).toBe('cancelled');
      },
    });
    await setup.answer();
    expect(setup.journal).toEqual(['cancelled', 'only to U1: Cancelled: /report engagement last-week']);
    expect(setup.parts.running.cancel('ID', 'U1')).toBe('not-running');
  });

  it('ends when the bot stops: its asker is notified first, and no new run begins', async () => {
    let stopped: Promise<void> | undefined;
    const setup = setUp({
      async onQuery() {
        stopped = setup.parts.running.stop();
      },
    });
    await setup.answer();
    await stopped;
    expect(setup.journal).toEqual([expect.stringMatching(/^only to U1: /), 'failed']);
    await setup.answer();
    expect(setup.queries).toHaveLength(1);
  });

  it('notifies the asker if Slack cannot be reached to look up the conversation', async () => {
    const { answer, parts, journal, queries, requestsChanged } = setUp();
    parts.channels.find = () => Promise.reject(new Error('no connection'));
    await answer();
    expect(journal).toEqual([expect.stringMatching(/^message to U1: /)]);
    expect(queries).toEqual([]);
    expect(requestsChanged).toHaveBeenCalledExactlyOnceWith('U1');
  });
});

function unreachable() {
  return Promise.reject(
    new Failure('service-unreachable', { reason: 'refused', systemCode: 'ECONNREFUSED' }),
  );
}

describe('the record of access', () => {
  it('has one event of a request, with its level and whose rows', async () => {
    const { answer, recorded } = setUp();
    await answer();
    expect(recorded).toEqual([
      {
        kind: 'asked',
        at: expect.any(Number),
        person: 'U1',
        place: 'C1',
        report: 'engagement',
        subjects: [],
        details: expect.objectContaining({
          words: 'engagement last-week',
          origin: 'request',
          level: 'everything',
          rows: 'all',
        }),
      },
    ]);
  });

  it('has the people whom the filters name, and the file', async () => {
    const { answer, recorded } = setUp();
    const filters = [{ object: 'user_filter', member: 'email', entries: ['me', 'Eve@example.com'] }];
    await answer({ filters, file: 'csv' as const });
    expect(recorded.map(({ kind, subjects }) => [kind, subjects])).toEqual([
      ['asked', ['eve@example.com', 'u1@example.com']],
      ['exported', ['eve@example.com', 'u1@example.com']],
    ]);
    expect(recorded[1]).toMatchObject({
      place: 'D1',
      details: { rowCount: 0, people: 'named', level: 'everything' },
    });
  });

  it('has the file of somebody who pressed CSV', async () => {
    const { answer, recorded } = setUp();
    await answer(
      { report: 'workshops', columns: ['workshop_title'], file: 'csv' as const },
      { fileInto: '1.1' },
    );
    expect(recorded).toMatchObject([
      { kind: 'asked', details: { origin: 'file-button' } },
      { kind: 'exported', place: 'C1', details: { origin: 'file-button' } },
    ]);
  });

  it('has what was shared', async () => {
    const { answer, recorded } = setUp();
    await answer({}, { isShare: true, isRepeat: true });
    expect(recorded).toMatchObject([
      { kind: 'asked', details: { origin: 'share' } },
      { kind: 'shared', place: 'C1', details: { words: 'engagement last-week' } },
    ]);
  });

  it.each([
    ['the level', { level: 'nothing' }, 'nothing'],
    ['the level of a file', { level: 'totals' }, 'totals-only'],
  ] as const)('has a request that was refused because of %s', async (_why, setup, refused) => {
    const { answer, recorded, queries } = setUp(setup);
    await answer({ file: 'csv' as const });
    expect(queries).toEqual([]);
    expect(recorded).toMatchObject([{ kind: 'asked', person: 'U1', details: { refused } }]);
  });

  it('stops no answer if it cannot be written, and is logged', async () => {
    const { answer, journal, logged } = setUp({ recordIsBroken: true });
    await answer();
    expect(journal.filter((line) => line.startsWith('message'))).toHaveLength(1);
    expect(logged).toContain('An event could not be written to the record of access');
  });

  it('stops a file if it cannot be written', async () => {
    const { answer, parts, journal } = setUp({ recordIsBroken: true });
    await answer({ file: 'csv' as const });
    expect(parts.share).toHaveBeenCalled();
    expect(journal.filter((line) => line.startsWith('file'))).toEqual([]);
    expect(journal.at(-1)).toContain('The file was not sent, because it could not be recorded.');
  });
});

describe('an answer that cannot be edited', () => {
  afterEach(() => void vi.useRealTimers());

  /** The period before never comes. Resolves once the answer waits for it. */
  function setUpLate(isMember: boolean) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stopped = vi.fn();
    const replies: { readonly text: string }[] = [];
    const setup = setUp({
      isMember,
      people: ['eve@example.com', 'mallory@example.com'],
      async onQuery({ urgency, signal }) {
        if (urgency !== 'person-before') return;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        stopped();
      },
    });
    const responseUrl = {
      isOpen: () => true,
      toChannel: async (message: { readonly text: string }) => {
        replies.push(message);
        return { kind: 'posted', channel: '', ts: '' } as const;
      },
      toAsker: async ({ text }: { readonly text: string }) => {
        setup.journal.push(`only to U1: ${text}`);
        return { kind: 'posted', channel: '', ts: '' } as const;
      },
    };
    const ask = (options: AnswerOptions) =>
      answerRequest(request, { ...context, responseUrl: responseUrl as never }, setup.parts, options);
    return { ...setup, ask, replies, stopped };
  }

  it('waits five seconds for the period before where it goes through a response URL', async () => {
    const { ask, replies, journal, stopped } = setUpLate(false);
    const done = ask({});
    await vi.advanceTimersByTimeAsync(4_999);
    expect(replies).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(replies).toHaveLength(1);
    expect(replies[0]?.text).toContain('No changes: the period before was not read in time.');
    expect(stopped).toHaveBeenCalledTimes(1);
    expect(journal.slice(1)).toEqual(['posting', 'posted']);
  });

  it('is not posted where its asker becomes a guest while it waits', async () => {
    const { ask, replies, journal, standingIs } = setUpLate(false);
    const done = ask({});
    await vi.advanceTimersByTimeAsync(4_999);
    standingIs('guest');
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(replies).toEqual([]);
    expect(journal.slice(1)).toEqual(['failed', expect.stringContaining('only to U1: Guests cannot ask')]);
  });

  it('waits as long as the digest where it is its test', async () => {
    const { ask, journal, posted, stopped } = setUpLate(true);
    const done = ask({ isRepeat: true, isTest: true });
    await vi.advanceTimersByTimeAsync(19_999);
    expect(journal).not.toContain('posting');
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(posted.at(-1)).toContain('No changes: the period before was not read in time.');
    expect(stopped).toHaveBeenCalledTimes(1);
    const [progress, ...sent] = journal.filter((line) => !line.startsWith('edit in C1: Running'));
    expect(progress).toMatch(/^message to C1: Running/);
    expect(sent).toEqual(['posting', expect.stringMatching(/^edit in C1: Engagement/), 'posted']);
  });
});
