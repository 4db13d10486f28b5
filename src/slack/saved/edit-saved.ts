import { goneFrom, sayGone, withoutGone } from '../../reports/gone.js';
import type { SavedReport } from '../../store/saved-reports.js';
import { editInputs } from '../builder/edit-purpose.js';
import { openBuilder } from '../builder/open-builder.js';
import type { Pressed } from '../listeners/actions/pressed.js';
import type { ListenerParts } from '../listeners/parts.js';

/** Opens the builder filled with a saved report; what is gone from it is left out, and said. */
export async function editSaved(
  saved: SavedReport,
  { triggerId, asked }: Pressed,
  parts: ListenerParts,
): Promise<void> {
  const gone = goneFrom(saved.request);
  await openBuilder(
    {
      triggerId,
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
