import type { ModalView } from '@slack/types';
import { goneFrom, sayGone, withoutGone } from '../../requests/removed-fields.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { Pressed } from '../listeners/actions/press.js';
import type { ListenerParts } from '../listeners/context.js';
import { editInputs } from '../modals/builder/edit-purpose.js';
import { makeBuilder } from '../modals/builder/open.js';

/** The builder filled with a saved report; what is gone from it is left out, and said. */
export async function editSaved(
  saved: SavedReport,
  { asked }: Pressed,
  parts: ListenerParts,
): Promise<ModalView> {
  const gone = goneFrom(saved.request);
  return makeBuilder(
    {
      asker: asked.asker,
      from: { channel: asked.channel, asker: asked.asker },
      fill: async () => ({
        request: withoutGone(saved.request),
        purpose: 'edit-saved',
        extra: editInputs(saved),
        remarks:
          gone.length === 0
            ? []
            : [`Not there any more, and left out here: ${sayGone(gone)}. Save to keep it this way.`],
      }),
    },
    parts,
  );
}
