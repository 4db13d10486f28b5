import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateMessage } from '../../playground/slack/server/validator/validate.js';
import { Failure } from '../../src/errors/failure.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { quoteEntry } from '../../src/requests/tokens.js';
import type { Query, ReadPlan, ReportSource } from '../../src/runner/ports.js';
import type { Suggestion } from '../../src/runner/suggestions.js';
import { refusedBlocks } from '../../src/slack/delivery/post-message.js';
import { commandActions } from '../../src/slack/messages/blocks.js';
import { digestActions } from '../../src/slack/messages/digests.js';
import { noticeActions } from '../../src/slack/messages/notices.js';
import { openStore, type Store } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';
import { listeningBot, payloadFor, pressOf } from './listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
  await store.useWorkspace('T1');
});
afterEach(() => store.close());

type Behaviour = (query: Query, options: { readonly signal: AbortSignal }) => Promise<readonly object[]>;

/** The bot with a service that answers with these records. `searches` are its queries for titles, `runs` all others. */
function bot({ level = 'everything', answer = async () => [] }: { level?: string; answer?: Behaviour } = {}) {
  const searches: Query[] = [];
  const runs: Query[] = [];
  const source: ReportSource = {
    async read(query, plan: ReadPlan, options) {
      (plan.titles ? searches : runs).push(query);
      const records = await answer(query, options);
      const reading = new AnswerStream({ ...plan, file: undefined }, startCounting);
      await reading.beginAnswer();
      await reading.write(Buffer.from(JSON.stringify(records)));
      await reading.endAnswer();
      return reading.finish();
    },
  };
  const access = {
    accessOf: async () => ({ level, address: 'ada@example.com' }),
    isAdmin: async () => false,
  };
  const refused = refusedBlocks(() => 0);
  const listening = listeningBot({
    store,
    changes: { source, access, refused, scheduler: { checkNow() {} } } as never,
  });
  return {
    ...listening,
    searches,
    runs,
    /** What the asker alone sees, as text, and the buttons of it. */
    said: () =>
      listening.calls
        .filter(({ method }) => method === 'response_url' || method === 'chat.postEphemeral')
        .map(({ args }) => String(args.text)),
    buttons: () => listening.calls.flatMap(({ args }) => buttonsOf(args.blocks)),
    posts: () => listening.calls.filter(({ method }) => method === 'chat.postMessage'),
    type: (text: string) =>
      listening.deliver({ ...payloadFor({ kind: 'command', name: '/report' }), text } as never),
    press: (action: string, value: string) => listening.deliver(pressOf(action, value) as never),
  };
}

type Pressable = {
  readonly action_id: string;
  readonly text: { readonly text: string };
  readonly value: string;
};

function buttonsOf(blocks: unknown): { action: string; text: string; value: string }[] {
  const all = (blocks ?? []) as { readonly type: string; readonly elements?: readonly Pressable[] }[];
  return all
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements = [] }) => elements)
    .map(({ action_id: action, text: { text }, value }) => ({ action, text, value }));
}

const know = (...values: Suggestion[]) => store.suggestions.add(values, Date.now());
const departments = (...entries: string[]): Suggestion[] =>
  entries.map((entry) => ({ list: 'departments', entry, people: 9 }));

describe('an entry that no answer has held', () => {
  beforeEach(() => know(...departments('Sales', 'Field Operations')));

  it('is asked about, to the asker alone, and nothing is run or recorded', async () => {
    const { type, said, buttons, posts, runs } = bot();
    await type('assignments last-week departments:Sale');
    expect(said()).toEqual([
      'No answer has held “Sale” in Departments. Did you mean “Sales”?\n/report assignments last-week departments:Sales',
    ]);
    expect(buttons()).toEqual([
      { action: commandActions.runWords, text: 'Run this', value: 'assignments last-week departments:Sales' },
      {
        action: commandActions.runAsTyped,
        text: 'Run it as typed',
        value: 'assignments last-week departments:Sale',
      },
      {
        action: commandActions.openBuilder,
        text: 'Open the form',
        value: 'assignments last-week departments:Sale',
      },
    ]);
    expect([posts(), runs]).toEqual([[], []]);
    expect(await store.requestLog.recentOf('U1', 5)).toEqual([]);
  });

  it('runs put right, or as typed, by a button', async () => {
    const { press, said, runs } = bot();
    await press(commandActions.runWords, 'assignments departments:Sales');
    await press(commandActions.runAsTyped, 'assignments departments:Sale');
    expect(said()).toEqual([]);
    const asked = runs.map(({ body }) => JSON.stringify(body.user_filter));
    expect(asked).toContain('{"departments":"Sales"}');
    expect(asked).toContain('{"departments":"Sale"}');
  });

  it('is put right with all others at once, in the words that were typed', async () => {
    const { type, buttons } = bot();
    await type('assignments user.departments:Sale,"Feild  Operations" csv');
    expect(buttons()[0]?.value).toBe('assignments user.departments:Sales,"Field Operations" csv');
  });

  it('is asked about before a report is saved or scheduled', async () => {
    const { type, buttons, press } = bot();
    await type('save Mine: assignments departments:Sale');
    await type('schedule assignments departments:Sale skip-empty daily 9');
    await type('schedule assignments departments:Sale keep:7d when overdue>50 daily 9');
    expect(buttons().map(({ text, value }) => [text, value])).toEqual([
      ['Save this', 'save Mine: assignments departments:Sales'],
      ['Save it as typed', 'save Mine: assignments departments:Sale'],
      ['Open the form', 'save Mine: assignments departments:Sale'],
      ['Schedule this', 'schedule assignments departments:Sales skip-empty daily 9'],
      ['Schedule it as typed', 'schedule assignments departments:Sale skip-empty daily 9'],
      ['Open the form', 'schedule assignments departments:Sale skip-empty daily 9'],
      ['Schedule this', 'schedule assignments departments:Sales keep:7d when overdue>50 daily 9'],
      ['Schedule it as typed', 'schedule assignments departments:Sale keep:7d when overdue>50 daily 9'],
      ['Open the form', 'schedule assignments departments:Sale keep:7d when overdue>50 daily 9'],
    ]);
    expect(await store.savedReports.namesIn('C1')).toEqual([]);
    await press(commandActions.runAsTyped, 'save Mine: assignments departments:Sale');
    expect(await store.savedReports.namesIn('C1')).toEqual(['Mine']);
  });

  it('of a saved report is not asked about, and what is typed on top of it is', async () => {
    const { type, buttons, runs, press } = bot();
    await press(commandActions.runAsTyped, 'save Mine: assignments departments:Sale');
    await type('Mine last-week');
    expect(runs.length).toBeGreaterThan(0);
    const before = runs.length;
    await type('Mine departments:Sals');
    expect(runs).toHaveLength(before);
    expect(buttons().at(-3)?.value).toBe('Mine departments:Sales');
  });

  it('is not asked about where the level refuses the report', async () => {
    const { type, said, runs } = bot({ level: 'nothing' });
    await type('assignments departments:Sale');
    expect(said()).toEqual([expect.stringContaining('You may not ask for this report')]);
    expect(runs).toEqual([]);
  });
});

const content = (...titles: string[]) =>
  titles.map((title, index) => ({ content_id: `c${index + 1}`, content_title: title }));

describe('a title', () => {
  it('that one thing has runs, by its identifier', async () => {
    await know({ list: 'content_id', entry: 'c7', title: 'GDPR basics', people: 9 });
    const { type, searches, runs } = bot();
    await type('assignments content:gdpr');
    expect(searches).toEqual([]);
    expect(runs[0]?.body).toMatchObject({ assignment_filter: { content_id: 'c7' } });
    const [entry] = await store.requestLog.recentOf('U1', 1);
    expect(entry?.request.titles).toEqual([{ option: 'content', text: 'GDPR basics', id: 'c7' }]);
  });

  it('that several have is a choice of commands, and nothing runs', async () => {
    const { type, said, buttons, runs, posts } = bot({
      answer: async () => content('GDPR basics', 'GDPR, for managers'),
    });
    await type('assignments last-week content:gdpr csv');
    expect(said()[0]).toContain('2 titles match “gdpr”. Choose one.');
    expect(buttons().map(({ text, value }) => [text, value])).toEqual([
      ['GDPR basics', 'assignments last-week content:"GDPR basics" csv'],
      ['GDPR, for managers', 'assignments last-week content:"GDPR, for managers" csv'],
      ['Open the form', 'assignments last-week content:gdpr csv'],
    ]);
    expect([runs, posts()]).toEqual([[], []]);
  });

  it('that was offered runs without a second search', async () => {
    const { type, buttons, press, searches, runs } = bot({
      answer: async () => content('GDPR basics', 'GDPR, for managers'),
    });
    await type('assignments content:gdpr');
    for (const { value } of buttons().slice(0, 2)) await press(commandActions.runWords, value);
    expect(searches).toHaveLength(1);
    const filters = runs.map(({ body }) => JSON.stringify(body.assignment_filter));
    expect([...new Set(filters)]).toEqual(['{"content_id":"c1"}', '{"content_id":"c2"}']);
  });

  it('that several have keeps the entries as typed where the asker wanted that', async () => {
    await know(...departments('Sales'));
    const { press, buttons, runs } = bot({ answer: async () => content('GDPR basics', 'GDPR II') });
    await press(commandActions.runAsTyped, 'assignments departments:Sale content:gdpr');
    const [first] = buttons();
    expect(first?.text).toBe('GDPR basics');
    await press(first?.action ?? '', first?.value ?? '');
    expect(runs[0]?.body).toMatchObject({ user_filter: { departments: 'Sale' } });
  });

  it('that two things share is told apart by its identifier', async () => {
    const { type, buttons, press, runs } = bot({ answer: async () => content('Onboarding', 'Onboarding') });
    await type('assignments content:onboarding');
    const [first, second] = buttons();
    expect([first?.text, second?.text]).toEqual(['Onboarding (content c1)', 'Onboarding (content c2)']);
    await press(commandActions.runWords, second?.value ?? '');
    expect(runs[0]?.body).toMatchObject({ assignment_filter: { content_id: 'c2' } });
  });

  it('that nothing has comes with the nearest', async () => {
    const { type, said, buttons, runs } = bot({ answer: async () => content('GDPR basics', 'Fire') });
    await type('assignments content:"gpdr basic"');
    expect(said()[0]).toContain('No content matches “gpdr basic”. This is the nearest.');
    expect(buttons()[0]).toMatchObject({ text: 'GDPR basics', value: 'assignments content:"GDPR basics"' });
    expect(runs).toEqual([]);
  });

  it('that nothing is near to says so, with a way out', async () => {
    const { type, said } = bot({ answer: async () => content('Fire') });
    await type('assignments content:"<!channel> `x`"');
    expect(said()).toEqual([expect.stringMatching(/^No content here matches .*choose a longer range\.$/)]);
    expect(said()[0]).not.toContain('<!channel>');
  });

  it.each([
    ['markup', '<!channel> <@U1|x> *bold* `code` &amp;'],
    ['quotes', '"straight" “curly” ‘single’'],
    ['commas', 'one, two,three'],
    ['turned text', '\u202Eesrever\u202C \u05E9\u05DC\u05D5\u05DD'],
    ['3,000 characters', `long ${'x'.repeat(2_990)}`],
    ['other scripts', '安全教育 हिन्दी Ελληνικά 🎣'],
    ['control characters', 'a\u0000b\u0007c'],
    ['the words of a command', 'overdue departments:Sales csv to:me'],
  ])('with %s is offered within the limits of Slack, and runs', async (_what, title) => {
    const { type, buttons, calls, press, runs } = bot({ answer: async () => content(title, `${title} II`) });
    await type(`assignments content:${quoteEntry(title.slice(0, 20).trim())}`);
    const [first] = buttons();
    for (const { args } of calls) {
      const { text, blocks } = args;
      expect(validateMessage({ text, blocks })).toEqual([]);
      expect(String(text)).not.toContain('<!channel>');
    }
    await press(first?.action ?? '', first?.value ?? '');
    expect(runs[0]?.body).toMatchObject({ assignment_filter: { content_id: 'c1' } });
  });

  it('of 3,000 characters that nothing has is refused in a short sentence', async () => {
    const { type, said, runs } = bot({ answer: async () => content('GDPR basics') });
    await type(`assignments content:"${'y '.repeat(1_500)}"`);
    expect(said()[0]?.length).toBeLessThan(300);
    expect(runs).toEqual([]);
  });

  it('is saved and scheduled with the thing that it names', async () => {
    await know({ list: 'content_id', entry: 'c7', title: 'GDPR basics', people: 9 });
    const { type, buttons, press } = bot();
    await type('save Mine: assignments content:gdpr');
    const found = [{ option: 'content', text: 'GDPR basics', id: 'c7' }];
    const saved = await store.savedReports.findByName('C1', 'Mine');
    expect(saved?.request.titles).toEqual(found);
    await type('schedule assignments content:gdpr daily 9');
    const confirm = buttons().find(({ action }) => action === digestActions.confirm);
    await press(digestActions.confirm, confirm?.value ?? '');
    const [digest] = await store.digests.inChannel('C1', 1, 0);
    expect(digest?.request.titles).toEqual(found);
  });

  it('is not searched where the level refuses the report, also for saving', async () => {
    const { type, said, searches } = bot({ level: 'nothing' });
    await type('assignments content:gdpr');
    await type('save Mine: assignments content:gdpr');
    expect(said()).toEqual([
      expect.stringContaining('You may not ask for this report'),
      expect.stringContaining('You may not ask for this report'),
    ]);
    expect(searches).toEqual([]);
    expect(await store.savedReports.namesIn('C1')).toEqual([]);
  });

  it('is searched among the records of the asker’s team where rows are asked for', async () => {
    const { type, searches } = bot({ level: 'team' });
    await type('assignments content:gdpr csv');
    expect(searches[0]?.body).toMatchObject({
      user_filter: { manager_email: 'ada@example.com' },
      email: true,
      manager_email: true,
    });
  });

  it('says what went wrong with the service, and can be tried again', async () => {
    const { type, said, buttons } = bot({
      answer: async () => {
        throw new Failure('service-unreachable', { reason: 'refused', systemCode: 'ECONNREFUSED' });
      },
    });
    await type('assignments content:gdpr');
    expect(said()[0]).toContain('The Reporting Service cannot be reached');
    expect(buttons()).toEqual([
      { action: commandActions.runWords, text: 'Try again', value: 'assignments content:gdpr' },
    ]);
  });

  it('is searched as one of the asker’s requests, which they can cancel', async () => {
    const listening = bot({
      answer: (_query, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    });
    const { type, press, said, buttons, parts } = listening;
    const typed = type('assignments content:gdpr');
    await expect.poll(() => parts.running.lengths().running).toBe(1);
    // An erasure of somebody else leaves it alone, though no log knows it.
    await parts.running.endUnwanted({ stillWanted: async () => [], cancelled: async () => [] });
    await expect.poll(() => buttons().length).toBe(1);
    const [{ action = '', value = '' } = {}] = buttons();
    expect(action).toBe(noticeActions.cancel);
    await press(action, value);
    await typed;
    expect(said().at(-1)).toContain('Cancelled: /report assignments content:gdpr');
    expect(parts.running.lengths()).toEqual({ running: 0, waiting: 0 });
  });
});
