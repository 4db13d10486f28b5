import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LearningLinks,
  learningLink,
  parseLearningLinks,
  titledKinds,
} from '../../src/catalogue/learning-link.js';
import { anyCharacter } from '../any-character.js';
import { propertyRuns } from '../property-runs.js';

const contentLink = 'https://learn.example.com/content/{content_id}/open';

function linksIn(text: string): LearningLinks {
  const links = parseLearningLinks(text);
  if (!links.ok) throw new Error(links.refusal);
  return links.value;
}

describe('the addresses that titles link to', () => {
  it('are one per kind, with blanks between them', () => {
    expect(linksIn(`  ${contentLink}\n https://t.example/#/tracks?id={track_id}  `)).toEqual({
      content: contentLink,
      track: 'https://t.example/#/tracks?id={track_id}',
    });
    expect(linksIn('')).toEqual({});
  });

  it.each([
    ['http://learn.example.com/{content_id}', 'https://'],
    ['javascript:alert({content_id})', 'https://'],
    ['https://{content_id}.example.com/', 'after the host'],
    ['https://learn.example.com{content_id}', 'after the host'],
    ['https://learn.example.com:{content_id}/', 'after the host'],
    ['https://ada:secret@learn.example.com/{content_id}', 'after the host'],
    ['https:///{content_id}', 'after the host'],
    ['https://learn.example.com/<{content_id}', 'no link'],
    ['https://learn.example.com/{content_id}|x', 'no link'],
    ['https://learn.example.com/{content_id}{', 'no link'],
    ['https://learn.example.com/', 'exactly one'],
    ['https://learn.example.com/{id}', 'exactly one'],
    ['https://learn.example.com/{content_id}/{content_id}', 'exactly one'],
    ['https://learn.example.com/{content_id}/{track_id}', 'exactly one'],
    ['https://learn.example.com/{content_id}?user={email}', 'exactly one'],
    [`${contentLink} https://other.example.com/{content_id}`, 'two addresses'],
  ])('refuse %s', (text, reason) => {
    const links = parseLearningLinks(text);
    expect(links.ok ? links.value : links.refusal).toContain(reason);
    expect(links.ok ? '' : links.refusal).not.toContain('secret');
  });
});

describe('a link', () => {
  const links = linksIn(contentLink);

  it('encodes the identifier', () => {
    expect(learningLink(links, 'content', 'a/../b?c#d&<e|f>')).toBe(
      'https://learn.example.com/content/a%2F..%2Fb%3Fc%23d%26%3Ce%7Cf%3E/open',
    );
    // A replacement pattern of JavaScript is text like any other.
    expect(learningLink(links, 'content', '$&')).toContain('%24%26');
  });

  it('is missing for a kind without an address', () => {
    expect(learningLink(links, 'track', '1')).toBeUndefined();
  });

  it.each(['', '.', '..', '\ud800', 'x'.repeat(3_000)])('is missing for the identifier %j', (id) => {
    expect(learningLink(links, 'content', id)).toBeUndefined();
  });

  it('leads to the path of its address, whatever the identifier', () => {
    const all = linksIn(titledKinds.map((kind) => `https://${kind}.example/at/{${kind}_id}/end`).join(' '));
    fc.assert(
      fc.property(fc.constantFrom(...titledKinds), fc.string({ unit: anyCharacter }), (kind, id) => {
        const link = learningLink(all, kind, id);
        if (link === undefined) return;
        const { origin, pathname, search, hash } = new URL(link);
        const [, , encoded = '', ...rest] = pathname.split('/');
        expect([origin, search, hash, rest]).toEqual([`https://${kind}.example`, '', '', ['end']]);
        expect(decodeURIComponent(encoded)).toBe(id);
        expect(link).not.toMatch(/[\s<>|"]/);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
