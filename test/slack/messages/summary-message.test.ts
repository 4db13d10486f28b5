import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportNamed } from '../../../src/catalogue/index.js';
import { formatFinding } from '../../../src/figures/summary/finding.js';
import { formatSummary } from '../../../src/figures/summary/summary.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { escaped } from '../../../src/slack/markup.js';
import { keyFigureBlocks, summaryVariants } from '../../../src/slack/messages/summary.js';
import {
  figuresOf,
  fixedAnswers,
  nameOf,
  planFor,
  resultOf,
  sixRequests,
} from '../../figures/fixed-answers.js';
import { anyAnswer } from '../../figures/random-answers.js';
import { propertyRuns } from '../../property-runs.js';
import { asker, expectGood, inputOf, leavesOf, markedTexts, objectsIn } from './messages.js';
import { renderedMessage } from './rendered.js';

/** The fullest message. */
const summaryMessage = (input: Parameters<typeof summaryVariants>[0]) => summaryVariants(input)[0];

/** A summary of a fixed answer with changes, as a person asks for it. */
function fixedResult(request: ReportRequest) {
  const answer = fixedAnswers[request.report];
  return resultOf(request, answer(60), { before: answer(45), people: true });
}

describe('the summary of a fixed answer', () => {
  test.each(sixRequests.map((request) => [nameOf(request), request] as const))(
    '%s: in a channel, in a direct message and as text alone',
    async (name, request) => {
      const result = fixedResult(request);
      const inChannel = summaryMessage(inputOf(result));
      const direct = summaryMessage(inputOf(result, { isDirect: true }));
      const text = summaryVariants(inputOf(result)).at(-1);
      for (const message of [inChannel, direct]) expectGood(message);
      expect(text?.blocks).toBeUndefined();
      expect(text?.text).toBe(inChannel.text);
      const shared = renderedMessage(inChannel).split('\n\n');
      const onlyDirect = renderedMessage(direct)
        .split('\n\n')
        .filter((block) => !shared.includes(block));
      const rendered = [
        ...shared,
        '=== Only in a direct message',
        ...(onlyDirect.length > 0 ? onlyDirect : ['(nothing)']),
        '=== As text',
        text?.text,
      ].join('\n\n');
      await expect(`${rendered}\n`).toMatchFileSnapshot(`summaries/${name}.txt`);
    },
  );
});

describe('a summary that is limited', () => {
  const result = fixedResult(plainRequest('assignments'));

  test.each([
    ['team', undefined, 'Limited to your team'],
    ['self', undefined, 'Your own records'],
    ['team', true, "Limited to the owner's team"],
    ['self', true, "The owner's own records"],
  ] as const)('to %s says so above the figures and in the text', (rows, isDigest, said) => {
    const input = inputOf({ ...result, scope: { rows } }, { isDigest });
    const { blocks, text } = summaryMessage(input);
    const head = blocks?.find(({ type }) => type === 'context');
    expect(JSON.stringify(head)).toContain(said);
    expect(text).toContain(said);
  });

  test('and one that is not says nothing', () => {
    const { blocks, text } = summaryMessage(inputOf({ ...result, scope: { rows: 'all' } }));
    expect(JSON.stringify([blocks, text])).not.toMatch(/Limited to|own records/);
  });
});

describe('every block of a summary', () => {
  const messages = sixRequests.flatMap((request) =>
    [false, true].map((isDirect) => summaryMessage(inputOf(fixedResult(request), { isDirect }))),
  );
  const all = messages.flatMap(({ blocks }) => objectsIn(blocks));
  const ofType = (type: string) => all.filter((part) => part.type === type);

  test('shows text unchanged, without emoji and links', () => {
    expect(ofType('plain_text').length).toBeGreaterThan(80);
    expect(ofType('plain_text').filter(({ emoji }) => emoji !== false)).toEqual([]);
    expect(ofType('mrkdwn').length).toBeGreaterThan(50);
    expect(ofType('mrkdwn').filter(({ verbatim }) => verbatim !== true)).toEqual([]);
  });

  test('escapes titles of the service only where Slack reads markup', () => {
    const result = fixedResult(plainRequest('assignments'));
    const message = summaryMessage(inputOf(result, { isDirect: true }));
    expect(message.text).toContain('Selling &lt;b&gt;better&lt;/b&gt;');
    const list = objectsIn(message.blocks).find(({ type }) => type === 'rich_text_list');
    expect(JSON.stringify(list)).toContain('Selling <b>better</b>');
  });

  test('draws each chart over its own categories', () => {
    const charts = ofType('data_visualization');
    expect(charts.length).toBeGreaterThanOrEqual(messages.length / 2);
    for (const { chart } of charts) {
      const { axis_config, series } = chart as {
        axis_config: { categories: string[] };
        series: { data: { label: string }[] }[];
      };
      expect(axis_config.categories.length).toBeLessThanOrEqual(20);
      for (const { data } of series) expect(data.map(({ label }) => label)).toEqual(axis_config.categories);
    }
  });
});

describe('for any answer', () => {
  test('every variant is valid, and mentions only the asker', () => {
    fc.assert(
      fc.property(anyAnswer, fc.boolean(), ({ plan, records }, isDirect) => {
        const request = {
          ...plainRequest(plan.report),
          view: plan.view,
          states: plan.states,
        };
        const result = { ...resultOf(request, []), figures: figuresOf(plan, records) };
        for (const message of summaryVariants(inputOf(result, { isDirect }))) expectGood(message);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('the text contains every figure that is shown', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const request = {
          ...plainRequest(plan.report),
          view: plan.view,
          states: plan.states,
        };
        const result = { ...resultOf(request, []), figures: figuresOf(plan, records) };
        if (result.figures.counted < 2) return;
        const { keyFigures } = formatSummary(result, { withPeople: false });
        for (const isDirect of [false, true])
          for (const { text } of summaryVariants(inputOf(result, { isDirect })))
            for (const { label } of keyFigures) expect(text).toContain(`${label}: `);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('what people type into a command', () => {
  const hostile: readonly (readonly [what: string, words: string])[] = [
    ['marks and mentions', '<!channel> <@U999> <#C1|x> <http://a.test|b> & *bold* _it_ ~no~ `code` :tada:'],
    ['3,000 quotes', '"'.repeat(3_000)],
    ['6,000 characters that escaping makes longer', '<&>'.repeat(2_000)],
    ['direction and control characters', '\u202egnp.exe\u0007\u001b[31m\u2028next'],
    ['halves of characters', '\ud83d'.repeat(700)],
    ['a formula', '=HYPERLINK("http://evil.test")'],
  ];

  test.each(hostile)('%s stay text', (_, words) => {
    for (const request of sixRequests) {
      const [filter] = reportNamed(request.report).filters;
      const [member] = filter?.members ?? [];
      const filters =
        filter && member ? [{ object: filter.name, member: member.name, entries: [words, words] }] : [];
      for (const size of [0, 1, 60]) {
        const result = resultOf({ ...request, filters }, fixedAnswers[request.report](size), {
          people: true,
        });
        const input = inputOf(result, { command: `/report ${words}`, remarks: [words], isDirect: true });
        for (const message of summaryVariants(input)) {
          expect(markedTexts(message.blocks).join(' ')).not.toContain(words);
          expectGood(message);
        }
      }
    }
  });
});

describe('the shape follows the size', () => {
  const engagement = plainRequest('engagement');
  const types = (size: number, more: Parameters<typeof inputOf>[1] = {}) =>
    summaryMessage(
      inputOf(
        resultOf(
          engagement,
          fixedAnswers.engagement(size).map((row, n) => ({ ...row, userid: `u${n}` })),
          { people: size > 1 },
        ),
        more,
      ),
    ).blocks?.map(({ type }) => type);

  test('nothing found: one sentence and likely reasons', () => {
    const filters = [{ object: 'user_filter', member: 'departments', entries: ['Sails'] }];
    const { text, blocks } = summaryMessage(inputOf(resultOf({ ...engagement, filters }, [])));
    expect(blocks?.map(({ type }) => type)).toEqual([
      'rich_text',
      'context',
      'context',
      'rich_text',
      'actions',
    ]);
    expect(text).toMatch(/^Engagement last week: no people found\./);
    expect(text).toContain('The filters may match nothing');
    expect(text).toContain('tell your admin: the service may need identifiers');
    expect(text).toContain('The range may be too early');
  });

  test('nothing overdue is good news, not a failure', () => {
    const result = resultOf({ ...plainRequest('assignments'), view: 'overdue' }, [
      { assignment_status: 'completed' },
    ]);
    expect(summaryMessage(inputOf(result)).text).toMatch(/^Overdue assignments: none among 1 assignment\./);
  });

  test('one row: one sentence, and neither figures nor chart nor table', () => {
    for (const isDirect of [false, true]) expect(types(1, { isDirect })).toEqual(oneRow);
    const overdue = { ...plainRequest('assignments'), view: 'overdue' } as const;
    const late = [{ first_name: 'Ada', due_date: '2026-11-01' }, { assignment_status: 'completed' }];
    const { text } = summaryMessage(inputOf(resultOf(overdue, late, { people: true }), { isDirect: true }));
    expect(text.match(/Ada/g)).toHaveLength(1);
  });

  test('many rows in a channel: four figures and one chart', () => {
    expect(types(120)).toEqual([
      'rich_text',
      'context',
      'section',
      'data_visualization',
      'rich_text',
      'actions',
    ]);
  });

  test('many rows in a direct message: people in place of the chart, and first', () => {
    expect(types(60, { isDirect: true })).toEqual([
      'rich_text',
      'context',
      'rich_text',
      'section',
      'rich_text',
      'actions',
    ]);
  });

  test('a breakdown in a direct message: its chart, because people would not fit beside it', () => {
    const request = { ...plainRequest('assignments'), by: 'departments' };
    const input = inputOf(resultOf(request, fixedAnswers.assignments(60), { people: true }), {
      isDirect: true,
    });
    const { blocks, text } = summaryMessage(input);
    expect(blocks?.map(({ type }) => type)).toContain('data_visualization');
    expect(text).not.toContain('Longest overdue');
  });

  const oneRow = ['rich_text', 'context', 'rich_text', 'actions'];
});

describe('in a channel', () => {
  const messages = sixRequests.map((request) => {
    const result = fixedResult(request);
    return {
      says: formatFinding(result, { withPeople: false }, new Map()).says,
      words: formatSummary(result, { withPeople: false }),
      message: summaryMessage(inputOf(result)),
    };
  });

  test('the finding is bold and comes first, in the blocks and in the text', () => {
    for (const { words, message } of messages) {
      expect(message.blocks?.[0]).toMatchObject({
        elements: [{ elements: [{ text: words.finding, style: { bold: true } }] }],
      });
      expect(message.text.startsWith(escaped(`${words.finding}.`))).toBe(true);
    }
  });

  test('at most four figures, each with a value, and none that the finding says', () => {
    for (const { words, says } of messages) {
      expect(words.keyFigures.length).toBeGreaterThan(0);
      expect(words.keyFigures.length).toBeLessThanOrEqual(4);
      for (const { id, value } of words.keyFigures) {
        expect(value).not.toMatch(/^(?:0|–)(?: |$)/);
        expect(says).not.toContain(id);
      }
    }
  });

  test('no list, no table and no header', () => {
    for (const { message } of messages)
      for (const type of ['rich_text_list', 'data_table', 'header'])
        expect(leavesOf(message.blocks)).not.toContain(type);
  });

  test('the text says the figures in the order of the blocks, with words for arrows', () => {
    for (const { words, message } of messages) {
      expect(message.text).toMatch(/\nPress Details for all figures, the table and what they mean\.$/);
      const places = [words.finding, ...words.keyFigures.map(({ label }) => `${label}: `), '/report'].map(
        (part) => message.text.indexOf(escaped(part)),
      );
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(Math.min(...places)).toBe(0);
      expect(message.text).not.toMatch(/[▲▼]/);
    }
  });
});

describe('a figure', () => {
  const shown = (label: string, value: string, short: string) => {
    const change = { short, long: short, words: short, decimals: 0 };
    return JSON.stringify(keyFigureBlocks([{ id: 'figure', label, value, change }]));
  };

  test('has its counts where they fit in a line, or are small', () => {
    expect(shown('On time', '63% (476 of 757)', '▲ 1 point')).toContain('63% (476 of 757)');
    const long = shown('Completed on time', '63% (476 of 757)', '▲ 1 point');
    expect(long).toContain('*Completed on time*  63%  _▲ 1 point_');
    expect(shown('Completed on time', '43% (18 of 42)', '▼ 3 points')).toContain('43% (18 of 42)');
  });
});

describe('a chart', () => {
  const barsOf = (counts: readonly number[]) => {
    const records = counts.flatMap((overdue, content) =>
      Array.from({ length: Math.max(1, overdue) }, () => ({
        content_title: `Content ${content}`,
        assignment_status: 'not_started',
        due_date: overdue > 0 ? '2026-11-01' : '2027-11-01',
      })),
    );
    return formatSummary(resultOf(plainRequest('assignments'), records), { withPeople: false }).visual;
  };

  test('has five bars, and says of how many', () => {
    const visual = barsOf([9, 8, 7, 6, 5, 4, 3]);
    expect(visual?.chart).toMatchObject({
      title: 'Overdue by content, top 5 of 7',
      series: [{ values: [9, 8, 7, 6, 5] }],
    });
  });

  test('says of no more lines than there are where smaller groups share one', () => {
    const people = (content: number, many: number) =>
      Array.from({ length: many }, (_, person) => ({
        userid: `u${person}`,
        content_title: `Content ${content}`,
        assignment_status: 'not_started',
        due_date: '2026-11-01',
      }));
    const request = plainRequest('assignments');
    const records = [9, 8, 2, 2, 2, 2, 2].flatMap((many, content) => people(content, many));
    const plan = { ...planFor(request, false), smallestGroup: 5 };
    const figures = { ...figuresOf(plan, records) };
    const { visual } = formatSummary({ ...resultOf(request, records), figures }, { withPeople: false });
    expect(visual?.line).toContain('smaller groups');
    expect(visual?.chart?.title ?? visual?.line).not.toMatch(/\d of \d/);
  });

  test('of fewer than three bars that are not zero is a line in words', () => {
    expect(barsOf([2, 1, 0])).toEqual({ line: 'Overdue by content: Content 0 2, Content 1 1' });
    expect(barsOf([3, 2, 1])?.chart).toBeDefined();
    expect(barsOf([0, 0, 0])).toBeUndefined();
  });

  test('by date is a line', () => {
    const records = ['2026-09-02', '2026-10-03', '2026-11-04'].map((due_date) => ({ due_date }));
    const by = { ...plainRequest('assignments'), by: 'due_date' };
    expect(formatSummary(resultOf(by, records), { withPeople: false }).visual?.chart?.shape).toBe('line');
  });
});

describe('the zone', () => {
  const input = inputOf(fixedResult(plainRequest('engagement')));
  const head = (zone: string | undefined) => JSON.stringify(summaryMessage({ ...input, zone }).blocks?.[1]);

  test('is named where it is not that of the readers', () => {
    expect(head('Europe/Berlin')).not.toContain('Berlin');
    expect(head('Asia/Tokyo')).toContain('9–15 Nov 2026 (Europe/Berlin)');
    expect(head(undefined)).toContain('9–15 Nov 2026 (Europe/Berlin)');
  });
});

describe('variants with fewer blocks', () => {
  const result = resultOf(plainRequest('completions'), fixedAnswers.completions(60));
  const variants = summaryVariants(inputOf(result, { isDirect: true }));

  test('full, without charts, without tables, text alone', () => {
    const has = (type: string) => variants.map(({ blocks }) => leavesOf(blocks).includes(type));
    expect(has('data_visualization')).toEqual([true, false, false, false]);
    expect(variants.map(({ blocks }) => blocks !== undefined)).toEqual([true, true, true, false]);
  });

  test('the numbers of a chart stay as text without it', () => {
    for (const { blocks } of summaryVariants(inputOf(result)).slice(1, 3))
      expect(JSON.stringify(blocks)).toContain('9 Nov 10, 10 Nov 10');
    expect(variants[3]?.text).toContain('9 Nov 10, 10 Nov 10');
  });

  test('the text names the asker and the command', () => {
    const text = summaryVariants(inputOf(result)).at(-1)?.text;
    expect(text).toContain(`Asked by <@${asker}>`);
    expect(text).toContain('/report completions');
    // In direct messages it is the reader's own.
    expect(JSON.stringify(variants)).not.toContain(asker);
  });
});

describe('people', () => {
  const request = { ...plainRequest('assignments'), view: 'overdue' as const };
  const result = resultOf(request, fixedAnswers.assignments(60), { people: true });

  test('are named only in direct messages, and never in shared messages', () => {
    const named = JSON.stringify(summaryVariants(inputOf(result, { isDirect: true })));
    const shared = JSON.stringify(summaryVariants(inputOf(result, { isDirect: false })));
    expect(named).toContain('Longest overdue');
    expect(named).toContain('Moreau');
    expect(shared).not.toContain('Moreau');
    expect(shared).not.toContain('example.test');
  });

  test('not even where the answer has a single row', () => {
    const one = resultOf(plainRequest('engagement'), fixedAnswers.engagement(2).slice(1), { people: true });
    expect(JSON.stringify(summaryVariants(inputOf(one, { isDirect: true })))).toContain('Moreau');
    expect(JSON.stringify(summaryVariants(inputOf(one)))).not.toContain('Moreau');
  });

  test('the longest overdue come first', () => {
    const listed = result.figures.people?.listed.map(({ value }) =>
      value?.kind === 'amount' ? value.amount : -1,
    );
    expect(listed).toEqual([...(listed ?? [])].sort((a, b) => b - a));
    expect(listed).toHaveLength(10);
  });
});

test('only the given buttons appear', () => {
  const result = resultOf(plainRequest('tracks'), fixedAnswers.tracks(12), {});
  const none = summaryMessage(inputOf(result, { buttons: [] }));
  expect(leavesOf(none.blocks)).not.toContain('actions');
  const share = summaryMessage(inputOf(result, { buttons: [{ kind: 'share', value: 'ask-7' }] }));
  expect(share.blocks?.at(-1)).toMatchObject({
    type: 'actions',
    elements: [{ action_id: 'ask_share', value: 'ask-7', text: { text: 'Share to channel' } }],
  });
});

test('an invalid user ID is no mention', () => {
  const result = resultOf(plainRequest('tracks'), fixedAnswers.tracks(12));
  const message = summaryMessage(inputOf(result, { askedBy: '!channel' }));
  expect(JSON.stringify(message)).not.toContain('!channel');
});
