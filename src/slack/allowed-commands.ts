import { AccessRefused, totalsInstead } from '../access/scope.js';
import { type Command, parseCommand } from '../requests/parse-command.js';
import { formatRequest } from '../requests/parse-request.js';
import type { Asker, ReportRequest } from '../requests/request.js';
import { type AnswerRightsParts, answerRightsOf } from './answer-rights.js';
import { describeAccessRefusal } from './messages/failures.js';
import { type RequestContext, resolveConversation } from './request-context.js';

interface AllowedCommands {
  readonly commands: readonly string[];
  /** What was left out of them, for the reader. */
  readonly note?: string;
  /** Why there are none. */
  readonly refusal?: string;
}

/** The commands that the reader may run here, without the parts that would be refused when pressed. */
export async function allowedCommands(
  commands: readonly string[],
  context: RequestContext,
  asker: Asker,
  parts: AnswerRightsParts,
): Promise<AllowedCommands> {
  if (commands.length === 0) return { commands };
  const conversation = await resolveConversation(context, parts);
  const allowed: string[] = [];
  const notes = new Set<string>();
  let refusal: string | undefined;
  for (const command of commands) {
    const parsed = parseCommand(command, { savedNames: [] });
    const request = parsed.ok ? requestIn(parsed.value) : undefined;
    try {
      if (request) await answerRightsOf(request, asker, conversation, request.file !== undefined, parts);
      allowed.push(command);
    } catch (error) {
      if (!request || !(error instanceof AccessRefused)) throw error;
      const totals = totalsInstead(request, error.refusal);
      refusal ??= describeAccessRefusal(error.refusal);
      if (!totals) continue;
      allowed.push(command.replace(formatRequest(request), () => formatRequest(totals)));
      notes.add('You may see totals only here, so no people are listed.');
    }
  }
  const [note] = notes;
  return { commands: [...new Set(allowed)], note, refusal };
}

function requestIn(command: Command): ReportRequest | undefined {
  if (command.kind === 'run' || command.kind === 'save') return command.request;
  return command.kind === 'schedule' && 'request' in command.what ? command.what.request : undefined;
}
