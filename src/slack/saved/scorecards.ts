import { ok, type Result, refused } from '../../errors/failure.js';
import { formatRequest } from '../../requests/parse-request.js';
import type { ReportRequest, ScorecardLine } from '../../requests/request.js';
import { displayText } from '../../requests/text.js';
import { completeForAsker } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import type { MemberContext } from '../context/request-context.js';
import { replierIn } from '../messages/notices.js';

type NextOf = Parameters<typeof completeForAsker>[3];

/**
 * A scorecard whose saved reports were found by their names in a conversation, and whose titles and entries are
 * complete. Undefined if the asker has to decide something first, or was told why it cannot go on.
 */
export async function completeScorecard(
  request: ReportRequest,
  context: MemberContext,
  parts: ListenerParts,
  next: NextOf,
): Promise<ReportRequest | undefined> {
  const found = await withSavedReports(request, context.channel, parts);
  if (!found.ok) {
    await replierIn(context, parts)(found.refusal);
    return undefined;
  }
  const { scorecard } = found.value;
  if (!scorecard) return found.value;
  const { name } = scorecard;
  const lines = [...scorecard.lines];
  for (const [index, line] of lines.entries()) {
    if (!('request' in line)) continue;
    const withLine = (changed: ReportRequest): ReportRequest => ({
      ...found.value,
      scorecard: { name, lines: lines.map((other, at) => (at === index ? { request: changed } : other)) },
    });
    const completed = await completeForAsker(line.request, context, parts, {
      ...next,
      command: (changed) => next.command(withLine(changed)),
    });
    if (!completed) return undefined;
    lines[index] = { request: completed.request };
  }
  return { ...found.value, scorecard: { name, lines } };
}

/** A scorecard with the IDs of the saved reports that it names, or a sentence that refuses it. */
export async function withSavedReports(
  request: ReportRequest,
  channel: string,
  { store }: Pick<ListenerParts, 'store'>,
): Promise<Result<ReportRequest>> {
  const { scorecard } = request;
  if (!scorecard) return ok(request);
  const lines: ScorecardLine[] = [];
  for (const line of scorecard.lines) {
    if ('request' in line || line.saved !== undefined) {
      lines.push(line);
      continue;
    }
    const saved = await store.savedReports.findByName(channel, line.name);
    const name = displayText(line.name, 60);
    if (!saved)
      return refused(
        `The saved report “${name}” no longer exists here. Type /report list to see the current ones.`,
      );
    if (saved.request.scorecard)
      return refused(`“${name}” is a scorecard, and a scorecard holds none. Add its lines one by one.`);
    lines.push({ name: saved.name, saved: saved.id });
  }
  return ok({ ...request, scorecard: { ...scorecard, lines } });
}

/** The lines of a scorecard with the text of each. Saved reports stand there by their names of now. */
export async function textOfLines(
  { scorecard }: ReportRequest,
  { store }: Pick<ListenerParts, 'store'>,
): Promise<readonly { readonly text: string; readonly line: ScorecardLine }[]> {
  const textOf = async (line: ScorecardLine) => {
    if ('request' in line) return formatRequest(line.request);
    const saved = line.saved === undefined ? undefined : await store.savedReports.find(line.saved);
    return saved && saved.deletedAt === undefined ? saved.name : line.name;
  };
  const lines = scorecard?.lines ?? [];
  return Promise.all(lines.map(async (line) => ({ text: await textOf(line), line })));
}
