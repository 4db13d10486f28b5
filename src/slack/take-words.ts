import { dependsOnSavedNames } from '../language/index.js';
import { adminPage } from './admin-pages.js';
import { proposeByWords } from './digests/propose.js';
import type { ListenerParts } from './listeners/parts.js';
import { runByName } from './saved/run-saved.js';
import { saveByWords } from './saved/save-by-words.js';
import { showList } from './saved/show-list.js';
import { takeAsk } from './take-ask.js';
import { tellAsker } from './tell-asker.js';
import { type Understood, understand } from './understand.js';
import { offerBuilder } from './views/builder/offer-builder.js';
import { type AskedIn, whereAsked } from './where-asked.js';

/** What words call for in a place, where they can name what is saved there. */
export async function understandIn(
  typed: string,
  channel: string,
  { store }: Pick<ListenerParts, 'store'>,
): Promise<Understood> {
  return understand(typed, dependsOnSavedNames(typed) ? await store.savedReports.namesIn(channel) : []);
}

/**
 * Does what words call for, however they came.
 *
 * @param openForm where Slack gives leave to open the builder at once; elsewhere a button offers it
 */
export async function takeWords(
  understood: Understood,
  asked: AskedIn,
  parts: ListenerParts,
  openForm?: () => Promise<void>,
): Promise<void> {
  switch (understood.kind) {
    case 'run':
      return takeAsk({ ...asked, ...understood }, parts);
    case 'saved':
      return runByName(understood.name, understood, asked, parts);
    case 'save':
      return saveByWords(understood, asked, parts);
    case 'schedule':
      return proposeByWords(understood, asked, parts);
    case 'list':
      return showList(asked, parts);
    case 'access':
    case 'audit':
      return adminPage(understood.kind, asked, parts);
    case 'builder':
      if (openForm) return openForm();
      return tell(offerBuilder, asked, parts);
    case 'reply':
      return tell(understood.message, asked, parts);
  }
}

async function tell(message: typeof offerBuilder, asked: AskedIn, parts: ListenerParts): Promise<void> {
  // The command's own way back needs to know nothing of the place.
  const sent = asked.responseUrl?.isOpen() ? await asked.responseUrl.toAsker(message) : undefined;
  if (sent?.kind === 'posted') return;
  await tellAsker(message, asked.asker, await whereAsked(asked, parts), parts.client);
}
