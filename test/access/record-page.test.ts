import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlOf, jsonOf, type PageRow, type RecordPage } from '../../src/access/record-page.js';
import { anyCharacter } from '../any-character.js';
import { propertyRuns } from '../property-runs.js';

const bad = `</script><script>alert("1")</script><b onclick='x'>&amp;`;

async function written(parts: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const part of parts) all += part;
  return all;
}

const pageOf = (text: string, rows: readonly PageRow[] = [{ [text]: text }]): RecordPage => ({
  title: text,
  notes: [text],
  about: { [text]: text, none: null, absent: undefined, count: 0, is: false },
  sections: [
    { key: 'list', title: text, notes: [text], rows },
    { key: 'table', title: text, columns: [text], rows },
    { key: 'nothing', title: text, rows: [] },
  ],
});

describe('a page that people take with them', () => {
  it('lets no text be markup, wherever it stands', async () => {
    const html = await written(htmlOf(pageOf(bad)));
    const plain = await written(htmlOf(pageOf('x')));
    const tagsOf = (page: string) => page.replace(/<style>.*<\/style>/s, '').match(/<[^>]*>/g);
    expect(tagsOf(html)).toEqual(tagsOf(plain));
    expect(html).toContain('&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)');
    expect(html).toContain('&#39;x&#39;&gt;&amp;amp;');
    expect(html).toContain('<td>count</td><td>0</td>');
    expect(html).not.toMatch(/<td>none|<td>absent/);
    expect(html.match(/None\./g)).toHaveLength(1);
  });

  it('is the same for a machine, whatever the text', async () => {
    const text = fc.string({ unit: anyCharacter });
    const rows = fc.array(fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))));
    await fc.assert(
      fc.asyncProperty(text, rows, async (name, all) => {
        const kept = JSON.parse(await written(jsonOf(pageOf(name, all))));
        expect(kept).toEqual(
          JSON.parse(
            JSON.stringify({ ...pageOf(name), sections: undefined, list: all, table: all, nothing: [] }),
          ),
        );
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
