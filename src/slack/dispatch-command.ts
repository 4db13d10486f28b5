import type { ReportName } from '../catalogue/index.js';
import { helpFor } from '../requests/help.js';
import {
  dependsOnSavedNames,
  parseCommand,
  type ScheduleCommand,
  type TypedOptions,
} from '../requests/parse-command.js';
import type { ReportRequest } from '../requests/request.js';
import { notifyAsker, tellWhereAsked } from './delivery/notify-asker.js';
import type { OutgoingMessage } from './delivery/post-message.js';
import { proposeByWords } from './digests/propose.js';
import type { ListenerParts } from './listeners/context.js';
import { accessMessage, auditMessage } from './messages/access.js';
import { helpMessage } from './messages/help.js';
import { notice, problemMessage } from './messages/notices.js';
import { openFormMessage } from './modals/builder/view.js';
import {
  type ConversationRef,
  receiveRequest,
  resolveAsker,
  resolveConversation,
} from './request-context.js';
import { showList } from './saved/list.js';
import { runSavedByName } from './saved/run-saved-report.js';
import { saveFromCommand } from './saved/saved-reports.js';

/** What words call for in a place, where they can name what is saved there. */
export async function parseInChannel(
  typed: string,
  channel: string,
  { store }: Pick<ListenerParts, 'store'>,
): Promise<DispatchedCommand> {
  return parseTyped(typed, dependsOnSavedNames(typed) ? await store.savedReports.namesIn(channel) : []);
}

/**
 * Does what words call for, however they came.
 *
 * @param openForm where Slack gives leave to open the builder at once; elsewhere a button offers it
 */
export async function dispatchCommand(
  understood: DispatchedCommand,
  asked: ConversationRef,
  parts: ListenerParts,
  openForm?: () => Promise<void>,
): Promise<void> {
  switch (understood.kind) {
    case 'run':
      return receiveRequest({ ...asked, ...understood }, parts);
    case 'saved':
      return runSavedByName(understood.name, understood, asked, parts);
    case 'save':
      return saveFromCommand(understood, asked, parts);
    case 'schedule':
      return proposeByWords(understood, asked, parts);
    case 'list':
      return showList(asked, parts);
    case 'access':
    case 'audit':
      return adminPage(understood.kind, asked, parts);
    case 'builder':
      if (openForm) return openForm();
      return void (await tellWhereAsked(openFormMessage, asked, parts));
    case 'reply':
      return void (await tellWhereAsked(understood.message, asked, parts));
  }
}

/**
 * What words call for: an answer that needs nothing but the words, a run, the builder, saved reports, or one of the
 * admins' pages.
 */
export type DispatchedCommand =
  | { readonly kind: 'reply'; readonly message: OutgoingMessage }
  | { readonly kind: 'run'; readonly request: ReportRequest; readonly typed: string }
  | { readonly kind: 'saved'; readonly name: string; readonly onTop: TypedOptions; readonly typed: string }
  | { readonly kind: 'save'; readonly name: string; readonly request: ReportRequest }
  | ScheduleCommand
  | { readonly kind: 'builder' | 'list' | 'access' | 'audit' };

/**
 * Reads what a person wrote after `/report`, after a mention, or to the bot itself.
 *
 * @param typed without Slack's dressing
 * @param savedNames those of the place where it was written
 */
export function parseTyped(typed: string, savedNames: readonly string[]): DispatchedCommand {
  const command = parseCommand(typed, { savedNames });
  switch (command.kind) {
    case 'run':
      return { kind: 'run', request: command.request, typed };
    case 'help':
      return { kind: 'reply', message: helpPage(command.report) };
    case 'problem':
      return { kind: 'reply', message: problemMessage(command.problem) };
    case 'saved':
      return { ...command, typed };
    case 'save':
      return command;
    case 'access':
    case 'audit':
    case 'builder':
    case 'list':
      return { kind: command.kind };
    case 'schedule':
      return command;
  }
}

/** The pages of help, which never change. */
const helpPages = new Map<ReportName | undefined, OutgoingMessage>();

function helpPage(report: ReportName | undefined): OutgoingMessage {
  const page = helpPages.get(report) ?? helpMessage(helpFor(report));
  helpPages.set(report, page);
  return page;
}

const week = 7 * 24 * 60 * 60_000;
const mostAsks = 20;

export const adminsOnly = notice(
  'That is for admins. They are named in ROLLCALL_ADMINS, which your operator sets.',
);

/** `/report access` and `/report audit`: shown to an admin alone, in the place where they asked. */
export async function adminPage(
  page: 'access' | 'audit',
  asked: ConversationRef,
  parts: ListenerParts,
): Promise<void> {
  const who = await resolveAsker(asked.asker, parts.people, parts.defaultZone);
  const place = await resolveConversation(asked, parts);
  const tell = (message: OutgoingMessage) => notifyAsker(message, asked.asker, place, parts.client);
  if ('refused' in who) await tell(notice(who.refused));
  else if (!parts.admins.includes(asked.asker)) await tell(adminsOnly);
  else if (page === 'access') {
    await tell(
      accessMessage({
        channel: asked.channel,
        personLevel: place.personLevel,
        configuredChannels: parts.personLevelChannels,
        approved: await parts.store.approvals.approvedChannels(),
        released: await parts.store.approvals.releasedKeys(),
      }),
    );
  } else {
    const asks = await parts.store.requestLog.recent(parts.clock.now() - week, mostAsks);
    await tell(auditMessage(asks, who.asker.zone));
  }
}
