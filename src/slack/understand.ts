import type { ReportName } from '../catalogue/index.js';
import { parseCommand } from '../requests/parse-command.js';
import type { ScheduleCommand, WordsOnTop } from '../requests/command.js';
import { helpFor } from '../requests/help.js';
import type { ReportRequest } from '../requests/request.js';
import type { OutgoingMessage } from './delivery/outgoing-message.js';
import { helpMessage } from './messages/help.js';
import { problemMessage } from './messages/problem-message.js';

/**
 * What words call for: an answer that needs nothing but the words, a run, the builder, saved reports, or one of the
 * admins' pages.
 */
export type Understood =
  | { readonly kind: 'reply'; readonly message: OutgoingMessage }
  | { readonly kind: 'run'; readonly request: ReportRequest; readonly typed: string }
  | { readonly kind: 'saved'; readonly name: string; readonly onTop: WordsOnTop; readonly typed: string }
  | { readonly kind: 'save'; readonly name: string; readonly request: ReportRequest }
  | ScheduleCommand
  | { readonly kind: 'builder' | 'list' | 'access' | 'audit' };

/**
 * Reads what a person wrote after `/report`, after a mention, or to the bot itself.
 *
 * @param typed without Slack's dressing
 * @param savedNames those of the place where it was written
 */
export function understand(typed: string, savedNames: readonly string[]): Understood {
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
