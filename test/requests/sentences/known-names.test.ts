import { describe, expect, it } from 'vitest';
import type { KnownNames, KnownTitle } from '../../../src/requests/sentences/known-names.js';
import { readSentence } from '../../../src/requests/sentences/read-sentence.js';
import { world } from './world.js';

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
