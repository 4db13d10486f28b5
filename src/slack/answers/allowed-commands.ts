import { learnerFilter, totalsInstead } from '../../access/scope.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { parseCommand } from '../../requests/parse-command.js';
import { formatRequest } from '../../requests/parse-request.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { type Asker, entryRefersToAsker, type ReportRequest } from '../../requests/request.js';
import type { PlacedContext } from '../context/request-context.js';
import { describeFailure } from '../messages/failures.js';
import { answerRightsOf } from './answer-run.js';
import type { ListenerParts } from './context.js';

/** Why a command about the asker's own team is not offered; undefined: it is not about it, or there is a team. */
export async function emptyTeamIn(
  command: string,
  asker: Asker,
  parts: ListenerParts,
): Promise<string | undefined> {
  const request = requestIn(command);
  const entries = (request && learnerFilter(request, 'manager_email')?.entries) ?? [];
  if (!entries.some((entry) => entryRefersToAsker('manager_email', entry))) return undefined;
  const { id, zone } = asker;
  const { address } = await parts.access.accessOf(id, 'assignments');
  if (address === undefined || parts.managers.manages({ id, zone, address }) !== false) return undefined;
  const failure = new Failure('empty-team', { managers: quoteTypedWord(address), isOwn: true });
  return describeFailure(failure, '').sentence;
}

/**
 * The commands that the reader may run here, without the parts that would be refused when pressed, a note on what was
 * left out of them, and why there are none.
 *
 * @param runsAtOnce true for a command that an assistant runs without a choice: its refusal says what to do instead
 */
export async function allowedCommands(
  commands: readonly string[],
  { member: asker, conversation }: PlacedContext,
  parts: ListenerParts,
  runsAtOnce = false,
) {
  const allowed: string[] = [];
  let note: string | undefined;
  let refusal: string | undefined;
  for (const command of commands) {
    const emptyTeam = await emptyTeamIn(command, asker, parts);
    refusal ??= emptyTeam;
    if (emptyTeam !== undefined) continue;
    const request = requestIn(command);
    try {
      if (request) await answerRightsOf(request, asker, conversation, parts);
      allowed.push(command);
    } catch (error) {
      if (!request || !isFailure(error, 'access-refused')) throw error;
      const { refusal: why, sentence } = error.details;
      const totals = totalsInstead(request, why);
      refusal ??= sentence;
      if (why.kind === 'assistant' && runsAtOnce) allowed.push(command);
      if (!totals || allowed.includes(command)) continue;
      allowed.push(command.replace(formatRequest(request), () => formatRequest(totals)));
      note = why.kind === 'assistant' ? sentence : 'You may see totals only here, so no people are listed.';
    }
  }
  return { commands: [...new Set(allowed)], note, refusal };
}

function requestIn(words: string): ReportRequest | undefined {
  const parsed = parseCommand(words, { savedNames: [] });
  if (!parsed.ok) return undefined;
  const command = parsed.value;
  if (command.kind === 'run' || command.kind === 'save') return command.request;
  return command.kind === 'schedule' && 'request' in command.what ? command.what.request : undefined;
}
