import { isProblem } from '../../requests/problem.js';
import { layOnTop } from '../../requests/on-top.js';
import type { WordsOnTop } from '../../requests/command.js';
import { goneFrom } from '../../requests/removed-fields.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { tellAsker } from '../delivery/notify-asker.js';
import type { ListenerParts } from '../listeners/context.js';
import { notice } from '../messages/notices.js';
import { problemMessage } from '../messages/problem-message.js';
import { staleMessage } from '../messages/saved-messages.js';
import { takeAsk } from '../take-ask.js';
import { type AskedIn, whereAsked } from '../where-asked.js';
import { whoAsks } from '../who-asks.js';
import { mayChange } from './rights.js';

/** Words on top of a saved report, and all of the words as they were typed, where its name means it. */
export interface SavedWords {
  readonly onTop: WordsOnTop;
  readonly typed?: string;
}

/** Runs a saved report by its name, with what was typed on top of it. */
export async function runByName(
  name: string,
  words: SavedWords,
  asked: AskedIn,
  parts: ListenerParts,
): Promise<void> {
  const saved = await parts.store.savedReports.findByName(asked.channel, name);
  if (saved) return runSaved(saved, asked, parts, words);
  const message = notice(
    `There is no saved report “${name}” here any more. /report list shows those there are.`,
  );
  await tellAsker(message, asked.asker, await whereAsked(asked, parts), parts.client);
}

/** Runs a saved report as if its words had been typed. One that asks for something that is gone is shown instead. */
export async function runSaved(
  saved: SavedReport,
  asked: AskedIn,
  parts: ListenerParts,
  words: SavedWords = { onTop: { text: '', from: 0, until: 0 }, typed: saved.name },
): Promise<void> {
  const { asker } = asked;
  const tell = async (message: ReturnType<typeof notice>) => {
    await tellAsker(message, asker, await whereAsked(asked, parts), parts.client);
  };
  const gone = goneFrom(saved.request);
  if (gone.length > 0) return tell(staleMessage(saved, gone, mayChange(saved, asker, parts)));
  const read = layOnTop(saved.request, words.onTop);
  if (isProblem(read)) return tell(problemMessage(read));
  const who = await whoAsks(asker, parts.people, parts.defaultZone);
  if (!('refused' in who)) await parts.store.savedReports.ran(saved.id, asker, parts.clock.now());
  const { typed } = words;
  await takeAsk(
    {
      ...asked,
      request: read.request,
      runOf: { kind: 'saved-report', id: saved.id },
      ...(typed === undefined ? {} : { typed }),
    },
    parts,
  );
}
