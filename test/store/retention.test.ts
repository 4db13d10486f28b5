import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { botVariables } from '../../src/config/variables.js';
import {
  expiringTables,
  replacedDatabasesMs,
  retentionMs,
  uninstalledMs,
} from '../../src/store/database/expiry.js';

/** With the default setting. */
const keepRecordDays = botVariables.keepRecordDays.format.parse(undefined);
const retention: Readonly<Record<string, number>> = {
  ...Object.fromEntries(expiringTables.map((table) => [table, retentionMs(table, keepRecordDays)])),
  replacedDatabases: replacedDatabasesMs,
  uninstalled: uninstalledMs,
};

/** The row of docs/privacy.md for each age. */
const rows: Readonly<Record<string, RegExp>> = {
  requests: /^Requests:/,
  posts: /^Runs of digests/,
  posted_items: /^Where messages/,
  sent_rows: /^Files and rows that were sent/,
  person_numbers: /^The numbers of people/,
  account_addresses: /^Since when Slack accounts/,
  event_chain: /^Events of the record/,
  last_figures: /^Figures of the last run/,
  answer_totals: /^Totals of answers/,
  unit_totals: /^Figures of ended/,
  long_questions: /^Long questions/,
  suggestions: /^Names for filters/,
  builder_drafts: /^Open forms/,
  digest_drafts: /^Digests that are being set up/,
  saved_reports: /^Saved reports/,
  digests: /^Digests$/,
  notifications: /^Notifications/,
  manager_runs: /^How runs of managers’ digests/,
  digest_outages: /^Outages/,
  seen_deliveries: /^Recent deliveries from Slack, as/,
  inbox: /^Commands, presses and forms/,
  replacedDatabases: /^Databases that/,
  uninstalled: /^Everything, after/,
};

/** Kept without an age, for the reason in the table, or by checkpoints of the record, which has tests of its own. */
const ageless = [
  /^Hash and date of evidence/,
  /^Approved channels/,
  /^Whether people may see who asked/,
  /^The last request/,
  /^Rules of access/,
  /^After how many days/,
  /^Channels that/,
  /^Which key/,
  /^Settings of the operator/,
  /^Files of/,
  /^What alerts remember/,
  /^What managers’ digests/,
  /^What was typed into fields/,
];

const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
const [, section = ''] = page.split('## What is stored, and for how long\n');
const table = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', , age = '']) => ({ what, age }))
  .filter(({ what }) => what !== 'What' && !what.startsWith('---'));

it.each(Object.entries(rows))('docs/privacy.md says how long %s are kept', (name, what) => {
  const found = table.filter((row) => what.test(row.what));
  expect(found).toHaveLength(1);
  const [, count, unit] = /(\d+) (hour|day)s?\b/.exec(found[0]?.age ?? '') ?? [];
  const unitMs = unit === 'hour' ? 3_600_000 : 86_400_000;
  expect(Number(count) * unitMs).toBe(retention[name]);
});

it('every table whose rows expire has an age there', () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(retention).sort());
});

it('has no other ages in the table', () => {
  const known = [...Object.values(rows), ...ageless];
  expect(table.filter(({ what }) => !known.some((row) => row.test(what)))).toEqual([]);
  expect(table).toHaveLength(known.length);
});
