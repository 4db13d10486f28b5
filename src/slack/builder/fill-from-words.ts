import { type Command, parseCommand, type ScheduleCommand } from '../../requests/parse-command.js';
import { applyToSaved } from '../../requests/parse-request.js';
import { namesPeople } from '../../requests/person-level.js';
import { removedFieldsOf } from '../../requests/removed-fields.js';
import type { ListenerParts } from '../answers/context.js';
import { type RequestContext, resolveConversation } from '../context/request-context.js';
import { inputNames } from '../forms/draft.js';
import { digestContents } from './digest-purposes.js';
import type { BuilderContents } from './open.js';

/**
 * The contents of a builder for a command: its request and its purpose. Undefined if it has no request, or if the reader
 * may not see all of its saved report.
 *
 * @param words the understood part of a command; `schedule` may lack its cadence
 */
export async function contentsFromWords(
  words: string,
  context: RequestContext,
  parts: ListenerParts,
): Promise<BuilderContents | undefined> {
  const savedNames = await parts.store.savedReports.namesIn(context.channel);
  const command = readUnderstood(words, savedNames);
  const remarks = [`Filled with what I understood: /report ${words}`];
  switch (command?.kind) {
    case 'run':
      return { request: command.request, remarks };
    case 'save':
      return {
        request: command.request,
        values: { [inputNames.purpose]: 'save', [inputNames.savedName]: command.name },
        remarks,
      };
    case 'saved': {
      const read = await readSaved(command, context, parts);
      return read && { request: read.request, remarks };
    }
    case 'schedule': {
      const { what } = command;
      const read = 'request' in what ? what : await readSaved(what, context, parts);
      return read && { request: read.request, ...digestContents({ ...command, ...read }), remarks };
    }
    default:
      return undefined;
  }
}

type Understood =
  | Exclude<Command, ScheduleCommand>
  | (Omit<ScheduleCommand, 'cadence'> & Partial<ScheduleCommand>);

function readUnderstood(words: string, savedNames: readonly string[]): Understood | undefined {
  const read = parseCommand(words, { savedNames });
  if (read.ok) return read.value;
  if (read.refusal.kind !== 'cadence-missing') return undefined;
  const withCadence = parseCommand(`${words} daily 09:00`, { savedNames });
  return withCadence.ok && withCadence.value.kind === 'schedule'
    ? { ...withCadence.value, cadence: undefined }
    : undefined;
}

/** A saved report with typed options. Undefined unless the reader may see all of it. */
async function readSaved(
  { name, onTop }: Extract<ScheduleCommand['what'], { readonly name: string }>,
  context: RequestContext,
  parts: ListenerParts,
) {
  const saved = await parts.store.savedReports.findByName(context.channel, name);
  if (!saved || saved.request.scorecard || removedFieldsOf(saved.request).length > 0) return undefined;
  const { personLevel } = await resolveConversation(context, parts);
  const isTheirs = [saved.owner, saved.createdBy].includes(context.asker);
  if (namesPeople(saved.request) && personLevel !== 'allowed' && !isTheirs) return undefined;
  const read = applyToSaved(saved.request, onTop, true);
  return read.ok ? read.value : undefined;
}
