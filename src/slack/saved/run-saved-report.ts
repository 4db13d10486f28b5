import type { ModalView } from '@slack/types';
import { ok } from '../../errors/result.js';
import type { TypedOptions } from '../../requests/parse-command.js';
import { applyToSaved, formatRequest } from '../../requests/parse-request.js';
import { formatRemovedFields, removedFieldsOf, withoutRemovedFields } from '../../requests/removed-fields.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { answerRequest } from '../answer-request.js';
import { completeForAsker } from '../complete-request.js';
import { notifyAsker } from '../delivery/notify-asker.js';
import type { ButtonPress } from '../listeners/actions/button.js';
import type { ListenerParts } from '../listeners/context.js';
import { notice, problemMessage } from '../messages/notices.js';
import { removedFieldsMessage } from '../messages/saved-reports.js';
import { makeBuilder } from '../modals/builder/open.js';
import { editSavedExtra } from '../modals/builder/purposes.js';
import { type RequestContext, resolveAsker, resolveConversation } from '../request-context.js';
import { mayChange } from './saved-reports.js';

/** Runs a saved report by its name, with the options that were typed after it. */
export async function runSavedByName(
  { name, onTop }: { readonly name: string; readonly onTop: TypedOptions },
  context: RequestContext,
  parts: ListenerParts,
): Promise<void> {
  const saved = await parts.store.savedReports.findByName(context.channel, name);
  if (saved) return runSaved(saved, context, parts, onTop);
  const message = notice(
    `The saved report “${name}” no longer exists here. Type /report list to see the current ones.`,
  );
  await notifyAsker(message, context.asker, await resolveConversation(context, parts), parts.client);
}

/**
 * Runs a saved report like a typed request. If it has removed fields, a message lists them instead.
 *
 * @param onTop the options that were typed after its name
 */
export async function runSaved(
  saved: SavedReport,
  context: RequestContext,
  parts: ListenerParts,
  onTop: TypedOptions = { text: '', from: 0, until: 0 },
): Promise<void> {
  const { asker } = context;
  const reply = async (message: ReturnType<typeof notice>) => {
    await notifyAsker(message, asker, await resolveConversation(context, parts), parts.client);
  };
  const removed = removedFieldsOf(saved.request);
  if (removed.length > 0)
    return reply(removedFieldsMessage(saved, removed, await mayChange(saved, asker, parts)));
  const run = applyToSaved(saved.request, onTop);
  if (!run.ok) return reply(problemMessage(run.refusal));
  // Only what was typed is asked about: somebody else may have chosen the rest.
  const completed = await completeForAsker(run.value.request, context, parts, {
    step: 'run',
    command: formatRequest,
    typedFilters: run.value.request.filters.filter((choice) => !saved.request.filters.includes(choice)),
  });
  if (!completed) return;
  const resolved = await resolveAsker(asker, parts.people, parts.defaultZone);
  if (resolved.ok) await parts.store.savedReports.recordRun(saved.id, asker, parts.clock.now());
  await answerRequest(completed.request, context, parts, {
    rights: completed.rights,
    runOf: { kind: 'saved-report', id: saved.id },
    choseFilters: asker === saved.owner || asker === saved.createdBy,
  });
}

/** The builder with the contents of a saved report. A remark lists the fields that no longer exist. */
export async function editSavedModal(
  saved: SavedReport,
  { context }: ButtonPress,
  parts: ListenerParts,
): Promise<ModalView> {
  const removed = removedFieldsOf(saved.request);
  return makeBuilder(
    {
      asker: context.asker,
      from: { channel: context.channel, asker: context.asker },
      fill: async () =>
        ok({
          request: withoutRemovedFields(saved.request),
          purpose: 'edit-saved',
          extra: editSavedExtra(saved),
          remarks:
            removed.length > 0
              ? [
                  `Left out because it no longer exists: ${formatRemovedFields(removed)}. Press Save to keep the rest.`,
                ]
              : [],
        }),
    },
    parts,
  );
}
