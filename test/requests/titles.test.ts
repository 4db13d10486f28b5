import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText } from '../../src/requests/text.js';
import { maxListedTitles, type Titled, type TitleMatches, TitleSearch } from '../../src/requests/titles.js';
import { propertyRuns } from '../property-runs.js';

function search(text: string, titles: readonly (string | Titled)[]): TitleMatches {
  const searching = new TitleSearch(text);
  titles.forEach((titled, index) => {
    searching.add(typeof titled === 'string' ? { id: `id-${index}`, title: titled } : titled);
  });
  return searching.finish();
}

const found = (text: string, titles: readonly (string | Titled)[]) =>
  search(text, titles).found.map(({ title }) => title);

const catalogue = [
  'GDPR basics',
  'GDPR basics for managers',
  'Fire safety',
  'Résumé writing',
  'Das “Grundgesetz” – Überblick',
  'Ἀρχαία Ελλάδα',
  'Безопасность труда',
  '安全教育 第1課',
  'סודיות במידע',
  'हिन्दी सुरक्षा',
  'Straße & Verkehr',
  'Health, safety',
];

describe('a folded text', () => {
  it('is the same in ASCII as beside a letter that is not', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(foldText(text)).toBe(foldText(`${text}ж`).slice(0, -1).trim());
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});

describe('a title', () => {
  it.each([
    ['GDPR basics', ['GDPR basics']],
    ['gdpr BASICS', ['GDPR basics']],
    ['gdpr', ['GDPR basics', 'GDPR basics for managers']],
    ['  fire   SAFETY ', ['Fire safety']],
    ['resume', ['Résumé writing']],
    ['RÉSUMÉ', ['Résumé writing']],
    ['"grundgesetz" - uberblick', ['Das “Grundgesetz” – Überblick']],
    ['αρχαια ελλαδα', ['Ἀρχαία Ελλάδα']],
    ['безопасность', ['Безопасность труда']],
    ['教育', ['安全教育 第1課']],
    ['第１課', ['安全教育 第1課']],
    ['במידע', ['סודיות במידע']],
    ['strasse', ['Straße & Verkehr']],
    ['health, s', ['Health, safety']],
  ])('is found by %j', (text, wanted) => {
    expect(found(text, catalogue)).toEqual(wanted);
  });

  it('is not found by a word with other marks in a script where marks are letters', () => {
    expect(found('हन्दा', catalogue)).toEqual([]);
  });

  it('is found by its identifier, before any other', () => {
    const titles = [
      { id: '17', title: 'Fire' },
      { id: '18', title: 'Level 17' },
    ];
    expect(found('17', titles)).toEqual(['Fire']);
  });

  it('that is the same letter by letter comes before one that is the same folded', () => {
    expect(found('Resume', ['Résumé', 'Resume', 'Resume II'])).toEqual(['Resume']);
    expect(found('resume', ['Résumé', 'Resume', 'Resume II'])).toEqual(['Resume', 'Résumé']);
  });

  it('that two things share finds both', () => {
    const titles = [
      { id: 'a', title: 'Onboarding' },
      { id: 'b', title: 'Onboarding' },
      { id: 'a', title: 'Onboarding' },
    ];
    expect(search('onboarding', titles)).toMatchObject({ count: 2, found: [{ id: 'a' }, { id: 'b' }] });
  });

  it('is one of a few that are listed, and all are counted', () => {
    const { found, count } = search(
      'safety',
      Array.from({ length: 40 }, (_, i) => `Safety ${i}`),
    );
    expect([found.length, count]).toEqual([maxListedTitles, 40]);
  });
});

describe('the nearest titles', () => {
  it.each([
    ['GPDR basics', 'GDPR basics'],
    ['gdrp', 'GDPR basics'],
    ['fire safty', 'Fire safety'],
    ['the fire drill safety', 'Fire safety'],
    ['Безопастность', 'Безопасность труда'],
    ['安全教青', '安全教育 第1課'],
  ])('of %j begin with %j', (text, wanted) => {
    const { found, nearest } = search(text, catalogue);
    expect(found).toEqual([]);
    expect(nearest[0]?.title).toBe(wanted);
    expect(nearest.length).toBeLessThanOrEqual(3);
  });

  it.each(['', '   ', 'zzzz', 'x'.repeat(3_000), '\u202E\u200B', '<!channel>', '%_\\'])(
    'of %j are none',
    (text) => {
      expect(search(text, catalogue)).toEqual({ found: [], count: 0, nearest: [] });
    },
  );
});

describe('the search of titles', () => {
  it('finds every title by itself and by each part of it, however it is written', () => {
    const title = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((text) => foldText(text) !== '');
    const rewritten = (text: string) =>
      fc.constantFrom(text, text.toUpperCase(), text.normalize('NFD'), ` ${text}`);
    fc.assert(
      fc.property(
        title.chain((text) => fc.tuple(fc.constant(text), rewritten(text))),
        fc.array(title, { maxLength: 5 }),
        ([text, typed], others) => {
          const { found, count } = search(typed, [text, ...others]);
          const same = [text, ...others].filter((other) => foldText(other) === foldText(text));
          expect(found.map((titled) => titled.title).filter((other) => same.includes(other))).not.toEqual([]);
          expect(count).toBeLessThanOrEqual(others.length + 1);
        },
      ),
      { numRuns: propertyRuns(400) },
    );
  });

  it('takes Greek capitals for the letters with an iota below', () => {
    expect(foldText('ῷ ᾀ'.toUpperCase())).toBe(foldText('ῷ ᾀ'));
  });

  it('does not depend on the order of the titles', () => {
    const titles = fc.shuffledSubarray(catalogue, { minLength: catalogue.length });
    fc.assert(
      fc.property(titles, fc.constantFrom('gdpr', 'safety', 'gpdr', 'GDPR basics', 'a'), (shuffled, text) => {
        const plain = (matches: TitleMatches) => ({
          found: matches.found.map(({ title }) => title),
          nearest: matches.nearest.map(({ title }) => title),
        });
        expect(plain(search(text, shuffled))).toEqual(plain(search(text, catalogue)));
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('keeps little of a long answer', () => {
    const searching = new TitleSearch('safety');
    // The time of the processor, because other programs may keep it busy.
    const before = process.cpuUsage();
    for (let i = 0; i < 200_000; i += 1) searching.add({ id: `id-${i}`, title: `Safety ${i}` });
    expect(searching.finish().count).toBe(1_000);
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
