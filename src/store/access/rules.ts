import type { AccessRule, Level, RuleSubject } from '../../access/levels.js';
import type { ReportName } from '../../catalogue/index.js';
import {
  addRow,
  changeRows,
  countRows,
  deleteRows,
  inTransaction,
  putRow,
  type RowValues,
  rowsOf,
} from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';
import { appendEvent, type NewEvent, type RecordKey } from './event-chain.js';

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
  const removeAll = (
    subject: RuleSubject,
    rules: RowValues<'access_rules'>,
    actor: Actor,
    report?: ReportName | undefined,
  ) =>
    inTransaction(db, async (trx) => {
      const before = await levelsOf(trx, rules);
      const removed = await deleteRows(trx, 'access_rules', rules);
      if (removed > 0) await recordChange(trx, key, subject, actor, { report, before });
      return removed;
    });

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
    remove: async (subject: RuleSubject, report: ReportName | undefined, actor: Actor) =>
      (await removeAll(subject, columnsOf(subject, report), actor, report)) > 0,

    /** Removes all rules of a subject, such as a deleted user group. Returns how many. */
    removeSubject: (subject: RuleSubject, actor: Actor) => removeAll(subject, subjectColumns(subject), actor),
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

/** What admins and the operator set about access and the record. Each change is also an event. */
export function recordSettingsIn(db: Db, key: RecordKey) {
  return {
    /** From when on people may see who asked; undefined: they may not. In milliseconds since the epoch. */
    async askerNamesFrom(): Promise<number | undefined> {
      const found = rowsOf(db, 'record_settings', { name: 'asker-names', setting: 1 });
      return (await found.select('set_at').executeTakeFirst())?.set_at;
    },

    /** Returns false if it was set like this already. */
    showAskerNames: (shows: boolean, { by, at, purpose }: Actor) =>
      inTransaction(db, async (trx) => {
        const row = await rowsOf(trx, 'record_settings', { name: 'asker-names' })
          .selectAll()
          .executeTakeFirst();
        if ((row?.setting === 1) === shows) return false;
        const set = { setting: Number(shows), set_by: by ?? null, set_at: at };
        await putRow(trx, 'record_settings', { name: 'asker-names', ...set });
        const details = { setting: 'asker-names', after: shows, purpose };
        await appendEvent(trx, key, { kind: 'setting-changed', at, person: by, details });
        return true;
      }),

    /**
     * Records each setting of the operator that is another one than at the start before. Those of the first start are no
     * change.
     */
    noteOperatorSettings: (settings: Readonly<Record<string, string>>, at: number) =>
      inTransaction(db, async (trx) => {
        const known = await trx.selectFrom('operator_settings').select(['name', 'setting']).execute();
        const before = new Map(known.map(({ name, setting }) => [name, setting]));
        for (const [name, setting] of Object.entries(settings)) {
          const last = before.get(name);
          if (last === setting) continue;
          await putRow(trx, 'operator_settings', { name, setting, seen_at: at });
          if (last === undefined) continue;
          const details = { setting: name, before: last, after: setting };
          await appendEvent(trx, key, { kind: 'setting-changed', at, details });
        }
      }),
  };
}

function subjectColumns(subject: RuleSubject) {
  return { subject_kind: subject.kind, subject: subject.kind === 'everyone' ? '' : subject.id };
}

function columnsOf(subject: RuleSubject, report: ReportName | undefined) {
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
  subject: RuleSubject,
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

export interface Approval {
  /** A channel ID, or a metadata key. */
  readonly subject: string;
  /** The admin's Slack user ID. */
  readonly by: string;
  readonly at: number;
}

/** An approval, with what it is for. Only the record has the purpose. */
interface NewApproval extends Approval {
  readonly purpose?: string | undefined;
}

const approvalOf = preparedQuery((db, { channel }: { readonly channel: string }) =>
  db.selectFrom('approved_channels').select('channel').where('channel', '=', channel),
);

const allReleasedKeys = preparedQuery((db) =>
  db
    .selectFrom('released_keys')
    .select(['metadata_key as subject', 'released_by as by', 'released_at as at'])
    .orderBy('metadata_key'),
);

/** Admins' approvals: person-level data in a channel, and metadata keys. Each change is also an event of the record. */
export function approvalsIn(db: Db, key: RecordKey) {
  async function isChannelApproved(channel: string) {
    return (await approvalOf(db, { channel })).rows.length > 0;
  }

  /** True for a channel that was shared once. The settings approve it no more. */
  async function lostApproval(channel: string) {
    return (await countRows(db, 'shared_channels', { channel })) > 0;
  }

  /** Makes a change with its event. Returns false, and records nothing, if it changed nothing. */
  const recorded = (event: NewEvent, change: (trx: Trx) => Promise<boolean | number>) =>
    inTransaction(db, async (trx) => {
      if (!(await change(trx))) return false;
      await appendEvent(trx, key, event);
      return true;
    });

  return {
    isChannelApproved,
    lostApproval,

    approveChannel: ({ subject, by, at, purpose }: NewApproval) =>
      recorded({ kind: 'approved', at, person: by, place: subject, details: { purpose } }, (trx) =>
        addRow(trx, 'approved_channels', { channel: subject, approved_by: by, approved_at: at }),
      ),

    /** Returns false if it was not approved. */
    withdrawChannel: (channel: string, { by, at }: Actor) =>
      recorded({ kind: 'withdrawn', at, person: by, place: channel }, (trx) =>
        deleteRows(trx, 'approved_channels', { channel }),
      ),

    async approvedChannels() {
      return db
        .selectFrom('approved_channels')
        .select(['channel as subject', 'approved_by as by', 'approved_at as at'])
        .orderBy('approved_at')
        .orderBy('channel')
        .execute();
    },

    releaseKey: ({ subject, by, at, purpose }: NewApproval) =>
      recorded({ kind: 'released', at, person: by, details: { key: subject, purpose } }, (trx) =>
        addRow(trx, 'released_keys', { metadata_key: subject, released_by: by, released_at: at }),
      ),

    /** Returns false if it was not released. */
    withdrawKey: (metadataKey: string, { by, at }: Actor) =>
      recorded({ kind: 'withdrawn', at, person: by, details: { key: metadataKey } }, (trx) =>
        deleteRows(trx, 'released_keys', { metadata_key: metadataKey }),
      ),

    async releasedKeys() {
      return (await allReleasedKeys(db, {})).rows;
    },

    /** Records that a channel is shared with another organization. It loses its approval: later, only a new one counts. */
    async markShared(channel: string, at: number) {
      // The usual case writes nothing.
      if ((await lostApproval(channel)) && !(await isChannelApproved(channel))) return;
      await inTransaction(db, async (trx) => {
        const isNew = await addRow(trx, 'shared_channels', { channel, shared_at: at });
        const withdrawn = await deleteRows(trx, 'approved_channels', { channel });
        if (!isNew && withdrawn === 0) return;
        await appendEvent(trx, key, { kind: 'withdrawn', at, place: channel, details: { why: 'shared' } });
      });
    },

    /** Records a request for approval of a channel. Returns false if there was one on that `day` (`2026-11-22`). */
    async requestApproval(channel: string, by: string, day: string) {
      const request = { day, requested_by: by, decided: 0 };
      const entered = await db
        .insertInto('approval_requests')
        .values({ channel, ...request })
        .onConflict((conflict) =>
          conflict.column('channel').doUpdateSet(request).where('approval_requests.day', '!=', day),
        )
        .executeTakeFirst();
      return (entered.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    /** Closes the open request of a channel. Returns false if it was decided already, or there is none. */
    decideRequest: async (channel: string) =>
      (await changeRows(db, 'approval_requests', { channel, decided: 0 }, { decided: 1 })) > 0,
  };
}

export type Approvals = ReturnType<typeof approvalsIn>;
