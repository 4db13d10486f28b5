import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateOptionsAnswer } from '../../../playground/slack/server/validator/validate.js';
import { Failure } from '../../../src/errors/failure.js';
import { startCounting } from '../../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../../src/reporting-api/answer/read-answer.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import type { Query, ReadOptions, ReportSource } from '../../../src/runner/ports.js';
import type { BuilderDraft } from '../../../src/slack/forms/draft.js';
import { valuesOf } from '../../../src/slack/forms/read-draft.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, payloadFor, shownModal, submissionOf } from './listener-test-app.js';

const folder = freshFolder();
let store: Store<BuilderDraft>;
beforeEach(async () => {
  store = await openStore<BuilderDraft>(folder.path('rollcall.db'), Date.now);
  await store.useWorkspace('T1');
});
afterEach(() => store.close());

type Answer = (query: Query, options: ReadOptions) => Promise<readonly object[]>;

interface Offered {
  readonly text: { readonly text: string };
  readonly value: string;
}

const records = (...titles: string[]) =>
  titles.map((title, index) => ({ content_id: `c${index + 1}`, content_title: title }));

/** The bot with an open builder of a request, and a service. */
async function formOf(
  request: ReportRequest,
  { level = 'everything', answer }: { level?: string; answer?: Answer } = {},
) {
  const queries: Query[] = [];
  const source: ReportSource = {
    async read(query, plan, options) {
      queries.push(query);
      const found = (await answer?.(query, options)) ?? [];
      const reading = new AnswerStream(plan, startCounting);
      await reading.beginAnswer();
      await reading.write(Buffer.from(JSON.stringify(found)));
      await reading.endAnswer();
      return reading.finish();
    },
  };
  const access = {
    accessOf: async () => ({ level, address: 'ada@example.com' }),
    isAdmin: async () => false,
  };
  const bot = listeningBot({ store: store as Store, changes: { source, access, smallestGroup: 1 } as never });
  const here = { channel: 'C1', kind: 'member', mayNamePeople: true, at: bot.parts.clock.now() } as const;
  const open = (purpose = 'run') =>
    store.builderDrafts.open(
      'U1',
      { values: { ...valuesOf(request), purpose }, here },
      bot.parts.clock.now(),
    );
  const draft = await open();
  return {
    ...bot,
    queries,
    open,
    async offered(text: string, block = 'titles-content:assignments') {
      const payload = payloadFor({ kind: 'options', name: 'builder_titles' });
      const view = shownModal('builder', draft, {});
      const { acks, ackedAfterMs } = await bot.deliver({
        ...payload,
        block_id: block,
        value: text,
        view,
      } as never);
      const [answer] = acks as { options: readonly Offered[] }[];
      expect(validateOptionsAnswer(answer)).toEqual([]);
      expect(ackedAfterMs).toBeLessThan(3_000);
      return (answer?.options ?? []).map((one) => [one.text.text, one.value]);
    },
    async submit(purpose = 'run') {
      const { acks } = await bot.deliver(
        submissionOf(
          shownModal('builder', await open(purpose), {
            'titles-content:assignments': {
              type: 'multi_external_select',
              selected_options: [
                {
                  text: { type: 'plain_text', text: (request.titles?.[0]?.text ?? '').slice(0, 75) },
                  value: request.titles?.[0]?.id ?? 'open:0',
                },
              ],
            },
          }),
        ) as never,
      );
      return acks;
    },
  };
}

const assignments = plainRequest('assignments');
const know = (...titles: string[]) =>
  store.suggestions.add(
    titles.map((title, index) => ({ list: 'content_id', entry: `k${index + 1}`, title, people: 9 })),
    Date.now(),
  );

describe('the suggestions of titles', () => {
  it('come from recent answers, by any part of the title, without a query', async () => {
    await know('GDPR basics', 'Fire and GDPR', 'Résumé');
    const { offered, queries } = await formOf(assignments);
    expect(await offered('gdpr')).toEqual([
      ['GDPR basics', 'k1'],
      ['Fire and GDPR', 'k2'],
    ]);
    expect(await offered('RESUME')).toEqual([['Résumé', 'k3']]);
    expect(await offered('')).toHaveLength(3);
    expect(queries).toEqual([]);
  });

  it('come from the service where no recent answer has the text, with the range and filters of the form', async () => {
    const request = {
      ...assignments,
      range: 'last-week',
      filters: [{ object: 'user_filter', member: 'departments', entries: ['Sales'] }],
    };
    const { offered, queries } = await formOf(request, {
      answer: async () => records('GDPR basics', 'Fire'),
    });
    expect(await offered('gdpr')).toEqual([['GDPR basics', 'c1']]);
    expect(queries[0]?.body).toEqual({
      content_id: true,
      content_title: true,
      user_filter: { departments: 'Sales' },
      range_target: 'assigned_date',
    });
    // The answer is remembered.
    expect(await offered('fire')).toEqual([['Fire', 'c2']]);
    expect(queries).toHaveLength(1);
  });

  it('are the nearest where nothing has the text', async () => {
    const { offered } = await formOf(assignments, { answer: async () => records('GDPR basics', 'Fire') });
    expect(await offered('gpdr')).toEqual([['GDPR basics', 'c1']]);
  });

  it('are none for a single letter, at the level `nothing`, and while the service is away', async () => {
    const { offered, queries } = await formOf(assignments, { answer: async () => records('GDPR') });
    expect(await offered('g')).toEqual([]);
    const refused = await formOf(assignments, { level: 'nothing', answer: async () => records('GDPR') });
    expect(await refused.offered('gdpr')).toEqual([]);
    expect([queries, refused.queries]).toEqual([[], []]);
    const away = await formOf(assignments, {
      answer: async () => {
        throw new Failure('service-unreachable', { reason: 'refused', systemCode: 'ECONNREFUSED' });
      },
    });
    expect(await away.offered('gdpr')).toEqual([]);
    expect(away.logged).toEqual([]);
  });

  it('do not wait for a slow service, and use what it finds later', async () => {
    let finish = () => {};
    const { offered, queries } = await formOf(assignments, {
      answer: () =>
        new Promise((resolve) => {
          finish = () => resolve(records('GDPR basics'));
        }),
    });
    expect(await offered('gdpr')).toEqual([]);
    finish();
    await expect.poll(() => offered('gdpr')).toEqual([['GDPR basics', 'c1']]);
    expect(queries.length).toBeGreaterThan(0);
  });

  it('end a search when the person types on', async () => {
    const ended: string[] = [];
    const form = await formOf(assignments, {
      answer: (query, { signal }) =>
        new Promise((resolve, reject) => {
          if (ended.length > 0) return resolve(records('GDPR basics'));
          signal.addEventListener('abort', () => {
            ended.push(query.operation);
            reject(signal.reason);
          });
        }),
    });
    const first = form.offered('gd');
    await expect.poll(() => form.queries.length).toBe(1);
    expect(await form.offered('gdpr')).toEqual([['GDPR basics', 'c1']]);
    expect(await first).toEqual([]);
    expect(ended).toEqual(['assignment-summary']);
    expect(form.parts.running.lengths()).toEqual({ running: 0, waiting: 0 });
  });
});

describe('a submitted form', () => {
  const titled = (text: string, id?: string) => ({
    ...assignments,
    titles: [{ option: 'content' as const, text, id }],
  });

  it('with a title that several things have says so at its field', async () => {
    await know('GDPR basics', 'GDPR for managers');
    const { submit, queries } = await formOf(titled('gdpr'));
    expect(await submit()).toEqual([
      {
        response_action: 'errors',
        errors: {
          'titles-content:assignments':
            '2 titles match “gdpr”. Choose one. “GDPR basics” or “GDPR for managers”?',
        },
      },
    ]);
    expect(queries).toEqual([]);
  });

  it('with a title that no recent answer has is asked about once it has closed', async () => {
    const { submit, calls, queries } = await formOf(titled('gdpr'), {
      answer: async () => records('GDPR basics', 'GDPR for managers'),
    });
    expect(await submit()).toEqual([undefined]);
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]).toMatchObject({ method: 'chat.postEphemeral', args: { channel: 'C1', user: 'U1' } });
    expect(JSON.stringify(calls[0]?.args.blocks)).toContain(
      '"value":"assignments content:\\"GDPR basics\\""',
    );
    expect(queries).toHaveLength(1);
  });

  it('has the full title of a recent answer', async () => {
    const long = `GDPR ${'basics '.repeat(30)}`.trim();
    await know(long);
    const { submit } = await formOf(titled(long.slice(0, 74), 'k1'));
    expect(await submit()).toEqual([undefined]);
    await expect
      .poll(async () => (await store.requestLog.recentOf('U1', 1))[0]?.request.titles)
      .toEqual([{ option: 'content', text: long, id: 'k1' }]);
  });
});
