import type { RowsWanted } from '../../assistants/tools.js';
import { type Command, parseCommand, withoutCommand } from '../../requests/parse-command.js';
import { applyToSaved } from '../../requests/parse-request.js';
import { type ReportRequest, showsRows } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import type { ListenerParts } from '../answers/context.js';
import type { UncheckedContext } from '../context/request-context.js';
import type { PostOutcome } from '../delivery/post-message.js';
import { findSavedElsewhere, runSaved } from '../list/run-saved-report.js';
import { dispatchCommand, parseInChannel } from '../listeners/dispatch-command.js';
import { readWords } from '../listeners/read-words.js';
import { lookUp } from '../listeners/router.js';
import { messageOf, problemMessage, type Reply } from '../messages/notices.js';
import { readingsMessage } from '../messages/readings.js';

/** Words that run a report: a command, one that a sentence was read as, or those of a saved report. */
interface Runnable {
  readonly typed: string;
  readonly saved?: SavedReport | undefined;
}

/**
 * Runs the words of an assistant as if its person had typed them in their direct messages. A sentence that is read in one
 * way runs at once. What the person would be told goes through the response URL of the context.
 *
 * @param rows the rows that are sent to the person; absent: figures are wanted
 * @returns false where the words are no command, so that nothing was run
 */
export async function runWords(
  context: UncheckedContext,
  rows: RowsWanted | undefined,
  parts: ListenerParts,
): Promise<boolean> {
  const found = await runnableIn(context, parts);
  if (!('typed' in found)) {
    await tell(found.reply, context);
    return false;
  }
  await run(found, context, rows, parts);
  return true;
}

async function run(
  found: Runnable,
  context: UncheckedContext,
  rows: RowsWanted | undefined,
  parts: ListenerParts,
): Promise<void> {
  const { saved } = found;
  const savedNames = saved ? [saved.name] : [];
  const read = (words: string) => parseCommand(words, { savedNames });
  const first = read(found.typed);
  const request = first.ok ? requestOf(first.value, saved) : undefined;
  if (rows && request && parts.asksPurpose && lacksPurpose(request, rows))
    return tell(filesNeedPurpose, context);
  const typed = rows && request ? withRows(found.typed, request, rows) : found.typed;
  const command = read(typed);
  if (!command.ok) return tell(problemMessage(command.refusal), context);
  if (command.value.kind !== 'saved' || !saved) return dispatchCommand(command, { ...context, typed }, parts);
  const placed = await lookUp('conversation', { ...context, typed }, parts);
  if (!placed.ok) return tell(placed.refusal, context);
  await runSaved(saved, placed.value, parts, command.value.onTop);
}

/** The words to run, or the reply where there are none. */
async function runnableIn(
  context: UncheckedContext,
  parts: ListenerParts,
): Promise<Runnable | { readonly reply: Reply }> {
  const { typed = '', channel } = context;
  const read = await parseInChannel(typed, channel, parts);
  const { savedReports } = parts.store;
  if (read.ok && read.value.kind === 'saved')
    return { typed, saved: await savedReports.findByName(channel, read.value.name) };
  if (read.ok && (read.value.kind === 'run' || read.value.kind === 'help')) return { typed };
  if (read.ok) {
    const [word = ''] = withoutCommand(typed).split(/\s/);
    return { reply: `${reportsAlone} In Slack, type /report ${word}.`.replace(/ \.$/, '.') };
  }
  const placed = await lookUp('conversation', context, parts);
  if (!placed.ok) return { reply: placed.refusal };
  const elsewhere = await findSavedElsewhere(context, parts);
  const saved = elsewhere && (await savedReports.find(elsewhere.id));
  if (saved) return { typed, saved };
  const words = await readWords(read.refusal, placed.value, parts);
  if (typeof words === 'string' || !('commands' in words)) return { reply: words };
  const { commands, note } = words;
  const [only = '', ...others] = commands;
  const command = parseCommand(only, { savedNames: [] });
  const isPlain = others.length === 0 && note === undefined;
  if (isPlain && command.ok && (command.value.kind === 'run' || command.value.kind === 'help'))
    return { typed: only };
  const isOther = command.ok && others.length === 0 && note === undefined;
  return { reply: isOther ? reportsAlone : readingsMessage(commands, note) };
}

const reportsAlone = 'The tools run reports alone.';

function requestOf(command: Command, saved: SavedReport | undefined): ReportRequest | undefined {
  if (command.kind === 'run') return command.request;
  if (command.kind !== 'saved' || !saved) return undefined;
  const applied = applyToSaved(saved.request, command.onTop);
  return applied.ok ? applied.value.request : undefined;
}

const filesNeedPurpose = 'Files need a purpose. Say what this one is for, in the argument “purpose”.';

function lacksPurpose(request: ReportRequest, { file, purpose }: RowsWanted): boolean {
  return (file ?? request.file) !== undefined && (purpose ?? request.purpose) === undefined;
}

/** The words with what makes them send rows, or a file. */
function withRows(typed: string, request: ReportRequest, { file, purpose }: RowsWanted): string {
  const more = compact(
    file !== undefined && request.file !== file && file,
    file === undefined && !showsRows(request) && 'rows',
    purpose !== undefined && request.purpose === undefined && `purpose:"${purpose.replace(/["“”„‟]/g, "'")}"`,
  );
  return [typed, ...more].join(' ');
}

async function tell(reply: Reply, { responseUrl }: UncheckedContext): Promise<void> {
  await responseUrl?.toAsker(messageOf(reply));
}

const taken: PostOutcome = { kind: 'posted', channel: '', ts: '' };

/** A response URL that leads back to the assistant. It takes every message, so that none goes into Slack. */
export function toldInto(told: { push(message: Parameters<typeof messageOf>[0] & object): unknown }) {
  const take = async (message: Parameters<typeof messageOf>[0] & object) => {
    told.push(message);
    return taken;
  };
  return {
    isOpen: () => true,
    toAsker: take,
    toChannel: take,
    replaceOriginal: take,
    deleteOriginal: async () => taken,
  };
}
