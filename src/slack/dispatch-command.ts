import { dependsOnSavedNames } from '../requests/parse-command.js';
import { adminPage } from './admin-pages.js';
import { tellWhereAsked } from './delivery/notify-asker.js';
import { proposeByWords } from './digests/propose.js';
import type { ListenerParts } from './listeners/context.js';
import { offerBuilder } from './modals/builder/offer-builder.js';
import { showList } from './saved/list.js';
import { runByName } from './saved/run-saved.js';
import { saveByWords } from './saved/save-by-words.js';
import { takeAsk } from './take-ask.js';
import { type Understood, understand } from './understand.js';
import type { AskedIn } from './where-asked.js';

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
      return void (await tellWhereAsked(offerBuilder, asked, parts));
    case 'reply':
      return void (await tellWhereAsked(understood.message, asked, parts));
  }
}
