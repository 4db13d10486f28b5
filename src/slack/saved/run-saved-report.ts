import type { ModalView } from '@slack/types';
import type { TypedOptions } from '../../requests/parse-command.js';
import { applyToSaved } from '../../requests/parse-request.js';
import { isProblem } from '../../requests/problem.js';
import { formatRemovedFields, removedFieldsOf, withoutRemovedFields } from '../../requests/removed-fields.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { notifyAsker } from '../delivery/notify-asker.js';
import type { ButtonPress } from '../listeners/actions/button.js';
import type { ListenerParts } from '../listeners/context.js';
import { notice, problemMessage } from '../messages/notices.js';
import { removedFieldsMessage } from '../messages/saved-reports.js';
import { makeBuilder } from '../modals/builder/open.js';
import { editSavedExtra } from '../modals/builder/purposes.js';
import {
  type ConversationRef,
  receiveRequest,
  resolveAsker,
  resolveConversation,
} from '../request-context.js';
import { mayChange } from './saved-reports.js';

/** Words on top of a saved report, and all of the words as they were typed, where its name means it. */
export interface SavedRunWords {
  readonly onTop: TypedOptions;
  readonly typed?: string;
}

/** Runs a saved report by its name, with what was typed on top of it. */
export async function runSavedByName(
  name: string,
  words: SavedRunWords,
  asked: ConversationRef,
  parts: ListenerParts,
): Promise<void> {
  const saved = await parts.store.savedReports.findByName(asked.channel, name);
  if (saved) return runSaved(saved, asked, parts, words);
  const message = notice(
    `There is no saved report “${name}” here any more. /report list shows those there are.`,
  );
  await notifyAsker(message, asked.asker, await resolveConversation(asked, parts), parts.client);
}

/** Runs a saved report as if its words had been typed. One that asks for something that is gone is shown instead. */
export async function runSaved(
  saved: SavedReport,
  asked: ConversationRef,
  parts: ListenerParts,
  words: SavedRunWords = { onTop: { text: '', from: 0, until: 0 }, typed: saved.name },
): Promise<void> {
  const { asker } = asked;
  const tell = async (message: ReturnType<typeof notice>) => {
    await notifyAsker(message, asker, await resolveConversation(asked, parts), parts.client);
  };
  const gone = removedFieldsOf(saved.request);
  if (gone.length > 0) return tell(removedFieldsMessage(saved, gone, mayChange(saved, asker, parts)));
  const read = applyToSaved(saved.request, words.onTop);
  if (isProblem(read)) return tell(problemMessage(read));
  const who = await resolveAsker(asker, parts.people, parts.defaultZone);
  if (!('refused' in who)) await parts.store.savedReports.recordRun(saved.id, asker, parts.clock.now());
  const { typed } = words;
  await receiveRequest(
    {
      ...asked,
      request: read.request,
      runOf: { kind: 'saved-report', id: saved.id },
      ...(typed === undefined ? {} : { typed }),
    },
    parts,
  );
}

/** The builder filled with a saved report; what is gone from it is left out, and said. */
export async function editSavedModal(
  saved: SavedReport,
  { conversation }: ButtonPress,
  parts: ListenerParts,
): Promise<ModalView> {
  const gone = removedFieldsOf(saved.request);
  return makeBuilder(
    {
      asker: conversation.asker,
      from: { channel: conversation.channel, asker: conversation.asker },
      fill: async () => ({
        request: withoutRemovedFields(saved.request),
        purpose: 'edit-saved',
        extra: editSavedExtra(saved),
        remarks:
          gone.length === 0
            ? []
            : [
                `Not there any more, and left out here: ${formatRemovedFields(gone)}. Save to keep it this way.`,
              ],
      }),
    },
    parts,
  );
}
