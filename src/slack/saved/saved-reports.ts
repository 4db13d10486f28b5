import { ok, type Result, refused } from '../../errors/result.js';
import { resolveRange } from '../../requests/date-range.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { problemMessageText, rangeRefusalText } from '../../requests/problem-messages.js';
import { reportForRequest } from '../../requests/report-for.js';
import type { ReportRequest } from '../../requests/request.js';
import { validateSavedName } from '../../requests/saved-names.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { notifyAsker } from '../delivery/notify-asker.js';
import type { Channels } from '../directory/channels.js';
import type { Memberships } from '../directory/memberships.js';
import type { ListenerParts } from '../listeners/context.js';
import { notice } from '../messages/notices.js';
import { savedMessage } from '../messages/saved-reports.js';
import {
  type Conversation,
  type RequestContext,
  resolveAsker,
  resolveConversation,
} from '../request-context.js';

type SaveParts = Pick<ListenerParts, 'store' | 'clock'>;

/** A name in the form in which it is stored, or a sentence that refuses it. */
export function parseSavedName(text: string): Result<string> {
  const name = validateSavedName(text);
  if (name.ok) return name;
  const word = quoteTypedWord(text.trim());
  return refused(problemMessageText({ kind: 'saved-name', word, reason: name.refusal }));
}

/**
 * Why no run of a request could have its range, as things are; undefined where one can.
 *
 * @param zone the IANA zone of whoever saves it
 */
export function rangeRefusal(
  request: ReportRequest,
  zone: string,
  { clock, weekStart }: Pick<ListenerParts, 'clock' | 'weekStart'>,
): string | undefined {
  if (request.range === undefined) return undefined;
  const report = reportForRequest(request);
  const range = resolveRange(request.range, report, clock.now(), zone, weekStart);
  // A range that is empty at this moment, such as this week at its first second, has something in it later.
  if (range.ok || range.refusal.reason === 'empty') return undefined;
  return `I can't use “${request.range}”. ${rangeRefusalText(range.refusal.reason, report.name)}`;
}

/** Saves a request under a name, unless the channel already has one of that name. */
export async function saveReport(
  report: { readonly channel: string; readonly name: string; readonly request: ReportRequest },
  user: string,
  { store, clock }: SaveParts,
): Promise<Result<SavedReport>> {
  const entry = await store.savedReports.save({ ...report, createdBy: user }, clock.now());
  const saved = entry === 'taken' ? undefined : await store.savedReports.find(entry.id);
  return saved ? ok(saved) : refused(nameTaken(report.name));
}

export function nameTaken(name: string): string {
  return `A saved report called “${name}” already exists there. Choose another name, or rename or delete that one.`;
}

/** `/report save <name>: …`: keeps it in the place where it was typed, and says how to run it. */
export async function saveFromCommand(
  report: { readonly name: string; readonly request: ReportRequest },
  asked: RequestContext,
  parts: ListenerParts,
): Promise<void> {
  const who = await resolveAsker(asked.asker, parts.people, parts.defaultZone);
  const place = await resolveConversation(asked, parts);
  const tell = (message: ReturnType<typeof notice>) => notifyAsker(message, asked.asker, place, parts.client);
  if (!who.ok) return void (await tell(notice(who.refusal)));
  const reason = (await savingRefusal(place, parts)) ?? rangeRefusal(report.request, who.value.zone, parts);
  if (reason !== undefined) return void (await tell(notice(reason)));
  const saved = await saveReport({ ...report, channel: asked.channel }, asked.asker, parts);
  await tell(saved.ok ? savedMessage(saved.value) : notice(saved.refusal));
  parts.home.changed(asked.asker);
}

/** A deletion can be taken back for so long. */
export const undoWindowMs = 10 * 60_000;

interface RightsParts {
  readonly channels: Channels;
  readonly memberships: Memberships;
  readonly admins: readonly string[];
}

/** The one who made a saved report, its owner and admins edit, rename and delete it. */
export function mayChange(
  { owner, createdBy }: Pick<SavedReport, 'owner' | 'createdBy'>,
  user: string,
  { admins }: Pick<RightsParts, 'admins'>,
): boolean {
  return user === owner || user === createdBy || admins.includes(user);
}

/**
 * True where somebody may know of what is kept in a channel: in their own direct messages with the bot, in public
 * channels, and in private ones that both are in.
 */
export async function maySee(channel: string, user: string, parts: RightsParts): Promise<boolean> {
  if (channel.startsWith('D')) {
    return parts.channels.directWith(user).then(
      (direct) => direct === channel,
      () => false,
    );
  }
  const facts = await parts.channels.find(channel);
  if (facts.known && !facts.isPrivate) return true;
  return (await parts.memberships.channelsOf(user))?.has(channel) ?? false;
}

/** Why nothing can be kept in a place, with the way out; undefined where it can. */
export async function savingRefusal(
  { kind, channel }: Pick<Conversation, 'kind' | 'channel'>,
  { channels }: Pick<RightsParts, 'channels'>,
): Promise<string | undefined> {
  if (kind !== 'elsewhere') return undefined;
  const elsewhere = 'Use your direct messages with me instead.';
  if (channel.startsWith('D')) {
    return `I cannot see direct messages between people, so nothing can be saved or scheduled here. ${elsewhere}`;
  }
  const facts = await channels.find(channel);
  if (facts.known) return undefined;
  if (facts.passing) return 'Slack did not find this channel in time. Try again in a minute.';
  return `I am not in this conversation, so nothing can be saved or scheduled here. Type /invite @Rollcall if it is a channel, or use your direct messages with me.`;
}
