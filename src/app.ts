import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withRefusalListener } from './access/record.js';
import { accessSettings, type Config } from './config/config.js';
import { type Log, randomId } from './logging/logger.js';
import type { Metrics, Workload } from './operations/metrics.js';
import { startDeleting } from './posts/delete-items.js';
import { numberPeople, openReportingApi } from './reporting-api/client.js';
import { versionOfService } from './reporting-api/filter-names.js';
import { type LeftOutSettings, leaveOut, watchLeftOut } from './reporting-api/left-out.js';
import { cacheFigures, shareAnswers } from './reporting-api/shared-answers.js';
import { writeTable } from './reporting-api/table-file.js';
import { firstLooks, recentLooks, startDailyLook } from './runner/daily-look.js';
import { digestScheduler, type Scheduler } from './scheduler/scheduler.js';

import { endRulesOfGroup, tellAdmins } from './slack/access/access-rules.js';
import { recentAnswersOf } from './slack/answers/answer-run.js';
import type { ListenerParts } from './slack/answers/context.js';
import { editBudget } from './slack/answers/progress.js';
import { runningRequests, watchOtherProcesses } from './slack/answers/running-requests.js';
import { takeOvers, watchEndedProcesses } from './slack/answers/take-over.js';
import { sendToSlackOnly } from './slack/context/request-context.js';
import { deleteFromSlack } from './slack/delivery/delete-item.js';
import { refusedBlocks } from './slack/delivery/post-message.js';
import { openAnswerFiles, shareFile } from './slack/delivery/upload.js';
import { digestPoster } from './slack/digests/poster.js';
import { accessDirectory } from './slack/directory/access.js';
import { readersOfChannel } from './slack/directory/channel-readers.js';
import { channelsOf, membershipsOf } from './slack/directory/channels.js';
import { managersOf } from './slack/directory/managers.js';
import { peopleOf } from './slack/directory/people.js';
import { userGroupsOf } from './slack/directory/user-groups.js';
import type { BuilderDraft } from './slack/forms/draft.js';
import { invalidateChanged, watchInstallation } from './slack/listeners/events.js';
import { homeOf } from './slack/listeners/home.js';
import { createRouter, routeTable } from './slack/listeners/router.js';
import { allRoutes } from './slack/listeners/routes.js';
import { hasScope } from './slack/manifest.js';
import { type AssistantCall, assistantRequests } from './slack/transport/assistant-requests.js';
import { connectToSlack } from './slack/transport/connect.js';
import { watchReach } from './slack/transport/reach.js';
import { startRecordingSearches } from './store/access/form-searches.js';
import { eraseUninstalled, logHead, startCleanup } from './store/cleanup.js';
import { isPostgresUrl } from './store/database/location.js';
import { type Membership, soleMember } from './store/membership.js';
import { openSignals } from './store/signals.js';
import { openStore } from './store/store.js';
import { type Clock, type Deadline, realClock, repeatedBy, stopDeadline } from './time/clock.js';

export interface AppParts {
  /** The time for ranges, due times and ages. */
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum posts per second of all digests. Absent: Slack's limit for a workspace. */
  readonly digestPostsPerSecond?: number;
  readonly metrics?: Partial<Metrics>;
  /** Who signs the requests of assistants, and their address. Absent: as the settings say. */
  readonly assistants?: { readonly signingSecret: string; readonly publicUrl: string };
  /** The processes on the database. Absent: this one alone. */
  readonly membership?: Membership;
  /** Called when this process begins to lead. */
  readonly onLead?: () => void;
  /** Called once if Slack answers other processes and not this one. It should stop, and they do its work. */
  readonly onCutOff?: () => void;
  /** Called once the disk did not take a commit. Every query fails from then on, so the process should end. */
  readonly onUnsaved?: (error: unknown) => void;
  /** Ends the wait for Slack while Slack cannot be reached. */
  readonly signal?: AbortSignal;
}

export type RunningApp = Awaited<ReturnType<typeof startApp>>;

/** Operators search for this line. */
const recordKeyChanged =
  'RECORD_KEY is not the key that the record of access had so far, because it was changed or lost. The record goes on from a checkpoint, and nobody can verify the events before it any more. What was hashed before names nobody any more: people do not see in their own record which files and rows held them before';

/** How often Rollcall looks which confirmed addresses Slack accounts have, for everybody's own record. */
const accountsEveryMs = 24 * 3_600_000;

/** A run of a digest counts as late this long after its due time. */
const lateAfterMs = 60_000;

/** Maximum edits of progress messages per minute, for all runs together. */
const editsPerMinute = 30;

/**
 * Builds all parts of the bot and starts it. Resolves when it can answer commands.
 *
 * @throws `database-unusable`, `database-too-new`, `database-of-another-workspace`, `slack-token-refused`, `cannot-listen`
 */
export async function startApp(config: Config, parts: AppParts) {
  const { clock, log, membership = soleMember(), metrics = {} } = parts;
  const { now } = clock;
  const { database, admins: configuredAdmins, smallestGroup, namesDaily } = config;
  const { weekStart, defaultZone, personLevelChannels, defaultAccess, asksPurpose, learningLinks } = config;
  const isShared = isPostgresUrl(database);
  let isStopping = false;
  let isUnsaved = false;
  /** Functions that close parts, in the order of opening. A stop calls them in reverse. */
  const opened: ((deadline: Deadline) => Promise<unknown>)[] = [];
  /** Functions that a stop calls first, because their work needs Slack. */
  const finishing: ((deadline: Deadline) => Promise<void>)[] = [];
  let finished: Promise<unknown> = Promise.resolve();
  const closeAll = async () => {
    isStopping = true;
    const deadline = stopDeadline();
    // Parts that wait for a database that is gone must not take the time in which people are told.
    finished = Promise.allSettled(finishing.map((finish) => finish(deadline)));
    for (const close of opened.splice(0).reverse()) {
      await deadline.waitFor(close(deadline)).catch((error: unknown) => {
        log.error({ err: error }, 'Something failed while Rollcall was stopping');
      });
    }
  };
  try {
    const unobserved = await openStore<BuilderDraft>(database, now, {
      process: membership.process,
      recordKey: config.recordKey,
      onUnsaved: (error) => {
        isUnsaved = true;
        parts.onUnsaved?.(error);
      },
    });
    opened.push(unobserved.close);
    const events = withRefusalListener(unobserved.events, (refusal) => metrics.requestRefused?.(refusal));
    const store = { ...unobserved, events };
    // Only a process that joined the others can prove that it leads.
    const leading = parts.membership ? { ...unobserved.leading, events } : store;
    // Before Slack is asked, which refuses the token of an app that was uninstalled.
    await eraseUninstalled(store, now(), log);
    opened.push(() => logHead(store, log));
    // Files are made beside an SQLite file, and in `data` with PostgreSQL.
    const files = await openAnswerFiles(join(isShared ? 'data' : dirname(database), 'answers'));
    opened.push(files.close);
    let lookAgain = () => {};
    const reporting = openReportingApi(config.reporting, {
      log,
      onThreadDied: () => lookAgain(),
      onQueueWait: metrics.waitedForRateLimit,
      onBytes: metrics.bytesRead,
      shared: isShared ? { turns: store.queryTurns, newId: randomId, log } : undefined,
    });
    opened.push(reporting.close);
    const reuse = { now, wasAnybodyErased: store.events.wasAnybodyErased };
    const shared = shareAnswers(numberPeople(reporting.source, store.personNumbers), {
      ...reuse,
      log,
      onSaved: () => metrics.querySaved?.('shared'),
    });
    opened.push(shared.close);
    const find = routeTable(allRoutes());
    const { transport } = config.slack;
    const ofHttp = transport.mode === 'http' ? transport : undefined;
    const assistants =
      parts.assistants ?? (ofHttp && config.assistants && { ...ofHttp, ...config.assistants });
    let answerAssistants: ((request: Request, call: AssistantCall) => Promise<Response>) | undefined;
    const forAssistants =
      assistants &&
      ((teamId: string) =>
        assistantRequests({
          ...assistants,
          teamId,
          claim: (key) => store.seenDeliveries.claim(key, now()),
          serve: async (request, call) =>
            answerAssistants && !isStopping
              ? answerAssistants(request, call)
              : new Response(null, { status: 503 }),
          log,
        }));
    const slack = await connectToSlack(config.slack, {
      log,
      seenDeliveries: store.seenDeliveries,
      inbox: store.inbox,
      find,
      membership,
      hasOthers: membership.hasOthers,
      clock,
      sleep: realClock.sleep,
      onSlackError: metrics.slackFailed,
      onAcknowledged: metrics.acknowledged,
      signal: parts.signal,
      forAssistants,
    });
    opened.push((deadline) => slack.stop(deadline, finished));
    await store.useWorkspace(slack.teamId);
    const otherwiseKeyed = await store.useRecordKey(membership.hasEnded);
    if (otherwiseKeyed) {
      const { seq, hash } = otherwiseKeyed;
      log.warn({ head: `${seq}:${hash}` }, recordKeyChanged);
    }
    // Where Slack accepts the token, the app is installed.
    const markInstalled = async ({ installation }: Pick<typeof store, 'installation'>) => {
      const isAgain = await installation.markInstalled(now());
      if (isAgain) log.info({}, 'Rollcall was installed again, so its digests continue');
      return isAgain;
    };
    await markInstalled(store);
    const settings = accessSettings(config, assistants !== undefined);
    await store.recordSettings.noteOperatorSettings(settings, now());
    const { clients } = slack;
    const monotonic = () => performance.now();
    const running = runningRequests();
    finishing.push(running.stop);
    const signals = await openSignals(database, membership.process, log);
    opened.push(signals.close);
    opened.push(watchOtherProcesses(running, store.requestLog, signals, log));

    const people = peopleOf(
      clients.reading,
      { teamId: slack.teamId, trustEmail: config.slack.trustEmail },
      monotonic,
    );
    const access = accessDirectory({
      client: clients.reading,
      people,
      store,
      configuredAdmins,
      defaultAccess,
      groupIsGone: (group) =>
        void endRulesOfGroup(group, { store, configuredAdmins, client: clients.posting, clock, log }),
      now: monotonic,
    });
    const cached = cacheFigures(shared.source, { ...reuse, onSaved: () => metrics.querySaved?.('kept') });
    const leftOut =
      config.leftOut &&
      followLeftOut(config.leftOut, log, (why) => {
        // Each process reads the file, and one of them tells.
        if (!membership.leads()) return;
        const parts = { client: clients.posting, log };
        access.admins().then(
          (admins) => tellAdmins(admins, `${why} Tell your operator.`, parts),
          (err: unknown) => log.error({ err }, 'The admins could not be found'),
        );
      });
    opened.push(async () => leftOut?.stop());
    const leaving =
      leftOut && leaveOut(cached, { current: leftOut.current, smallestGroup, key: config.reporting.token });
    const source = leaving ?? cached;
    const looks = recentLooks(now);
    const common = {
      looks,
      firstLooks: namesDaily ? firstLooks(clock) : undefined,
      source,
      listOfLeftOut: leaving?.list,
      serviceVersion: versionOfService(config.reporting),
      weekStart,
      writeTable,
      unitTotals: store.unitTotals,
      queriesInParallel: config.reporting.maxParallelRequests > 1,
      defaultZone,
      admins: access.admins,
      personLevelChannels,
      store,
      files,
      people,
      directory: people,
      names: people,
      access,
      defaultAccess,
      configuredAdmins,
      userGroups: userGroupsOf(clients.reading, monotonic),
      smallestGroup,
      asksPurpose,
      keepRecordDays: config.keepRecordDays,
      settings,
      learningLinks,
      isListed: (member: string) => config.reporting.names?.has(member) ?? false,
      channels: channelsOf(clients.reading, monotonic, (channel) =>
        store.approvals.markShared(channel, now()),
      ),
      client: clients.posting,
      share: shareFile(clients.posting, clients.dispatcher),
      refused: refusedBlocks(monotonic),
      recentAnswers: recentAnswersOf(),
      clock,
      log,
      memberships: membershipsOf(clients.reading, monotonic),
      botUserId: slack.botUserId,
      workspaceUrl: slack.workspaceUrl,
      mayJoinChannels: hasScope(slack.scopes, 'channels:join'),
      interactive: clients.interactive,
      signals,
      membership,
    };
    invalidateChanged(signals, common);
    const managers = managersOf(common, (user) => home.changed(user));
    const home = homeOf({ ...common, managers });
    const noteInstallation = async () => {
      if (await markInstalled(leading)) scheduler.checkNow();
    };
    const scheduler: Scheduler = digestScheduler({
      worker: membership.process,
      ...common,
      store: leading,
      poster: digestPoster({ ...common, store: leading, onManagersRun: metrics.managersRunEnded }),
      monotonic,
      prepareOwners: people.prepare,
      onRunEnd: metrics.digestEnded,
      onTokenAccepted: noteInstallation,
      isAsked: () => running.lengths().running > 0,
      postsPerSecond: parts.digestPostsPerSecond,
    });
    reporting.onAnswer(scheduler.serviceAnswered);
    signals.on('token-refused', () => {
      if (membership.leads()) scheduler.tokenRefused();
    });
    const sendToSlack = sendToSlackOnly(clients.fetch, config.slack.apiUrl);
    const listenerParts: ListenerParts = {
      ...common,
      home,
      managers,
      scheduler,
      readersOf: (channel) => readersOfChannel(channel, { ...common, client: clients.reading }),
      repliesInAcknowledgements: config.slack.transport.mode === 'http',
      send: async (url, init) => {
        slack.inbox.urlUsed(String(url));
        return sendToSlack(url, init);
      },
      progressShown: slack.inbox.progressShown,
      handOver: async (id) =>
        membership.isLost || ((await membership.hasOthers()) && (await store.inbox.release(id))),
      edits: editBudget(editsPerMinute, monotonic),
      running,
      requestsChanged: home.changed,
      ended: metrics.requestEnded,
    };
    slack.listen(createRouter(find, listenerParts));
    if (assistants) {
      // Most processes serve none, and the library takes a tenth of a second to load.
      const { serveAssistants } = await import('./slack/assistants/serve.js');
      const served = serveAssistants({ ...listenerParts, membership }, isShared, metrics.assistantCalled);
      answerAssistants = served.answer;
      opened.push(served.stop);
    }
    const takingOver = takeOvers({
      ...common,
      takeOver: slack.takeOver,
      unsaved: slack.inbox.unsaved,
      goesOn: isShared,
      onTakenOver: metrics.tookOver,
    });
    finishing.push(takingOver.stop);
    await slack.start();
    if (isShared) takingOver.start();
    if (namesDaily) {
      opened.push(
        startDailyLook({
          source,
          suggestions: store.suggestions,
          recent: looks,
          clock,
          smallestGroup,
          maxRangeDays: config.reporting.maxRangeDays,
          wasAnybodyErased: reuse.wasAnybodyErased,
          log,
          onLost: (again) => {
            lookAgain = again;
          },
          onEnded(report, outcome) {
            common.firstLooks?.ended(report, outcome);
            metrics.looked?.(report, outcome);
          },
        }),
      );
    }
    const stopWatching = watchReach({
      reach: clients.reach,
      probe: () => clients.interactive.auth.test(),
      signals,
      process: membership.process,
      log,
      onCutOff: parts.onCutOff ?? (() => {}),
    });
    opened.push(async () => stopWatching());
    const noteAccounts = async () => {
      const accounts: { readonly id: string; readonly email: string }[] = [];
      await people.readAll(({ id, standing, confirmedEmail: email }) => {
        if (standing === 'member' && email !== undefined) accounts.push({ id, email });
        return false;
      });
      await leading.personNumbers.noteAccounts(accounts);
    };
    membership.onLead(() => {
      if (isStopping) return;
      parts.onLead?.();
      opened.push(
        startCleanup(leading, clock, log, config.keepRecordDays),
        startRecordingSearches(leading, clock, log),
        repeatedBy(clock, accountsEveryMs, noteAccounts, (err) =>
          log.warn({ err }, 'The accounts of the workspace could not be read. Rollcall tries again tomorrow'),
        ),
      );
      scheduler.start();
      finishing.push(
        watchEndedProcesses({ ...common, takeOvers: takingOver }),
        watchInstallation(noteInstallation, common),
        startDeleting({
          store: leading,
          clock,
          log,
          deleteItem: (item) => deleteFromSlack(item, clients.posting),
        }),
        scheduler.stop,
      );
    });
    return {
      /** Handles requests of assistants that come on another way than the requests of Slack. */
      handleAssistant: forAssistants?.(slack.teamId),
      /** Whether Slack can reach the bot, and the outages that digests wait for. */
      state() {
        const connection = slack.state();
        const ready = connection.ready && !isUnsaved;
        return { ...connection, ready, leads: membership.leads(), outages: scheduler.outages() };
      },
      async workload(): Promise<Workload> {
        return {
          requests: running.lengths(),
          queries: reporting.queries(),
          digests: await store.ledger.backlog(now(), now() - lateAfterMs),
          deletions: await store.postedItems.countDue(now()),
          events: (await store.events.head()).seq,
        };
      },
      /** Stops runs, notifies their askers, and closes all parts, last opened first, within one deadline. */
      stop: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

const leftOutLookMs = 2000;

function followLeftOut(settings: LeftOutSettings, log: Log, onUnusable: (why: string) => void) {
  return watchLeftOut(settings, {
    async versionOf(path) {
      const { mtimeMs, ctimeMs, size, ino } = await stat(path);
      return [mtimeMs, ctimeMs, size, ino].join(' ');
    },
    read: (path) => readFile(path, 'utf8'),
    every(callback) {
      const timer = setInterval(callback, leftOutLookMs).unref();
      return () => clearInterval(timer);
    },
    onUnusable,
    log,
  });
}
