import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportNamed } from '../../../src/catalogue/index.js';
import { plainRequest } from '../../../src/requests/request.js';
import { summaryMessage, summaryVariants } from '../../../src/slack/messages/summary.js';
import { factsOf, figuresOf, fixedAnswers, nameOf, sixRequests } from '../../figures/fixed-answers.js';
import { anyAnswer } from '../../figures/random-answers.js';
import { asker, expectGood, inputOf, leavesOf, markedTexts } from './messages.js';

describe('each summary, of a fixed answer', () => {
  for (const request of sixRequests) {
    const facts = factsOf(request, fixedAnswers[request.report](60), {
      before: fixedAnswers[request.report](45),
      people: true,
    });

    test(`${nameOf(request)}, as it stands in a channel`, () => {
      const message = summaryMessage(inputOf(facts));
      expectGood(message);
      expect(message).toMatchSnapshot();
    });

    test(`${nameOf(request)}, in a direct message with the people to look at`, () => {
      const message = summaryMessage(inputOf(facts, { withPeople: true }));
      expectGood(message);
      expect(message.blocks?.slice(-5)).toMatchSnapshot();
    });

    test(`${nameOf(request)}, as text alone`, () => {
      const text = summaryVariants(inputOf(facts)).at(-1);
      expect(text?.blocks).toBeUndefined();
      expect(text?.text).toMatchSnapshot();
    });
  }
});

describe('whatever the answer', () => {
  test('every variant is one that Slack takes, and mentions nobody but the asker', () => {
    fc.assert(
      fc.property(anyAnswer, fc.boolean(), ({ plan, records }, withPeople) => {
        const request = { ...plainRequest(plan.report), overdueOnly: plan.overdueOnly };
        const facts = { ...factsOf(request, []), figures: figuresOf(plan, records) };
        for (const message of summaryVariants(inputOf(facts, { withPeople }))) expectGood(message);
      }),
      { numRuns: 300 },
    );
  });

  test('its text carries every key figure', () => {
    fc.assert(
      fc.property(anyAnswer, ({ plan, records }) => {
        const request = { ...plainRequest(plan.report), overdueOnly: plan.overdueOnly };
        const facts = { ...factsOf(request, []), figures: figuresOf(plan, records) };
        if (facts.figures.counted === 0) return;
        for (const { text } of summaryVariants(inputOf(facts)))
          for (const { label } of facts.figures.figures) expect(text).toContain(`${label}: `);
      }),
      { numRuns: 100 },
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
        const facts = factsOf({ ...request, filters }, fixedAnswers[request.report](size), { people: true });
        const input = inputOf(facts, { command: `/report ${words}`, remarks: [words], withPeople: true });
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
  const types = (size: number, request = engagement) =>
    summaryMessage(inputOf(factsOf(request, fixedAnswers[request.report](size)))).blocks?.map(
      ({ type }) => type,
    );

  test('nothing found: one line and the likeliest reasons', () => {
    const filters = [{ object: 'user_filter', member: 'departments', entries: ['Sails'] }];
    const { text, blocks } = summaryMessage(inputOf(factsOf({ ...engagement, filters }, [])));
    expect(blocks?.map(({ type }) => type)).toEqual([
      'header',
      'context',
      'section',
      'rich_text',
      'rich_text',
      'actions',
    ]);
    expect(text).toContain('No people were found.');
    expect(text).toContain('The filters may match nothing');
    expect(text).toContain('identifiers instead of names');
    expect(text).toContain('The range may be too early');
  });

  test('nothing overdue is good news, not a failure', () => {
    const facts = factsOf({ ...plainRequest('assignments'), overdueOnly: true }, [
      { assignment_status: 'completed' },
    ]);
    expect(summaryMessage(inputOf(facts)).text).toContain('Nothing is overdue among 1 assignment.');
  });

  test('one row: its fields, and neither chart nor table', () => {
    expect(types(1)).toEqual(['header', 'context', 'section', 'section', 'context', 'rich_text', 'actions']);
  });

  test('many: figures, findings, chart and table', () => {
    expect(types(60)).toEqual([
      'header',
      'context',
      'section',
      'rich_text',
      'data_visualization',
      'data_table',
      'context',
      'rich_text',
      'actions',
    ]);
  });
});

describe('the ladder of plainer variants', () => {
  const facts = factsOf(plainRequest('completions'), fixedAnswers.completions(60));
  const variants = summaryVariants(inputOf(facts));

  test('full, without charts, without tables, text alone', () => {
    const has = (type: string) => variants.map(({ blocks }) => leavesOf(blocks).includes(type));
    expect(has('data_visualization')).toEqual([true, false, false, false]);
    expect(has('data_table')).toEqual([true, true, false, false]);
    expect(variants.map(({ blocks }) => blocks !== undefined)).toEqual([true, true, true, false]);
  });

  test('what a chart showed stays in words without it', () => {
    for (const { blocks } of variants.slice(0, 3)) expect(JSON.stringify(blocks)).toContain('9 Nov ');
    expect(variants[3]?.text).toContain('9 Nov ');
  });

  test('text alone says who asked and what was typed', () => {
    expect(variants[3]?.text).toContain(`Asked by <@${asker}>`);
    expect(variants[3]?.text).toContain('/report completions');
  });
});

describe('people', () => {
  const request = { ...plainRequest('assignments'), overdueOnly: true };
  const facts = factsOf(request, fixedAnswers.assignments(60), { people: true });

  test('are named in direct messages alone, and never in what is shared', () => {
    const named = JSON.stringify(summaryVariants(inputOf(facts, { withPeople: true })));
    const shared = JSON.stringify(summaryVariants(inputOf(facts, { withPeople: false })));
    expect(named).toContain('Longest overdue');
    expect(named).toContain('Moreau');
    expect(shared).not.toContain('Moreau');
    expect(shared).not.toContain('example.test');
  });

  test('not even where the answer has a single row', () => {
    const one = factsOf(plainRequest('engagement'), fixedAnswers.engagement(2).slice(1), { people: true });
    expect(JSON.stringify(summaryVariants(inputOf(one, { withPeople: true })))).toContain('Moreau');
    expect(JSON.stringify(summaryVariants(inputOf(one)))).not.toContain('Moreau');
  });

  test('the longest overdue come first', () => {
    const listed = facts.figures.people?.listed.map(({ value }) =>
      value?.kind === 'amount' ? value.amount : -1,
    );
    expect(listed).toEqual([...(listed ?? [])].sort((a, b) => b - a));
    expect(listed).toHaveLength(10);
  });
});

test('only the buttons that were told are drawn', () => {
  const facts = factsOf(plainRequest('tracks'), fixedAnswers.tracks(12), {});
  const none = summaryMessage(inputOf(facts, { buttons: [] }));
  expect(leavesOf(none.blocks)).not.toContain('actions');
  const share = summaryMessage(inputOf(facts, { buttons: [{ kind: 'share', value: 'ask-7' }] }));
  expect(share.blocks?.at(-1)).toMatchObject({
    type: 'actions',
    elements: [{ action_id: 'ask_share', value: 'ask-7', text: { text: 'Share to channel' } }],
  });
});

test("an id that is none of Slack's is no mention", () => {
  const facts = factsOf(plainRequest('tracks'), fixedAnswers.tracks(12));
  const message = summaryMessage(inputOf(facts, { askedBy: '!channel' }));
  expect(JSON.stringify(message)).not.toContain('!channel');
});
