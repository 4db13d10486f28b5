import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { exportedEvent } from '../../src/access/record.js';
import { unlimitedScope } from '../../src/access/scope.js';
import { reportNamed } from '../../src/catalogue/index.js';
import { makeEvidence } from '../../src/evidence/make-evidence.js';
import { nothingCounted } from '../../src/figures/result.js';
import { listPeople } from '../../src/reporting-api/answer/list-people.js';
import { plainRequest } from '../../src/requests/request.js';
import { personsPathOf } from '../../src/runner/answer-parts.js';
import type { ReportResult } from '../../src/runner/run-report.js';
import type { Store } from '../../src/store/store.js';

export const madeAt = Date.parse('2026-11-28T12:00Z');

export interface Row {
  readonly id?: string;
  readonly email?: string;
  readonly title?: string;
  readonly suspended?: boolean;
}

const cell = (text: string) => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csv = (lines: readonly (readonly string[])[]) =>
  `\uFEFF${lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`;

/** Makes evidence of completions with these rows. Returns its bytes. */
export async function evidenceOf(
  rows: readonly Row[],
  path: string,
  store: Store,
  {
    at = madeAt,
    purpose = 'Audit',
    withoutDate = 1,
    signal,
  }: { at?: number; purpose?: string; withoutDate?: number; signal?: AbortSignal } = {},
): Promise<Buffer> {
  const text = csv([['Email', 'Title'], ...rows.map(({ email = '', title = '' }) => [email, title])]);
  writeFileSync(path, text);
  const persons = rows.map(({ id = '', email = '', suspended = false }) => [
    id,
    email,
    'A',
    'B',
    `${suspended}`,
  ]);
  writeFileSync(
    personsPathOf(path),
    csv([['User ID', 'Email', 'First name', 'Last name', 'Suspended'], ...persons]),
  );
  const request = { ...plainRequest('completions'), range: '2026-10', file: 'evidence', purpose } as const;
  const result: ReportResult = {
    report: reportNamed('completions'),
    request,
    asker: { id: 'U1', zone: 'UTC', email: 'ada@example.com' },
    scope: unlimitedScope,
    requestedAt: at,
    range: undefined,
    records: rows.length,
    rowCount: rows.length,
    figures: {
      ...nothingCounted,
      report: 'completions',
      records: rows.length,
      counted: rows.length,
      figures: [
        {
          id: 'completions',
          label: 'Completions',
          value: { kind: 'count', count: rows.length },
          compared: 'nothing',
        },
      ],
      notes:
        withoutDate > 0
          ? [{ kind: 'missing', field: 'completed date', rows: withoutDate, of: rows.length }]
          : [],
    },
    before: 'none',
    file: { path, bytes: text.length, columns: [], listed: await listPeople(personsPathOf(path)) },
    values: [],
    sent: [
      { operation: 'content-completion', range: { from: 1, until: 2 }, addsUp: true, body: { email: true } },
    ],
  };
  const facts = { at, person: 'U1', place: 'D1', request, origin: 'request' } as const;
  const exported = exportedEvent(facts, {
    name: 'evidence.zip',
    columns: [],
    rowCount: rows.length,
    scope: unlimitedScope,
    level: 'everything',
  });
  const made = await makeEvidence(
    result,
    {
      person: 'U1',
      address: 'ada@example.com',
      level: 'everything',
      file: 'evidence.zip',
      madeAt: at,
      version: '0',
    },
    exported,
    { store },
    () => {},
    signal,
  );
  return readFile(made.path);
}
