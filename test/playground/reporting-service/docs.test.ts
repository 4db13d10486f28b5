import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { HelpRequested, readCommandLine } from '../../../playground/reporting-service/command-line.js';
import { tables } from '../../../playground/reporting-service/files/tables.js';
import { singleContents, tracks, workshops } from '../../../playground/reporting-service/generator/names.js';
import { defaultToken } from '../../../playground/reporting-service/reporting-service.js';
import {
  contentTypes,
  type EventKindRules,
  eventKinds,
  roles,
  unitMembers,
} from '../../../playground/reporting-service/world/schema.js';

const page = await readFile(new URL('../../../docs/reporting-service.md', import.meta.url), 'utf8');

function helpText(): string {
  try {
    readCommandLine(['--help']);
  } catch (error) {
    if (error instanceof HelpRequested) return error.help;
  }
  return '';
}

describe('the page about the service', () => {
  it('has every option, and no other', () => {
    const options = [...helpText().matchAll(/(--[a-z-]+) </g), ...helpText().matchAll(/(--ids|--shapes)/g)];
    const names = new Set(options.map(([, name]) => name));
    expect(names.size).toBe(18);
    for (const name of names) expect(page).toContain(`\`${name}`);
    for (const [, name] of page.matchAll(/`(--[a-z-]+)/g)) expect(names).toContain(name);
    expect(page).toContain(defaultToken);
  });

  it('has every file, column, kind of event and what it needs', () => {
    for (const [table, columns] of Object.entries(tables)) {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${table}.csv\``)) ?? '';
      for (const column of columns) expect(row).toContain(`\`${column}\``);
    }
    for (const [kind, rules] of Object.entries<EventKindRules>(eventKinds)) {
      const row =
        page
          .split('\n')
          .find((line) => line.startsWith('|') && line.split('|')[1]?.includes(`\`${kind}\``)) ?? '';
      const [needs = '', takes = ''] = (row.split('|')[3] ?? '').split(';');
      const named = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      expect([kind, named(needs), named(takes)]).toEqual([
        kind,
        rules.needs.length > 0 ? rules.needs : [],
        rules.takes,
      ]);
    }
    for (const word of [...unitMembers, ...contentTypes, ...roles]) expect(page).toContain(word);
  });
});

describe('the examples of the bot', () => {
  const titles = [
    ...singleContents.map(([, title]) => title),
    ...[...tracks, ...workshops].map(([title]) => title),
  ];

  it.each(['README.md', 'docs/asking.md', 'src/requests/help.ts'])(
    'in %s name titles of the service',
    async (file) => {
      const text = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');
      const named = [...text.matchAll(/(?:content|track|assessment|workshop):"([^"]+)"/g)].map(
        ([, title]) => title,
      );
      if (/GDPR/.test(text)) named.push('GDPR basics');
      expect(named.length).toBeGreaterThan(0);
      for (const title of named) expect(titles).toContain(title);
    },
  );
});
