import { describe, expect, it } from 'vitest';
import type { KnownNames, KnownTitle } from '../../../src/requests/sentences/known-names.js';
import { possibleNames } from '../../../src/requests/sentences/people.js';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { meaning, world } from './world.js';

/** As the daily look of a service finds them: a track that is also assigned, and a workshop that was also completed. */
const titles: readonly KnownTitle[] = [
  { option: 'track', title: 'Safe Online', reports: ['tracks', 'completions'] },
  { option: 'track', title: 'First Thirty Days', reports: ['tracks'] },
  { option: 'assessment', title: 'Safety Test', reports: ['assessments'] },
  { option: 'workshop', title: 'Mindful Tuesdays 🧘', reports: ['workshops'] },
  { option: 'content', title: 'Safe Online', reports: ['assignments'] },
  { option: 'content', title: 'Mindful Tuesdays 🧘', reports: ['completions'] },
  { option: 'content', title: 'Objections: "too expensive"', reports: ['completions'] },
  { option: 'content', title: 'Sales', reports: ['assignments', 'completions'] },
  { option: 'content', title: 'ビジネス日本語 入門', reports: ['completions'] },
  { option: 'content', title: 'March', reports: ['completions'] },
];

const known: KnownNames = { values: [{ member: 'departments', entry: 'Sales' }], titles };

function readings(sentence: string, names: KnownNames = known): readonly string[] {
  return readSentence(sentence, { ...world, known: names }).readings;
}

describe('a known title', () => {
  it.each<[string, ...string[]]>([
    [
      'who finished Safe Online',
      'tracks only:completed track:"Safe Online" rows',
      'assignments only:completed content:"Safe Online" rows',
    ],
    ['who has not started First Thirty Days', 'tracks only:not-started track:"First Thirty Days" rows'],
    ['who registered for Mindful Tuesdays', 'workshops workshop:"Mindful Tuesdays 🧘" rows'],
    ['who completed Mindful Tuesdays', 'completions content:"Mindful Tuesdays 🧘" rows'],
    ['who was assigned Safe Online', 'assignments content:"Safe Online" rows'],
    // The title of an assessment is that of a content too.
    ['who has not done the Safety Test', 'assignments only:not-completed content:"Safety Test" rows'],
    // A named report is asked, whether it had the title or not.
    ['completions of Safe Online', 'completions track:"Safe Online"', 'completions content:"Safe Online"'],
  ])('%s: is asked of the reports that had it', (sentence, ...commands) => {
    expect(readings(sentence)).toEqual(commands);
  });

  it('is asked of every report that takes it where nobody knows which had it', () => {
    const unknown = titles.map(({ option, title }) => ({ option, title }));
    expect(readings('who finished Safe Online', { values: [], titles: unknown })).toContain(
      'completions content:"Safe Online" rows',
    );
  });

  it.each<[string, ...string[]]>([
    ['who completed "ビジネス日本語 入門"', 'completions content:"ビジネス日本語 入門" rows'],
    ['who completed ビジネス日本語 入門', 'completions content:"ビジネス日本語 入門" rows'],
    [
      'who finished “safe online”',
      'tracks only:completed track:"Safe Online" rows',
      'assignments only:completed content:"Safe Online" rows',
    ],
    ['who completed Objections: "too expensive"', 'completions content:“Objections: "too expensive"” rows'],
  ])('%s: is found in quotes, in other scripts, and with quotes in it', (sentence, ...commands) => {
    expect(readings(sentence)).toEqual(commands);
  });

  it('that is also a department or a month is told by the words around it', () => {
    expect(readings('overdue for the training "Sales"')).toEqual(['overdue content:Sales']);
    expect(readings('completions in March')).toEqual(['completions 2026-03']);
    expect(readings('completions of the training "March"')).toEqual(['completions content:March']);
    // Both are possible, so both are offered.
    expect(readings('overdue in Sales')).toEqual(['overdue departments:Sales', 'overdue content:Sales']);
    expect(readings('completions of Sales')).toEqual([
      'completions departments:Sales',
      'completions content:Sales',
    ]);
  });
});

describe('words that may be a name', () => {
  function names(sentence: string) {
    const context = { ...world, known };
    return possibleNames(sentence, context, readSentence(sentence, context));
  }

  it.each<[string, string, ...string[]]>([
    ['overdue for @Ada', '@Ada'],
    ['overdue for @Noah Okafor last month', '@Noah Okafor last month', '@Noah Okafor', '@Noah'],
    ['what has Priya Raman completed', 'has Priya Raman completed', 'Priya Raman', 'Priya', 'Raman'],
    ['how is noah doing', 'how is noah doing', 'noah'],
    ['overdue in Ada’s team', 'overdue in Ada’s team', 'Ada'],
    // “Will” is a word too, and a capital says that it is none here.
    ['what has Will done', 'what has Will done', 'Will'],
  ])('%s', (sentence, ...expected) => expect(names(sentence)).toEqual(expect.arrayContaining(expected)));

  it.each([
    'overdue in Sales',
    'who finished Safe Online',
    'completions in March',
    'engagement last week',
    // Unknown words elsewhere, such as misspelt ones, are no reason to ask Slack.
    'assignmets of last week',
    'quarterly-numbers last-week',
    // Nobody's name changes that this cannot be asked.
    'overdue except @Noah',
    'wer hat die Schulung von Noah noch nicht gemacht',
  ])('%s: none', (sentence) => expect(names(sentence)).toEqual([]));
});

describe('a person', () => {
  const people = [
    { words: '@Noah Okafor', email: 'noah@example.com' },
    { words: 'Paris', email: 'paris@example.com' },
    { words: 'Will', email: 'will@example.com' },
    { words: 'Ada', email: 'ada.m@example.com' },
    { words: 'Ada', email: 'ada.l@example.com' },
  ];
  const withPeople: KnownNames = {
    values: [...known.values, { member: 'departments', entry: 'Paris' }],
    titles,
    people,
  };

  it.each<[string, ...string[]]>([
    ['overdue for @Noah Okafor', 'overdue email:noah@example.com'],
    ['overdue for @noah okafor assigned last month', 'overdue assigned:last-month email:noah@example.com'],
    ['overdue in @Noah Okafor’s team', 'overdue manager_email:noah@example.com'],
    ['overdue in noah@example.com’s team', 'overdue manager_email:noah@example.com'],
    ['who of those reporting to @Noah Okafor is overdue', 'overdue manager_email:noah@example.com rows'],
    ['what has Will completed', 'completions email:will@example.com'],
    // Several people: each is offered.
    ['overdue for Ada', 'overdue email:ada.m@example.com', 'overdue email:ada.l@example.com'],
    [
      'overdue for Ada and @Noah Okafor',
      'overdue email:ada.m@example.com,noah@example.com',
      'overdue email:ada.l@example.com,noah@example.com',
    ],
    // A person with an `@`, also where a department has the name.
    ['overdue for @Paris', 'overdue email:paris@example.com'],
  ])('%s', (sentence, ...commands) => {
    expect(readings(sentence, withPeople).map(meaning)).toEqual(commands.map(meaning));
  });

  it.each([
    'overdue for @Nora',
    'who has done @Nora',
    'overdue in @Nora’s team',
    'overdue @Nora Jones last week',
  ])('%s: who is not found is asked for by the address, and nothing is offered without them', (sentence) => {
    expect(readSentence(sentence, { ...world, known: withPeople })).toMatchObject({
      readings: [],
      nearest: [],
      missing: 'person',
    });
  });
});
