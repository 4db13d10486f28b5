import { helpFor } from '../language/help.js';
import { parseCommand } from '../language/index.js';
import type { ReportName } from '../reports/catalogue/index.js';
import type { ReportRequest } from '../reports/request.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { helpMessage } from './views/help-message.js';
import { notice } from './views/notices.js';
import { problemMessage } from './views/problem-message.js';

/** What words call for: an answer that needs nothing but the words, a run, the builder, or one of the admins' pages. */
export type Understood =
  | { readonly kind: 'reply'; readonly message: OutgoingMessage }
  | { readonly kind: 'run'; readonly request: ReportRequest; readonly typed: string }
  | { readonly kind: 'builder' }
  | { readonly kind: 'access' | 'audit' };

/**
 * Reads what a person wrote after `/report`, after a mention, or to the bot itself.
 *
 * @param typed without Slack's dressing
 */
export function understand(typed: string): Understood {
  const command = parseCommand(typed, { savedNames: [] });
  switch (command.kind) {
    case 'run':
      return { kind: 'run', request: command.request, typed };
    case 'help':
      return { kind: 'reply', message: helpPage(command.report) };
    case 'problem':
      return { kind: 'reply', message: problemMessage(command.problem) };
    case 'access':
    case 'audit':
      return { kind: command.kind };
    case 'builder':
      return { kind: 'builder' };
    default:
      return { kind: 'reply', message: notice(notThereYet[command.kind]) };
  }
}

/** The pages of help, which never change. */
const helpPages = new Map<ReportName | undefined, OutgoingMessage>();

function helpPage(report: ReportName | undefined): OutgoingMessage {
  const page = helpPages.get(report) ?? helpMessage(helpFor(report));
  helpPages.set(report, page);
  return page;
}

const notThereYet = {
  list: 'Saved reports and digests are not there yet. Type /report help for what is.',
  save: 'Saving reports is not there yet. Type /report help for what is.',
  saved: 'Saved reports are not there yet. Type /report help for what is.',
  schedule: 'Scheduling is not there yet. Type /report help for what is.',
} as const;
