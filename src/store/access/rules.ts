import type { AccessRule, Level, Subject } from '../../access/levels.js';
import type { ReportName } from '../../catalogue/index.js';
import type { RecordKey } from '../database/record-key.js';
import { addRow, deleteRows, inTransaction, putRow, type RowValues, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';
import { appendEvent } from './event-chain.js';

/** A rule with the admin who set it and when, in milliseconds since the epoch. */
export interface StoredRule extends AccessRule {
  readonly by: string;
  readonly at: number;
}

export interface Actor {
  /** A Slack user ID; absent: Rollcall itself. */
  readonly by?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What it is for, as the record has it. */
  readonly purpose?: string | undefined;
}

/** `absent`: the person was no added admin. `last`: refused, because no admin would be left. */
export type AdminRemoval = 'removed' | 'absent' | 'last';

/** Rules of access. Each change is also an event of the record. */
export function accessRulesIn(db: Db, key: RecordKey) {
  return {
    /** Sorted by kind of subject, subject and report. */
    async all(): Promise<readonly StoredRule[]> {
      return (await allRules(db, {})).rows.map((row) => ({
        subject:
          row.subject_kind === 'everyone'
            ? { kind: 'everyone' }
            : { kind: row.subject_kind, id: row.subject },
        report: row.report || undefined,
        level: row.level,
        by: row.set_by,
        at: row.set_at,
      }));
    },

    /** Sets the level of a subject for one report or for all. */
    set: ({ subject, report, level }: AccessRule, { by, at, purpose }: Actor) =>
      inTransaction(db, async (trx) => {
        const rule = columnsOf(subject, report);
        const before = await levelsOf(trx, rule);
        await putRow(trx, 'access_rules', { ...rule, level, set_by: by ?? '', set_at: at });
        await recordChange(trx, key, subject, { by, at, purpose }, { report, before, after: level });
      }),

    /** Removes one rule. Returns false if there was none. */
    remove: (subject: Subject, report: ReportName | undefined, actor: Actor) =>
      inTransaction(db, async (trx) => {
        const rule = columnsOf(subject, report);
        const before = await levelsOf(trx, rule);
        if ((await deleteRows(trx, 'access_rules', rule)) === 0) return false;
        await recordChange(trx, key, subject, actor, { report, before });
        return true;
      }),

    /** Removes all rules of a subject, such as a deleted user group. Returns how many. */
    removeSubject: (subject: Subject, actor: Actor) =>
      inTransaction(db, async (trx) => {
        const rules = subjectColumns(subject);
        const before = await levelsOf(trx, rules);
        const removed = await deleteRows(trx, 'access_rules', rules);
        if (removed > 0) await recordChange(trx, key, subject, actor, { before });
        return removed;
      }),
  };
}

const allRules = preparedQuery((db) =>
  db.selectFrom('access_rules').selectAll().orderBy('subject_kind').orderBy('subject').orderBy('report'),
);

const allAdmins = preparedQuery((db) =>
  db.selectFrom('access_admins').select(['person', 'added_by as by', 'added_at as at']).orderBy('person'),
);

/** Admins whom admins added. Each change is also an event of the record. */
export function adminsIn(db: Db, key: RecordKey) {
  return {
    /** Sorted by person. */
    async all() {
      return (await allAdmins(db, {})).rows;
    },

    /** Returns false if the person was already one. */
    add: (person: string, by: string, at: number) =>
      inTransaction(db, async (trx) => {
        const isNew = await addRow(trx, 'access_admins', { person, added_by: by, added_at: at });
        if (!isNew) return false;
        await recordChange(trx, key, { kind: 'person', id: person }, { by, at }, { admin: true });
        return true;
      }),

    /**
     * Removes an admin whom admins added, unless no admin would be left. The check and the removal are one transaction,
     * so two admins cannot remove each other at the same time.
     *
     * @param isEnough decides whether anyone can still set rules, from the added admins who would be left
     */
    remove: (person: string, actor: Actor, isEnough: (left: readonly string[]) => boolean) =>
      inTransaction(db, async (trx): Promise<AdminRemoval> => {
        const rows = await trx.selectFrom('access_admins').select('person').orderBy('person').execute();
        const added = rows.map((row) => row.person);
        if (!added.includes(person)) return 'absent';
        if (!isEnough(added.filter((admin) => admin !== person))) return 'last';
        await deleteRows(trx, 'access_admins', { person });
        await recordChange(trx, key, { kind: 'person', id: person }, actor, { admin: false });
        return 'removed';
      }),
  };
}

function subjectColumns(subject: Subject) {
  return { subject_kind: subject.kind, subject: subject.kind === 'everyone' ? '' : subject.id };
}

function columnsOf(subject: Subject, report: ReportName | undefined) {
  return { ...subjectColumns(subject), report: report ?? ('' as const) };
}

async function levelsOf(trx: Trx, which: RowValues<'access_rules'>): Promise<ChangedRules> {
  const rules = await rowsOf(trx, 'access_rules', which)
    .select(['report', 'level'])
    .orderBy('report')
    .execute();
  return rules.map((rule) => ({ report: rule.report || undefined, level: rule.level }));
}

/** Levels of one subject, by report. A rule without a report is for all. */
type ChangedRules = readonly { readonly report?: ReportName | undefined; readonly level: Level }[];

async function recordChange(
  trx: Trx,
  key: RecordKey,
  subject: Subject,
  { by, at, purpose }: Actor,
  change: {
    readonly report?: ReportName | undefined;
    /** The rules that no longer hold. */
    readonly before?: ChangedRules;
    /** The new level; absent: the rule is gone. */
    readonly after?: Level;
    readonly admin?: boolean;
  },
): Promise<void> {
  await appendEvent(trx, key, {
    kind: 'rule-changed',
    at,
    person: by,
    report: change.report,
    subjects: subject.kind === 'person' ? [subject.id] : [],
    // A person is a subject of the event, so that the token of the person stands for the ID.
    details: { ...change, purpose, subject: subject.kind === 'person' ? { kind: 'person' } : subject },
  });
}
