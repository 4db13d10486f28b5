import { userFilter } from '../../catalogue/learner.js';
import type { Digest } from '../../digests/digest.js';
import { catchUnreadable, UnreadableDigest } from '../../digests/quarantine.js';
import { answerRequest } from '../answers/answer-request.js';
import type { ListenerParts } from '../answers/context.js';
import { digestName } from '../messages/digests.js';
import { managerActions } from '../messages/managers.js';
import { press, type Route } from './router.js';

const gone = 'This digest no longer exists.';

async function digestFor(id: string, { store }: ListenerParts): Promise<Digest | undefined> {
  const digest = await catchUnreadable(store.digests.find(id));
  const isThere = digest && !(digest instanceof UnreadableDigest) && digest.audience === 'managers';
  return isThere ? digest : undefined;
}

/** The buttons under a digest's message to a manager, which its reader alone sees, and the one on Home. */
export const managerRoutes = (): readonly Route[] => [
  // The rows of now, with the rights of now. A filter is not trusted, so rows of other teams refuse the answer.
  press(managerActions.all, 'conversation', async ({ value, context, reply }, parts) => {
    const digest = await digestFor(value, parts);
    if (!digest || digest.deletedAt !== undefined) return reply(gone);
    const { request } = digest;
    const ofTeam = { object: userFilter.name, member: 'manager_email', entries: ['me'] };
    const filters = request.filters.filter(
      ({ object, member }) => object !== ofTeam.object || member !== ofTeam.member,
    );
    const rows = { ...request, filters: [ofTeam, ...filters], showRows: true, toMe: true } as const;
    await answerRequest(rows, context, parts, { choseFilters: false, onlyTeam: true });
  }),
  press(managerActions.decline, 'member', async ({ value, context: { asker }, reply }, parts) => {
    const digest = await digestFor(value, parts);
    if (!digest) return reply(gone);
    await parts.store.managerReaders.decline(digest.id, asker, true);
    parts.home.changed(asker);
    await reply(`You get no more of these: ${digestName(digest)}. To take that back, open my Home tab.`);
  }),
  press(managerActions.wantAgain, 'member', async ({ value, context: { asker }, reply }, parts) => {
    const digest = await digestFor(value, parts);
    if (digest) await parts.store.managerReaders.decline(digest.id, asker, false);
    parts.home.changed(asker);
    await reply(digest ? `You get this again: ${digestName(digest)}.` : gone);
  }),
];
