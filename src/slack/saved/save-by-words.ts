import type { ReportRequest } from '../../requests/request.js';
import { tellAsker } from '../delivery/notify-asker.js';
import type { ListenerParts } from '../listeners/context.js';
import { notice } from '../messages/notices.js';
import { savedMessage } from '../messages/saved-messages.js';
import { type AskedIn, whereAsked } from '../where-asked.js';
import { whoAsks } from '../who-asks.js';
import { whyNotKeptIn } from './rights.js';
import { keepReport, whyNoSuchRange } from './save-report.js';

/** `/report save <name>: …`: keeps it in the place where it was typed, and says how to run it. */
export async function saveByWords(
  kept: { readonly name: string; readonly request: ReportRequest },
  asked: AskedIn,
  parts: ListenerParts,
): Promise<void> {
  const who = await whoAsks(asked.asker, parts.people, parts.defaultZone);
  const place = await whereAsked(asked, parts);
  const tell = (message: ReturnType<typeof notice>) => tellAsker(message, asked.asker, place, parts.client);
  if ('refused' in who) return void (await tell(notice(who.refused)));
  const reason = (await whyNotKeptIn(place, parts)) ?? whyNoSuchRange(kept.request, who.asker.zone, parts);
  if (reason !== undefined) return void (await tell(notice(reason)));
  const made = await keepReport({ ...kept, channel: asked.channel }, asked.asker, parts);
  await tell('refused' in made ? notice(made.refused) : savedMessage(made.saved));
  parts.home.changed(asked.asker);
}
