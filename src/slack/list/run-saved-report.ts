import type { ModalView } from '@slack/types';
import { parseCommand, withoutCommand } from '../../requests/parse-command.js';
import type { TypedOptions } from '../../requests/parse-request.js';
import { applyToSaved, formatRequest } from '../../requests/parse-request.js';
import { removedFieldsOf } from '../../requests/removed-fields.js';
import { narrowingSince } from '../../requests/request.js';
import { possibleNamesAt, savedNameKey } from '../../requests/saved-names.js';
import { passedTargetRefusal } from '../../requests/target.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import { answerRequest } from '../answers/answer-request.js';
import { completeForAsker } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import { type BuilderContents, makeBuilder, withoutGoneFields } from '../builder/open.js';
import { type MemberContext, maySee, type RequestContext } from '../context/request-context.js';
import { inputNames } from '../forms/draft.js';
import { problemMessage, replierIn } from '../messages/notices.js';
import { removedFieldsMessage } from '../messages/saved-reports.js';
import { mayChange } from '../saved/items.js';

export async function runSavedByName(
  { name, onTop }: { readonly name: string; readonly onTop: TypedOptions },
  context: MemberContext,
  parts: ListenerParts,
): Promise<void> {
  const saved = await parts.store.savedReports.findByName(context.channel, name);
  if (saved) return runSaved(saved, context, parts, onTop);
  const gone = `The saved report “${name}” no longer exists here. Type /report list to see the current ones.`;
  await replierIn(context, parts)(gone);
}

/** Of one name, this many reports of other conversations are looked at. */
const maxElsewhere = 20;

/** The report of another conversation that a command names, if it would run there and the asker may see it. */
export async function findSavedElsewhere(
  { asker, channel, typed = '' }: RequestContext,
  parts: ListenerParts,
) {
  const text = withoutCommand(typed);
  const start = /^schedule\s+/i.exec(text)?.[0].length ?? 0;
  const names = new Map(possibleNamesAt(text, start).map(({ key, end }) => [key, text.slice(start, end)]));
  const found = await parts.store.savedReports.namedElsewhere(channel, [...names.keys()], maxElsewhere);
  for (const saved of found) {
    const parsed = parseCommand(text, { savedNames: [saved.name] });
    if (!parsed.ok) continue;
    const named = parsed.value.kind === 'schedule' ? parsed.value.what : parsed.value;
    const isScheduled = parsed.value.kind === 'schedule';
    const isWhole = 'onTop' in named && applyToSaved(saved.request, named.onTop, isScheduled).ok;
    if (isWhole && (await maySee(saved.channel, asker, parts))) {
      return { id: saved.id, typed: names.get(savedNameKey(saved.name)) ?? saved.name };
    }
  }
  return undefined;
}

/** Runs it like a typed request, or lists its removed fields instead. `onTop`: options typed after its name. */
export async function runSaved(
  saved: SavedReport,
  context: MemberContext,
  parts: ListenerParts,
  onTop: TypedOptions = { text: '', from: 0, until: 0 },
): Promise<void> {
  const { asker } = context;
  const reply = replierIn(context, parts);
  const removed = removedFieldsOf(saved.request);
  if (removed.length > 0)
    return reply(removedFieldsMessage(saved, removed, 'run', await mayChange(saved, asker, parts)));
  const run = applyToSaved(saved.request, onTop);
  if (!run.ok) return reply(problemMessage(run.refusal));
  const { target } = run.value.request;
  const passed =
    target !== saved.request.target && passedTargetRefusal(target, parts.clock.now(), context.member.zone);
  if (passed) return reply(passed);
  // Only what was typed is asked about: another person may have chosen the rest.
  const completed = await completeForAsker(run.value.request, context, parts, {
    step: 'run',
    command: formatRequest,
    typedNow: narrowingSince(saved.request, run.value.request),
  });
  if (!completed) return;
  await parts.store.savedReports.recordRun(saved.id, asker, parts.clock.now());
  const { scorecard } = completed.request;
  const request = scorecard
    ? { ...completed.request, scorecard: { ...scorecard, name: saved.name } }
    : completed.request;
  await answerRequest(request, context, parts, {
    rights: completed.rights,
    runOf: { kind: 'saved-report', id: saved.id },
    choseFilters: asker === saved.owner || asker === saved.createdBy,
  });
}

/** The builder with the contents of a saved report. A remark lists the fields that no longer exist. */
export async function editSavedModal(
  { id, revision, request }: SavedReport,
  { channel, asker }: RequestContext,
  parts: ListenerParts,
): Promise<ModalView> {
  const contents: BuilderContents = {
    ...withoutGoneFields(request, ' Press Save to keep the rest.'),
    values: { [inputNames.purpose]: 'edit-saved' },
    edits: { kind: 'saved report', id, revision },
  };
  return makeBuilder(contents, asker, { channel, asker }, parts);
}
