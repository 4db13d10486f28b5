import type { ModalView } from '@slack/types';
import type { Digest } from '../../digests/digest.js';
import type { DigestDraft } from '../../digests/draft.js';
import { goneFrom, sayGone, withoutGone } from '../../requests/removed-fields.js';
import type { Pressed } from '../listeners/actions/press.js';
import type { ListenerParts } from '../listeners/context.js';
import { makeBuilder } from '../modals/builder/open.js';
import { digestExtra } from '../modals/builder/schedule.js';

/** The builder filled with a digest and how it comes; what is gone from it is left out, and said. */
export async function editDigest(digest: Digest, pressed: Pressed, parts: ListenerParts): Promise<ModalView> {
  const { id, revision, schedule } = digest;
  const draft = { ...digest, ...schedule, changes: { id, revision } };
  return editInBuilder(
    draft,
    'Nothing changes before you have seen its next times and confirmed them.',
    pressed,
    parts,
  );
}

/** The same for what is not confirmed yet. */
export async function editPreview(
  draftId: string,
  draft: DigestDraft,
  pressed: Pressed,
  parts: ListenerParts,
): Promise<ModalView> {
  return editInBuilder(draft, 'Nothing is saved yet: you see its next times first.', pressed, parts, draftId);
}

async function editInBuilder(
  draft: Omit<DigestDraft, 'owner'>,
  intro: string,
  { asked: { channel, asker } }: Pressed,
  parts: ListenerParts,
  previewId?: string,
): Promise<ModalView> {
  const gone = goneFrom(draft.request);
  return makeBuilder(
    {
      asker,
      from: { channel, asker },
      fill: async () => ({
        request: withoutGone(draft.request),
        ...digestExtra(draft, previewId),
        remarks: [
          intro,
          ...(gone.length === 0
            ? []
            : [`Not there any more, and left out here: ${sayGone(gone)}. Confirm to keep it this way.`]),
        ],
      }),
    },
    parts,
  );
}
