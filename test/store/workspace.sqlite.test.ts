import Sqlite, { type Database } from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { peopleSetOf } from '../../src/access/people-set.js';
import { unlimitedScope } from '../../src/access/scope.js';
import { newAlert } from '../../src/digests/alert.js';
import type { OutageCause } from '../../src/digests/outage.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import type { AnswerTotals } from '../../src/runner/answer-parts.js';
import { recordKeyOf } from '../../src/store/access/event-chain.js';
import { always, namesOf } from '../../src/store/access/person-numbers.js';
import { openDatabase } from '../../src/store/database/database.js';
import { expiringTables } from '../../src/store/database/expiry.js';
import type { Tables } from '../../src/store/database/schema.js';
import { tableNames } from '../../src/store/database/schema.js';
import { WorkspacePlugin } from '../../src/store/database/workspace.js';
import { openStore, storeIn } from '../../src/store/store.js';
import { accepted } from '../results.js';
import { found, settings } from './digest-setup.js';
import { freshFolder, recordKey } from './fresh-folder.js';

const folder = freshFolder();
const path = () => folder.path('rollcall.db');
const now = 1_795_000_000_000;

/** An event of evidence that no record has. */
const link = {
  event: {
    ...({ seq: 1, at: 1, kind: 'evidence-made', person: null, place: null } as const),
    ...{ report: null, subjects: [] },
    ...{ details_hash: 'a', previous_hash: '', hash: 'b', key_id: 'c' },
  },
  ...{ salt: '', details: '{}', people: {} },
} as const;
type Rows = Record<string, readonly Record<string, unknown>[]>;

function rowsIn(database: Database, where = ''): Rows {
  return Object.fromEntries(
    tableNames.map((table) => [
      table,
      database.prepare(`SELECT * FROM ${table} ${where} ORDER BY rowid`).all() as Record<string, unknown>[],
    ]),
  );
}

describe('a store of one workspace', () => {
  const request: ReportRequest = {
    ...plainRequest('engagement'),
    filters: [{ object: 'user_filter', member: 'email', entries: ['ada@example.com'] }],
  };
  const of = { run: { kind: 'asker', channel: 'C1' }, asker: 'U1', request, scope: unlimitedScope } as const;
  const totals = { zone: 'UTC', requestedAt: 1 } as AnswerTotals;
  const answer = { asker: 'U1', request, scope: unlimitedScope, totals };
  const unit = { figures: { report: 'engagement' } } as never;
  const actor = { by: 'U1', at: 1 };
  const ada = { kind: 'person', id: 'U1' } as const;
  type AnyStore = ReturnType<typeof storeIn<object>>;

  let whole: Kysely<Tables>;
  let watcher: Database;
  beforeEach(() => {
    whole = openDatabase(path(), () => now);
    watcher = new Sqlite(path());
  });
  afterEach(async () => {
    watcher.close();
    await whole.destroy();
  });

  const storeOf = (workspace: string): AnyStore =>
    storeIn(whole.withPlugin(new WorkspacePlugin(() => workspace)), () => now, 'one', recordKeyOf(recordKey));

  const when = { kind: 'changed' } as const;
  const alertOf = (id: string) => ({
    run: { kind: 'digest', id } as const,
    asker: 'U1',
    request,
    scope: unlimitedScope,
    when,
  });
  const managersEnd = {
    sent: 1,
    unconfirmed: 0,
    nothingToTell: 0,
    declined: 0,
    failed: {},
    rows: 1,
    withoutManager: 0,
    severalManagers: 0,
    ownManager: 0,
    notReached: [{ who: 'a@example.com', why: 'guest' }],
  };
  const delivery = { key: 'e1', person: 'U1', payload: '{}', request: 'r1', arrivedAt: 1 };
  const typed = {
    form: 'f1',
    field: 'content',
    person: 'U1',
    place: 'C1',
    report: 'assignments' as const,
    content: 'x',
  };
  const bob = { userid: '4711', email: 'bob@example.com' };
  const sent = {
    post: 'sent1',
    at: 1,
    recipient: 'U1',
    report: 'tracks',
    what: 'rows',
    place: 'direct',
  } as const;
  const everyNumber = Array.from({ length: 9 }, (_, number) => ({ number, ...always }));
  const person = { account: 'U1', emails: ['ada@example.com'] };
  const anybody = {
    account: undefined,
    addresses: [{ email: 'ada@example.com', ...always }],
    wanted: everyNumber,
  };
  /** Numbers stay a while longer than what they are in. */
  const far = Date.now() + 30 * 24 * 3_600_000;
  const turnLimits = { maxRequestsPerMinute: 50, maxParallelRequests: 2 };

  /** Puts something into every table. Returns its IDs. */
  async function fill(store: AnyStore) {
    await store.events.append({ kind: 'evidence-made', at: now - 9, details: {} });
    await store.events.deleteBefore(now - 8, 9);
    const asked = await store.requestLog.record({ channel: 'C1', asker: 'U1', request, requestedAt: 1 });
    await store.ledger.markPosting({ id: asked, worker: null });
    const message = { channel: 'C1', ts: '1.2' };
    const item = { kind: 'file', channel: 'C1', item: 'F1' } as const;
    await store.queryTurns.take({ id: 'turn', urgency: 'person' }, turnLimits);
    await store.longQuestions.open('question');
    await store.channelAges.set('C1', 1, 'U1', 1);
    await store.ledger.markPosted({ id: asked, worker: null }, { message, fileFollows: true, item }, 1);
    await store.approvals.approveChannel({ subject: 'C1', by: 'U1', at: 1 });
    await store.approvals.markShared('C2', 1);
    await store.approvals.requestApproval('C1', 'U1', '2026-11-22');
    await store.approvals.releaseKey({ subject: 'cost_center', by: 'U1', at: 1 });
    await store.accessRules.set({ subject: ada, level: 'team' }, actor);
    await store.admins.add('U1', 'U2', 1);
    await store.useRecordKey(async () => false);
    await store.events.append({ kind: 'asked', at: 1, person: 'U1', subjects: ['ada@example.com'] });
    await store.seenDeliveries.add([{ envelope: 'e1', seenAt: 1 }]);
    await store.inbox.add([delivery]);
    await store.lastFigures.save(of, { overdue: 1 }, 1);
    await store.answerTotals.keep(asked, asked, answer, 1);
    await (await store.unitTotals.open('1')).keep(unit);
    const form = await store.builderDrafts.open('U1', {}, 1);
    await store.suggestions.add([{ list: 'teams', entry: 'One', title: 'The one', people: 5 }], 1);
    await store.formSearches.note(typed, 1);
    await store.personNumbers.noteAccounts([{ id: 'U1', email: 'ada@example.com' }]);
    await store.sentRows.saveOf(sent, [bob]);
    await store.recordSettings.showAskerNames(true, actor);
    await store.recordSettings.noteOperatorSettings({ MCP: 'yes' }, now);
    const saved = await store.savedReports.save({ channel: 'C1', name: 'A', request, createdBy: 'U1' }, 1);
    const alert = await store.digests.add({ ...settings, channel: 'C7', when }, 'U1', undefined, 1);
    const checked = found(await store.ledger.enterNow(found(await store.digests.find(alert)), 'a', 1));
    await store.ledger.claim({ worker: 'w', now: 1, leaseMs: 9, limit: 1, busyChannels: [] });
    await store.ledger.markSkipped({ id: checked, worker: 'w' }, 1, {
      why: { code: 'x' },
      rows: 1,
      alert: { of: alertOf(alert), state: { ...newAlert, askedAt: 1 }, usesAcceptedDrop: false },
    });
    const digest = await store.digests.add(settings, 'U1', 5, 1);
    await store.digests.offer(digest, 1, 'U2', 1);
    // Only a migration adds rows like this.
    const waiting = await store.ledger.enterNow(found(await store.digests.find(digest)), 'a', 1);
    const forManagers = await store.digests.add({ ...settings, audience: 'managers' }, 'U1', undefined, 1);
    await store.managerReaders.keep(forManagers, 'U3', { rows: 1, takenAt: 1, knownRows: 'a' });
    await store.managerReaders.decline(forManagers, 'U3', true);
    const stopped = await store.ledger.enterNow(found(await store.digests.find(forManagers)), 'b', 1);
    await store.ledger.skipWaiting(forManagers, 'by-hand', 1);
    const stoppedClaim = { id: found(stopped), worker: 'w' };
    await store.ledger.keepStoppedManagersRun(
      stoppedClaim,
      { end: managersEnd, digest: forManagers },
      undefined,
      1,
    );
    const draft = await store.digestDrafts.open(
      'U1',
      { ...settings, cadence: settings.schedule.cadence, zone: 'UTC' },
      1,
    );
    await store.digestNotifications.add(['U1'], { kind: 'failed', subject: 'r1' }, 1);
    const [notice] = await store.digestNotifications.ready(now, 9);
    const { outage } = await store.digestOutages.begin('slack', { code: 'x' }, 1);
    return {
      asked,
      form,
      saved: accepted(saved),
      digest,
      forManagers,
      alert,
      checked,
      waiting: found(waiting),
      draft,
      outage: outage.id,
      notice: found(notice).id,
    };
  }

  /** Every method of the store, with what concerns the IDs. `later`: what other calls must come before. */
  function everyCall(store: AnyStore, ids: Awaited<ReturnType<typeof fill>>) {
    const { asked, form, saved, digest, forManagers, alert, checked, waiting, draft, outage } = ids;
    const held = { id: asked, worker: null };
    const item = { kind: 'file', channel: 'C1', item: 'F1' } as const;
    const run = { id: waiting, worker: 'w' };
    const why = { code: 'x' };
    const subject = { recipient: 'U1', kind: 'failed', subject: 'r1' } as const;
    const notice = { ...subject, id: ids.notice, createdAt: 1 };
    const one: OutageCause = 'slack';
    const claim = { worker: 'w', now: 9, leaseMs: 9, limit: 9, busyChannels: ['C9'] };
    const anyDigest = {
      ...settings,
      id: digest,
      createdBy: 'U1',
      state: 'active',
      revision: 1,
      failures: 0,
      createdAt: 1,
      nextDue: 5,
    } as const;
    const due = { digest: anyDigest, run: { dueAt: 5, dedupeKey: 'a', missed: 0, late: false }, nextDue: 9 };
    const entry = { channel: 'C1', asker: 'U1', request, requestedAt: 1 };
    const range = {
      words: 'today',
      zone: 'UTC',
      from: 1,
      until: 2,
      firstDay: '2026-11-22',
      lastDay: '2026-11-22',
    };
    return {
      requestLog: {
        stillWanted: () => store.requestLog.stillWanted([waiting]),
        cancelled: () => store.requestLog.cancelled([asked]),
        isOfThisProcess: () => store.requestLog.isOfThisProcess(asked),
        cancel: () => store.requestLog.cancel(asked, 'U1', 1),
        find: () => store.requestLog.find(asked),
        interrupted: () => store.requestLog.interrupted(),
        latestInThread: () => store.requestLog.latestInThread('C1', '1.1'),
        recentOf: () => store.requestLog.recentOf('U1', 9),
        recent: () => store.requestLog.recent(0, 9),
        withdraw: () => store.requestLog.withdraw(asked),
        deleteBefore: () => store.requestLog.deleteBefore(now, 99),
        record: () => store.requestLog.record(entry),
        recordForPost: () => store.requestLog.recordForPost(waiting, entry),
        ofPost: () => store.requestLog.ofPost(asked),
      },
      queryTurns: {
        holders: () => store.queryTurns.holders(),
        markSeen: () => store.queryTurns.markSeen('turn'),
        end: () => store.queryTurns.end('turn'),
        endAllOf: () => store.queryTurns.endAllOf('one'),
        pauseFor: () => store.queryTurns.pauseFor(1),
        take: () => store.queryTurns.take({ id: 'another', urgency: 'person' }, turnLimits),
      },
      longQuestions: {
        idOf: () => store.longQuestions.idOf('question'),
        find: () => store.longQuestions.find('question', 'one'),
        calls: () => store.longQuestions.calls(),
        call: () => store.longQuestions.call('question', 'call'),
        hangUp: () => store.longQuestions.hangUp('question', 'call'),
        reply: () => store.longQuestions.reply('question', 'call', '{}'),
        close: () => store.longQuestions.close('question'),
        open: () => store.longQuestions.open('question'),
      },
      approvals: {
        isChannelApproved: () => store.approvals.isChannelApproved('C1'),
        approvedChannels: () => store.approvals.approvedChannels(),
        releasedKeys: () => store.approvals.releasedKeys(),
        lostApproval: () => store.approvals.lostApproval('C2'),
        decideRequest: () => store.approvals.decideRequest('C1'),
        withdrawChannel: () => store.approvals.withdrawChannel('C1', actor),
        withdrawKey: () => store.approvals.withdrawKey('cost_center', actor),
        approveChannel: () => store.approvals.approveChannel({ subject: 'C1', by: 'U5', at: 9 }),
        releaseKey: () => store.approvals.releaseKey({ subject: 'cost_center', by: 'U5', at: 9 }),
        markShared: () => store.approvals.markShared('C1', 9),
        requestApproval: () => store.approvals.requestApproval('C1', 'U5', '2026-11-23'),
      },
      accessRules: {
        all: () => store.accessRules.all(),
        remove: () => store.accessRules.remove(ada, undefined, actor),
        removeSubject: () => store.accessRules.removeSubject(ada, actor),
        set: () => store.accessRules.set({ subject: ada, level: 'nothing' }, { by: 'U5', at: 9 }),
      },
      admins: {
        all: () => store.admins.all(),
        remove: () => store.admins.remove('U1', actor, () => true),
        add: () => store.admins.add('U1', 'U5', 9),
      },
      events: {
        head: () => store.events.head(),
        newest: () => store.events.newest({ people: ['U1'] }, 9),
        oldest: () => store.events.oldest({}, 9),
        verify: () => store.events.verify(),
        wasAnybodyErased: () => store.events.wasAnybodyErased(0),
        deleteBefore: () => store.events.deleteBefore(now, 99),
        append: () => store.events.append({ kind: 'asked', at: 9, person: 'U1' }),
      },
      evidence: {
        linkAt: () => store.evidence.linkAt(2),
        headsThrough: async () => {
          for await (const heads of store.evidence.headsThrough(0)) return heads;
        },
        compare: () => store.evidence.compare(link),
        madeAs: () => store.evidence.madeAs('a'.repeat(64)),
        differing: () => store.evidence.differing([{ seq: 2, hash: 'a' }]),
      },
      inbox: {
        holders: () => store.inbox.holders(),
        end: () => store.inbox.end(['e1']),
        countUrlUse: () => store.inbox.countUrlUse('e1'),
        saveProgress: () => store.inbox.saveProgress('r1', { channel: 'C1', ts: '1.2' }),
        release: () => store.inbox.release('r1'),
        take: () => store.inbox.take('one', 9, { arrivedAfter: 0, maxAttempts: 9 }),
        add: () => store.inbox.add([delivery]),
      },
      seenDeliveries: {
        has: () => store.seenDeliveries.has('e1'),
        latest: () => store.seenDeliveries.latest(9),
        add: () => store.seenDeliveries.add([{ envelope: 'e1', seenAt: 9 }]),
        // Another workspace has it, so it is new here.
        claim: async () => !(await store.seenDeliveries.claim('e1', 9)),
      },
      postedItems: {
        add: () => store.postedItems.add({ kind: 'file', channel: 'C1', item: 'F9' }, 9),
        due: () => store.postedItems.due(2 * 86_400_000, 9),
        countDue: () => store.postedItems.countDue(2 * 86_400_000),
        postpone: () => store.postedItems.postpone(item, 9, true),
        end: () => store.postedItems.end(item, 9),
      },
      channelAges: {
        find: () => store.channelAges.find('C1'),
        all: () => store.channelAges.all(),
        set: () => store.channelAges.set('C1', 9, 'U1', 9),
      },
      lastFigures: {
        find: () => store.lastFigures.find(of),
        deleteBefore: () => store.lastFigures.deleteBefore(now, 99),
        save: () => store.lastFigures.save(of, { overdue: 9 }, 9),
      },
      answerTotals: {
        find: () => store.answerTotals.find(asked),
        addChanges: () => store.answerTotals.addChanges(asked, answer.totals),
        keep: () => store.answerTotals.keep(asked, asked, { ...answer, asker: 'U5' }, 9),
      },
      unitTotals: {
        open: async () => (await (await store.unitTotals.open('1')).keep(unit)) ?? store.unitTotals.open('1'),
      },
      builderDrafts: {
        find: () => store.builderDrafts.find(form, 'U1'),
        countOf: () => store.builderDrafts.countOf('U1'),
        change: () => store.builderDrafts.change(form, 'U1', 9, () => ({ changed: true })),
        use: () => store.builderDrafts.use(form, 'U1', 9),
        keepNewest: () => store.builderDrafts.keepNewest('U1', 0),
        open: () => store.builderDrafts.open('U1', {}, 9),
      },
      personNumbers: {
        numbersOf: () => store.personNumbers.numbersOf(namesOf([bob])),
        noteAccounts: () => store.personNumbers.noteAccounts([{ id: 'U1', email: 'ada@example.com' }]),
        ofAccount: () => store.personNumbers.ofAccount('U1'),
        ofName: () => store.personNumbers.ofName('4711'),
        hasHadOther: () => store.personNumbers.hasHadOther('U1', 'other@example.com'),
        addressTimes: () => store.personNumbers.addressTimes('U1', ['ada@example.com']),
        accountsWith: () => store.personNumbers.accountsWith('ada@example.com', ['U1']),
        deleteBefore: () => store.personNumbers.deleteBefore(far, 99),
        deleteAccountsBefore: () => store.personNumbers.deleteAccountsBefore(far, 99),
      },
      sentRows: {
        findOf: () => store.sentRows.findOf(everyNumber, undefined, 99),
        save: () => store.sentRows.save({ ...sent, people: peopleSetOf([1]) }),
        saveOf: () => store.sentRows.saveOf(sent, [bob]),
      },
      ownRecord: {
        ownerOf: () => store.ownRecord.ownerOf('U9', undefined),
        ownerNamed: () => store.ownRecord.ownerNamed('ada@example.com'),
        entries: async () => (await store.ownRecord.entries(anybody, 9)).entries,
      },
      keptData: {
        tables: async () => undefined,
        rowsOf: async () => (await store.keptData.rowsOf('requests', person).next()).value,
        namedByOthers: async () => (await store.keptData.namedByOthers(anybody).next()).value,
      },
      recordSettings: {
        askerNamesFrom: () => store.recordSettings.askerNamesFrom(),
        showAskerNames: () => store.recordSettings.showAskerNames(false, actor),
        noteOperatorSettings: () => store.recordSettings.noteOperatorSettings({ MCP: 'no' }, now),
      },
      formSearches: {
        note: () => store.formSearches.note(typed, 9),
        record: () => store.formSearches.record({ before: now }),
      },
      suggestions: {
        find: () => store.suggestions.find(['teams'], '', 9, 1),
        all: () => store.suggestions.all(['teams'], 1),
        ofEntries: () => store.suggestions.ofEntries(['teams'], ['One'], 1),
        titlesOf: () => store.suggestions.titlesOf(['teams'], ['One'], 1),
        add: () => store.suggestions.add([{ list: 'teams', entry: 'One', people: 5 }], now),
      },
      savedReports: {
        all: () => store.savedReports.all(9),
        find: () => store.savedReports.find(saved),
        findByName: () => store.savedReports.findByName('C1', 'a'),
        namesIn: () => store.savedReports.namesIn('C1'),
        namedElsewhere: () => store.savedReports.namedElsewhere('C2', ['a'], 9),
        inChannels: () => store.savedReports.inChannels(['C1'], 9),
        ownedBy: () => store.savedReports.ownedBy('U1', 9),
        countOwnedBy: () => store.savedReports.countOwnedBy('U1'),
        recordRun: () => store.savedReports.recordRun(saved, 'U5', 9),
        change: () => store.savedReports.change(saved, 1, { name: 'B' }, 9),
        offer: () => store.savedReports.offer(saved, 1, 'U7', 9),
        accept: () => store.savedReports.accept(saved, 1, 'U7', 9),
        remove: () => store.savedReports.remove(saved, 9),
        restore: () => store.savedReports.restore(saved, 0),
        save: () => store.savedReports.save({ channel: 'C1', name: 'A', request, createdBy: 'U5' }, 9),
      },
      digestNotifications: {
        ready: () => store.digestNotifications.ready(now, 9),
        open: () => store.digestNotifications.open('U1', ['failed']),
        postpone: () => store.digestNotifications.postpone([ids.notice], 9),
        sent: () => store.digestNotifications.sent([ids.notice], { at: 9 }),
        resend: () => store.digestNotifications.resend('failed', 'r1', 9),
        rescheduleWaiting: () => store.digestNotifications.rescheduleWaiting(0, 0, 0),
        reassign: () => store.digestNotifications.reassign(notice, 'U5', 9),
        drop: () => store.digestNotifications.drop([ids.notice]),
        settle: () => store.digestNotifications.settle('r1'),
        add: () => store.digestNotifications.add(['U1'], subject, 9),
      },
      digestOutages: {
        find: () => store.digestOutages.find(outage),
        open: () => store.digestOutages.open(),
        end: () => store.digestOutages.end(one, 9),
        begin: () => store.digestOutages.begin(one, { code: 'y' }, 10),
      },
      digestDrafts: {
        find: () => store.digestDrafts.find(draft, 'U1'),
        countOf: () => store.digestDrafts.countOf('U1'),
        change: () => store.digestDrafts.change(draft, 'U1', 9, (one) => ({ ...one, zone: 'Europe/Berlin' })),
        use: () => store.digestDrafts.use(draft, 'U1', 9),
        keepNewest: () => store.digestDrafts.keepNewest('U1', 0),
        open: () =>
          store.digestDrafts.open('U1', { ...settings, cadence: settings.schedule.cadence, zone: 'UTC' }, 9),
      },
      ledger: {
        beginManagerPost: () =>
          store.ledger.beginManagerPost({ run: waiting, digest, user: 'U3', occurrence: 'a' }, 'w', 9),
        releaseManagerPost: () => store.ledger.releaseManagerPost(run),
        countManagerPosts: () => store.ledger.countManagerPosts(waiting),
        endManagersRun: () =>
          store.ledger.endManagersRun(
            run,
            { end: managersEnd, digest, coveredUntil: 9, zones: ['UTC'] },
            { kind: 'managers-run', recipients: ['U1'] },
            9,
          ),
        keepStoppedManagersRun: () =>
          store.ledger.keepStoppedManagersRun(
            { id: waiting, worker: 'w' },
            { end: managersEnd, digest },
            { kind: 'managers-run', recipients: ['U1'] },
            9,
          ),
        backlog: () => store.ledger.backlog(now, now),
        find: () => store.ledger.find(waiting),
        history: () => store.ledger.history(digest, 9),
        newest: () => store.ledger.newest([digest]),
        waitingOwners: () => store.ledger.waitingOwners(),
        makeReady: () => store.ledger.makeReady(9, 0),
        claim: () => store.ledger.claim(claim),
        leaseHolders: () => store.ledger.leaseHolders(),
        renewLeases: () => store.ledger.renewLeases([waiting], 'w', 99),
        markPosting: () =>
          store.ledger.markPosting(run, {
            rows: 1,
            late: false,
            answer: { range, kept: undefined, at: 9 },
          }),
        markUnconfirmed: () => store.ledger.markUnconfirmed(run, why, 9),
        settle: () => store.ledger.settle(waiting, 'sent-again', 9),
        release: () => store.ledger.release(run, 9, why, 'none'),
        reclaim: () => store.ledger.reclaim({ name: 'w', expired: false }, [], 9),
        markSkipped: () => store.ledger.markSkipped(held, 9),
        markDeleted: () => store.ledger.markDeleted(held, 9),
        markCancelled: () => store.ledger.markCancelled(held, 9),
        markFailed: () => store.ledger.markFailed(run, why, 9, undefined, 1),
        retry: () => store.ledger.retry(waiting, 9),
        markPosted: () => store.ledger.markPosted(run, { fileFollows: false }, 9),
        skipWaiting: () => store.ledger.skipWaiting(digest, 'by-hand', 9),
        enterNow: () => store.ledger.enterNow(anyDigest, 'a', 9_000),
        enter: () => store.ledger.enter([due], 9),
        beginDetails: () => store.ledger.beginDetails(asked, 'C1', 9),
      },
      managerReaders: {
        keyOfKnownRows: () => undefined,
        hashOf: () => undefined,
        findAll: () => store.managerReaders.findAll(forManagers),
        findKnownRows: () => store.managerReaders.findKnownRows(forManagers, ['U3']),
        findEnds: () => store.managerReaders.findEnds(['run']),
        findDeclined: () => store.managerReaders.findDeclined('U3'),
        countDeclined: () => store.managerReaders.countDeclined(forManagers),
        keep: () => store.managerReaders.keep(forManagers, 'U4', { rows: 1, takenAt: 1 }),
        decline: () => store.managerReaders.decline(forManagers, 'U4', true),
      },
      alertStates: {
        find: () => store.alertStates.find({ id: checked, digest: alert }, alertOf(alert)),
        ofDigests: () => store.alertStates.ofDigests([alertOf(alert)]),
        acceptDrop: () => store.alertStates.acceptDrop(alert),
        keyOfRows: async () => store.alertStates.keyOfRows(),
      },
      digests: {
        listForManagers: () => store.digests.listForManagers(),
        find: () => store.digests.find(digest),
        deleteBefore: () => store.digests.deleteBefore(now, 99),
        inChannel: () => store.digests.inChannel('C1', 9),
        inChannels: () => store.digests.inChannels(['C1'], 9),
        ownedBy: () => store.digests.ownedBy('U1', 9),
        countOwnedBy: () => store.digests.countOwnedBy('U1'),
        due: () => store.digests.due(now, 9),
        active: () => store.digests.active(9),
        reschedule: () => store.digests.reschedule([{ id: digest, revision: 1, previousDue: 5, nextDue: 6 }]),
        succeeded: () => store.digests.succeeded(digest),
        offer: () => store.digests.offer(digest, 1, 'U7', 9),
        change: () => store.digests.change(digest, 1, { owner: 'U7', nextDue: 9 }),
        quarantine: () => store.digests.quarantine(digest, 'unreadable'),
        delete: () => store.digests.delete(digest, 9),
        restore: () => store.digests.restore(digest, 0, 9),
        add: () => store.digests.add(settings, 'U5', 9, 9),
      },
      overview: {
        countRequests: () => store.overview.countRequests(0, 9),
        countDigests: () => store.overview.countDigests(),
        findDigests: () => store.overview.findDigests('U1', 9, 0),
        countOwnersOf: () => store.overview.countOwnersOf(1),
        countConversationsWith: () => store.overview.countConversationsWith(1),
        recentOutages: () => store.overview.recentOutages(0, 9),
      },
      erasePerson: {
        user: () => store.erasePerson('U1'),
        address: () => store.erasePerson('ada@example.com'),
      },
      installation: {
        uninstalledAt: () => store.installation.uninstalledAt(),
        markUninstalled: () => store.installation.markUninstalled(9),
        markInstalled: () => store.installation.markInstalled(9),
      },
      useRecordKey: { useRecordKey: () => store.useRecordKey(async () => true) },
      deleteBefore: Object.fromEntries(
        expiringTables.map((table) => [table, () => store.deleteBefore(table, now, 99)]),
      ),
      eraseAll: { eraseAll: () => store.eraseAll() },
    } satisfies Record<keyof AnyStore, object>;
  }

  const mine = "WHERE workspace = 'A'";
  const theirs = "WHERE workspace = 'B'";

  /** Gives another workspace the same rows with the same IDs. */
  function copyRows(from: string, to: string): void {
    for (const table of tableNames) {
      const [row = {}] = watcher.prepare(`SELECT * FROM ${table} LIMIT 1`).all() as object[];
      const columns = Object.keys(row).filter((name) => name !== 'workspace');
      watcher
        .prepare(
          `INSERT INTO ${table} (workspace, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE workspace = ?`,
        )
        .run(to, from);
    }
  }

  /** The calls that only read, and those that give what they claim. */
  const reads =
    /^(?:find\w*|list[A-Z]\w+|may[A-Z]\w+|of[A-Z]\w+|still\w+|names\w+|named\w+|count\w+|in[A-Z]\w+|owned\w+|due\w*|active|all|newest|oldest|has|latest\w*|recent\w*|since|interrupted|ready|history|titlesOf|is[A-Z]\w+|approved\w+|was[A-Z]\w+|released\w+|lost\w+|waiting\w+|leaseHolders|claim|reclaim)$/;

  it('has every method in the calls of these tests', async () => {
    const store = storeOf('B');
    const calls = everyCall(store, await fill(store));
    for (const [name, subject] of Object.entries(store)) {
      if (typeof subject === 'function') continue;
      expect(Object.keys(calls[name as keyof AnyStore]).sort(), name).toEqual(Object.keys(subject).sort());
    }
  });

  it('sees nothing of another workspace', async () => {
    const filled = await fill(storeOf('B'));
    for (const [table, rows] of Object.entries(rowsIn(watcher, theirs))) {
      expect(rows.length, table).toBeGreaterThan(0);
    }
    const calls = everyCall(storeOf('A'), filled);
    let count = 0;
    for (const [subject, some] of Object.entries(calls)) {
      for (const [name, call] of Object.entries(some)) {
        const result: unknown = await call();
        const text = JSON.stringify(result instanceof Map ? [...result] : result) ?? 'undefined';
        for (const id of Object.values(filled)) expect(text, `${subject}.${name}`).not.toContain(id);
        if (reads.test(name)) {
          expect(['undefined', 'false', '0', '[]'], `${subject}.${name}`).toContain(text);
          count += 1;
        }
        for (const table of tableNames) watcher.prepare(`DELETE FROM ${table} ${mine}`).run();
      }
    }
    expect(count).toBeGreaterThan(40);
  });

  it('reads the same whether or not another workspace has the same IDs', async () => {
    const filled = await fill(storeOf('B'));
    copyRows('B', 'A');
    const calls = everyCall(storeOf('A'), filled);
    const readAll = async () => {
      const read = new Map<string, unknown>();
      for (const [subject, some] of Object.entries(calls)) {
        for (const [name, call] of Object.entries(some)) {
          if (reads.test(name) && !/claim$/.test(name)) read.set(`${subject}.${name}`, await call());
        }
      }
      return read;
    };
    const beside = await readAll();
    for (const table of tableNames) watcher.prepare(`DELETE FROM ${table} ${theirs}`).run();
    const alone = await readAll();
    expect(beside).toEqual(alone);
    expect(beside.get('ledger.history')).toHaveLength(1);
    expect(beside.get('requestLog.recent')).toHaveLength(1);
  });

  it('changes and deletes nothing of another workspace that has the same IDs', async () => {
    const filled = await fill(storeOf('B'));
    const before = rowsIn(watcher, theirs);
    const calls = everyCall(storeOf('A'), filled);
    for (const [subject, some] of Object.entries(calls)) {
      copyRows('B', 'A');
      for (const [name, call] of Object.entries(some)) {
        await call();
        expect(rowsIn(watcher, theirs), `${subject}.${name}`).toEqual(before);
      }
      for (const table of tableNames) watcher.prepare(`DELETE FROM ${table} ${mine}`).run();
    }
  });

  it('refuses queries that it cannot limit', async () => {
    const db = whole.withPlugin(new WorkspacePlugin(() => 'A'));
    await expect(sql`SELECT * FROM posts`.execute(db)).rejects.toThrow(/SQL text that names tables/);
    const others = db.withTables<{ others: { id: string } }>();
    await expect(others.selectFrom('others').selectAll().execute()).rejects.toThrow(
      /others is not in the list/,
    );
    const copied = db
      .insertInto('seen_deliveries')
      .columns(['delivery', 'seen_at'])
      .expression(db.selectFrom('seen_deliveries').select(['delivery', 'seen_at']));
    await expect(copied.execute()).rejects.toThrow(/Only an INSERT of values/);
  });
});

describe('the workspace of a database', () => {
  it('is that of the first bot, and rows from before are its own', async () => {
    const store = await openStore(path(), () => now);
    await store.seenDeliveries.add([{ envelope: 'early', seenAt: 1 }]);
    await store.useWorkspace('T1');
    await store.seenDeliveries.add([{ envelope: 'late', seenAt: 2 }]);
    expect(await store.seenDeliveries.latest(9)).toEqual(['late', 'early']);
    await store.useWorkspace('T1');
    await store.close();
    // The command line has no Slack to tell it the workspace.
    const later = await openStore(path(), () => now);
    expect(await later.seenDeliveries.latest(9)).toEqual(['late', 'early']);
    const refusal = await later.useWorkspace('T2').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'database-of-another-workspace' });
    expect(refusal).toMatchObject({ details: { found: 'T1', wanted: 'T2', path: path() } });
    expect(await later.seenDeliveries.latest(9)).toEqual(['late', 'early']);
    await later.close();
  });
});
