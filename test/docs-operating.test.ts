import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { variables } from '../src/config/variables.js';
import { createMetrics } from '../src/operations/metrics.js';

const page = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');

/** The rows of the table with this heading, as lists of cells. */
function rowsBelow(heading: string): string[][] {
  const [, after = ''] = page.split(`| ${heading} |`);
  const lines = after.split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

/** A variable's default as its text, where it has one. */
function defaultOf({ def }: z.ZodType): string | undefined {
  return 'defaultValue' in def ? String(def.defaultValue) : undefined;
}

describe('the page on running Rollcall', () => {
  it('lists every variable with its default, and no others', () => {
    const rows = rowsBelow('Variable');
    const written = new Map(
      rows.map(([name = '', , byDefault = '']) => [name.replaceAll('`', ''), byDefault]),
    );
    expect([...written.keys()].sort()).toEqual([...variables.keys()].sort());
    for (const [name, format] of variables) {
      const byDefault = defaultOf(format);
      const withoutDefault = expect.stringMatching(/^(required|none|see there|this or .*)$/);
      const wanted = byDefault ? `\`${byDefault}\`` : withoutDefault;
      expect([name, written.get(name)]).toEqual([name, wanted]);
      const required = !format.safeParse(undefined).success;
      expect([name, written.get(name) === 'required']).toEqual([name, required]);
    }
  });

  it('names every metric of ours', async () => {
    const metrics = createMetrics(() => true);
    const { text } = await metrics.page();
    metrics.close();
    const ours = [...text.matchAll(/^# TYPE (rollcall_\w+)/gm)].map(([, name]) => name);
    const written = rowsBelow('Metric').map(([name = '']) => name.replaceAll('`', ''));
    expect(written.filter((name) => name.startsWith('rollcall_')).sort()).toEqual(ours.sort());
  });
});
