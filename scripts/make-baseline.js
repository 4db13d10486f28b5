// Makes the filled databases of the first release that tests of migrations begin with, in test/store/baseline:
// rollcall.sqlite, and postgres.sql with the same tables and rows. Run it after `npm run build`, and only until the
// first release: from then on, these files stay as they are.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { unlimitedScope } from '../dist/src/access/scope.js';
import { plainRequest } from '../dist/src/requests/request.js';
import { createListOfMigrations, missingSteps } from '../dist/src/store/database/migrate.js';
import { tableNames } from '../dist/src/store/database/schema.js';
import { openStore } from '../dist/src/store/store.js';

const target = fileURLToPath(new URL('../test/store/baseline/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rollcall-baseline-'));
const path = join(folder, 'rollcall.db');
const now = Date.UTC(2026, 10, 23, 9);
const hour = 3_600_000;
const ada = 'U00ADA0001';
const grace = 'U0GRACE001';

try {
  const store = await openStore(path, () => now, { process: 'baseline', recordKey: '5a'.repeat(32) });
  await store.useWorkspace('T1');
  await fill(store);
  await store.close();
  const database = new Sqlite(path);
  const empty = tableNames.filter((table) => rowsOf(database, table).length === 0);
  if (empty.length > 0) throw new Error(`Fill these tables too: ${empty.join(', ')}`);
  writeFileSync(join(target, 'postgres.sql'), postgresText(database));
  database.pragma('journal_mode = DELETE');
  // Each table and each index takes a page at least.
  database.pragma('page_size = 512');
  database.exec('VACUUM');
  database.close();
  copyFileSync(path, join(target, 'rollcall.sqlite'));
} finally {
  rmSync(folder, { recursive: true });
}

/** Puts something into every table. */
async function fill(store) {
  const request = {
    ...plainRequest('engagement'),
    range: 'last-month',
    filters: [{ object: 'user_filter', member: 'email', entries: ['ada@example.com', 'Zoë@example.com'] }],
  };
  const cadence = { kind: 'hourly', minute: 0 };
  const schedule = { cadence, zone: 'Europe/Berlin', firstDay: '2026-11-20' };
  const settings = { channel: 'C1', owner: ada, request, schedule, skipEmpty: true, keepDays: 30 };
  await store.useRecordKey(async () => true);
  for (const [n, asker] of [ada, grace].entries()) {
    const at = now - n * hour;
    const id = await store.requestLog.record({ channel: `C${n}`, asker, request, requestedAt: at });
    const claim = { id, worker: null };
    const message = { channel: `C${n}`, ts: `1795424400.00000${n}`, link: `https://example.slack.com/${n}` };
    const item = { kind: 'file', channel: message.channel, item: `F${n}`, root: message };
    const totals = { zone: 'UTC', requestedAt: at };
    await store.ledger.markPosting(claim, { rows: 12, late: false });
    await store.ledger.markPosted(claim, { message, fileFollows: n === 0, item }, at);
    await store.answerTotals.keep(id, id, { asker, request, scope: unlimitedScope, totals }, at);
    await store.inbox.add([
      { key: `command ${n}`, person: asker, payload: '{"text":"engagement"}', request: id, arrivedAt: at },
    ]);
    const of = { run: { kind: 'asker', channel: `C${n}` }, asker, request, scope: unlimitedScope };
    await store.lastFigures.save(of, { learners: 12, overdue: n }, at);
    await store.events.append({
      kind: 'asked',
      at,
      person: asker,
      place: `C${n}`,
      report: 'engagement',
      subjects: ['ada@example.com'],
      details: { filters: request.filters },
    });
    await store.savedReports.save({ channel: `C${n}`, name: `Zoë’s “${n}”`, request, createdBy: asker }, at);
    await store.builderDrafts.open(asker, { report: 'engagement' }, at);
    await store.digestDrafts.open(asker, { ...settings, zone: 'UTC', cadence }, at);
    const digest = await store.digests.add({ ...settings, owner: asker }, asker, at + hour, at);
    await store.ledger.enterNow(await store.digests.find(digest), 'key', at);
    await store.digests.offer(digest, 1, n === 0 ? grace : ada, at);
    await store.digestNotifications.add({ recipient: asker, kind: 'failed', subject: digest }, at);
    await store.queryTurns.take(
      { id: `turn ${n}`, urgency: 'person' },
      { maxRequestsPerMinute: 50, maxParallelRequests: 1 },
    );
  }
  await store.seenEnvelopes.add([{ envelope: 'Ev1', seenAt: now }]);
  await store.suggestions.add(
    [
      { list: 'departments', entry: 'Field "Operations"', people: 5 },
      { list: 'content', entry: '17', title: 'Données personnelles 🙂', people: 8 },
    ],
    now,
  );
  await store.formSearches.note(
    { form: 'f1', field: 'content', person: ada, place: 'C1', report: 'assignments', content: 'Don' },
    now,
  );
  await store.channelAges.set('C1', 90, ada, now);
  await store.approvals.approveChannel({ subject: 'C1', by: ada, at: now, purpose: 'Audit of Q3' });
  await store.approvals.releaseKey({ subject: 'cost_center', by: ada, at: now });
  await store.approvals.markShared('C9', now);
  await store.approvals.requestApproval('C2', grace, '2026-11-23');
  await store.accessRules.set(
    { subject: { kind: 'person', id: grace }, level: 'team' },
    { by: ada, at: now },
  );
  await store.accessRules.set(
    { subject: { kind: 'everyone' }, report: 'tracks', level: 'totals' },
    { at: now },
  );
  await store.admins.add(grace, ada, now);
  await store.digestOutages.begin('slack', { code: 'token_revoked', reason: 'The token was revoked' }, now);
}

function rowsOf(database, table) {
  return database.prepare(`SELECT * FROM ${table}`).all();
}

/** The statements that make the same database in PostgreSQL. */
function postgresText(database) {
  const [created] = missingSteps(undefined, 'postgres');
  const tables = ['rollcall_schema', 'rollcall_workspace', ...tableNames];
  const inserts = tables.flatMap((table) =>
    rowsOf(database, table).map((row) => {
      const values = Object.values(row).map((value) =>
        typeof value === 'string' ? pg.escapeLiteral(value) : String(value).toUpperCase(),
      );
      return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`;
    }),
  );
  const statements = [
    createListOfMigrations,
    ...created.statements,
    'DELETE FROM rollcall_workspace',
    ...inserts,
  ];
  return `${statements.join(';\n')};\n`;
}
