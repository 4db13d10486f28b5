import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passedStatuses } from '../../../src/catalogue/assessments.js';
import { parseCommand } from '../../../src/requests/parse-command.js';
import type { ReportRequest } from '../../../src/requests/request.js';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { propertyRuns } from '../../property-runs.js';
import { world } from './world.js';

/** Something that a sentence leaves out, and whether an answer can hold it. */
interface Excluded {
  readonly words: string;
  readonly isIn: (request: ReportRequest) => boolean;
}

/** True for a request with a condition that leaves a name out. */
function leavesOutName({ conditions = [] }: ReportRequest, fields: readonly string[], name: string): boolean {
  return conditions.some(
    ({ field, sign, values }) => sign === '!' && fields.includes(field) && values.includes(name),
  );
}

/** An answer can hold an entry unless a condition leaves it out, or a filter of its member has others alone. */
function entry(member: string, name: string): Excluded {
  return {
    words: name,
    isIn: (request) => {
      if (leavesOutName(request, [member], name)) return false;
      const { filters } = request;
      const filter = filters.find((choice) => choice.member === member);
      return !filter || filter.entries.some((each) => each.toLowerCase() === name.toLowerCase());
    },
  };
}

function title(name: string): Excluded {
  return {
    words: name,
    isIn: (request) => {
      const { titles = [] } = request;
      if (leavesOutName(request, ['content_title', 'content'], name)) return false;
      return titles.length === 0 || titles.some(({ text }) => text === name);
    },
  };
}

/** @param without the states that cannot overlap with it */
function state(words: string, without: readonly string[], view?: 'overdue' | 'due'): Excluded {
  return {
    words,
    isIn: ({ states = [], view: asked }) =>
      (asked === undefined || asked === view) &&
      !(states.length > 0 && states.every((name) => without.includes(name))),
  };
}

const things: readonly Excluded[] = [
  entry('departments', 'Sales'),
  entry('departments', 'Field Operations'),
  entry('locations', 'New York'),
  entry('teams', 'Key Accounts'),
  entry('groups', 'Night Shift'),
  entry('partner', 'Acme'),
  title('Fire Safety'),
  title('GDPR basics'),
];

const states: readonly Excluded[] = [
  state(
    'completed',
    ['not-started', 'in-progress', 'not-completed', 'overdue', 'due-soon', 'stalled'],
    'due',
  ),
  state('overdue', ['completed', 'late'], 'due'),
  state('started', ['not-started']),
  state('stalled', ['completed', 'not-started']),
  state('active', ['inactive']),
  state('inactive', ['active']),
  {
    words: 'passed',
    isIn: (request) =>
      state('passed', ['failed', 'waiting']).isIn(request) &&
      !passedStatuses.every((status) => leavesOutName(request, ['assessment_status'], status)),
  },
  state('failed', ['passed', 'waiting']),
  state('full', ['free-seats']),
  state('in progress', ['completed', 'not-started']),
];

const asks = [
  'overdue',
  'who is overdue',
  'engagement last week',
  'completions in October',
  'assignments by department',
  'how many people finished GDPR basics',
  'tracks this month',
  'show me everything due next week',
  'workshops next month',
  'people in Berlin',
  'both teams',
  'the three largest departments',
  'test results',
];

const leavesOut = [
  'except',
  'except for',
  'with the exception of',
  'but not',
  'but not in',
  'not in',
  'and not',
  'without',
  'excluding',
  'excl.',
  'other than',
  'apart from',
  'aside from',
  'minus',
  'unless in',
  'none of',
  'nobody in',
  'nobody from',
  'no one in',
  'no',
  'never in',
  'never mind',
  'outside',
  'anything but',
  'anyone but',
  'all but',
  'everyone besides',
  'neither in',
  'leaving out',
  'ignoring',
  'skip',
  'save for',
  'rather than',
  'instead of',
  "who aren't in",
  "who isn't from",
  'that are not in',
  "don't show",
  'do not include',
  'not counting',
  'far from',
  'omit',
  'drop',
  'hide',
  'barring',
  'not one of the two in',
  'none of the two teams,',
  'zero people in',
];

const sentence = fc
  .record({
    ask: fc.constantFrom(...asks),
    word: fc.constantFrom(...leavesOut),
    thing: fc.constantFrom(...things),
    isFirst: fc.boolean(),
    before: fc.constantFrom('', '', 'please ', 'in HR ', 'for Support '),
    after: fc.constantFrom('', '', ' please', ' as csv', ' every monday at 9'),
  })
  .map(({ ask, word, thing, isFirst, before, after }) => ({
    text: isFirst
      ? `${word} ${thing.words}, ${before}${ask}${after}`
      : `${before}${ask} ${word} ${thing.words}${after}`,
    excluded: [thing],
  }));

const two = fc
  .record({
    ask: fc.constantFrom(...asks),
    words: fc.tuple(fc.constantFrom(...leavesOut), fc.constantFrom(...leavesOut)),
    things: fc.tuple(fc.constantFrom(...things), fc.constantFrom(...things)),
    joint: fc.constantFrom('and', 'or', ',', 'nor', 'but'),
  })
  .map(({ ask, words: [one, other], things: [first, second], joint }) => ({
    text: `${ask} ${one} ${first.words} ${joint} ${other} ${second.words}`,
    excluded: [first, second],
  }));

const ofState = fc
  .record({
    who: fc.constantFrom(
      'who',
      'people who',
      'how many',
      'everyone who',
      'tracks that',
      'assignments that',
      'workshops that',
      'which people in Sales',
      'did anybody who',
    ),
    not: fc.constantFrom(
      ...[
        'is not',
        "isn't",
        'are not',
        "aren't",
        'has not',
        "hasn't",
        'have not',
        'were never',
        'was not yet',
        'has never',
        'did not',
        "didn't",
        'never',
        'not',
        'is neither',
        'without being',
        'is anything but',
        'is not at all',
      ],
    ),
    state: fc.constantFrom(...states),
    rest: fc.constantFrom('', ' Fire Safety', ' the Safety Quiz', ' last month', ' in Sales', ' this year'),
  })
  .map(({ who, not, state: it, rest }) => ({ text: `${who} ${not} ${it.words}${rest}`, excluded: [it] }));

function offered(text: string): readonly { readonly command: string; readonly request: ReportRequest }[] {
  const { readings, nearest } = readSentence(text, world);
  return [...readings, ...nearest].flatMap((command) => {
    const parsed = parseCommand(command, world);
    if (!parsed.ok) throw new Error(`Not a command: ${command}`);
    const what = parsed.value.kind === 'schedule' ? parsed.value.what : parsed.value;
    return 'request' in what ? [{ command, request: what.request }] : [];
  });
}

describe('what a sentence leaves out', () => {
  test.each([
    ['one thing', sentence],
    ['two things', two],
    ['a state', ofState],
  ])('is in the answer of no command that is offered: %s', (_, sentences) => {
    fc.assert(
      fc.property(sentences, ({ text, excluded }) => {
        const holding = offered(text).filter(({ request }) => excluded.some(({ isIn }) => isIn(request)));
        expect({ text, offered: holding.map(({ command }) => command) }).toEqual({ text, offered: [] });
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test.each([
    'overdue not without Sales',
    "who hasn't not finished GDPR basics",
    'nobody who is not overdue',
    'people who never do nothing',
    'no department without completions',
    'not everyone in Sales who is overdue',
    'engagement without nobody in HR',
    'neither not started nor not completed',
  ])('twice is read as nothing: “%s”', (text) => expect(offered(text)).toEqual([]));
});
