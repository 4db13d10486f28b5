import type { AccessEvent, ExportedDetails, RecordReadDetails } from '../access/record.js';
import { type ReportName, reportNamed } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/result.js';
import { formatRange } from '../figures/format/dates.js';
import { displayText } from '../figures/format/text.js';
import { formatCount } from '../figures/format/values.js';
import { resolveRange } from '../requests/date-range.js';
import { type AuditRequest, reportForAuditRanges } from '../requests/parse-audit.js';
import { rangeRefusalText } from '../requests/problem-messages.js';
import type { EventQuery, Events, RecordedEvent } from '../store/access/events.js';
import { replyInContext } from './delivery/notify-asker.js';
import { type OutgoingMessage, sendMessage } from './delivery/post-message.js';
import { findChannel, findPerson, findPersonByAddress } from './directory/find-by-name.js';
import type { ListenerParts } from './listeners/context.js';
import { auditPageMessage, groupOf } from './messages/audit.js';
import { notice } from './messages/notices.js';
import type { MemberContext } from './request-context.js';

/** A list of events that an admin looks at. Plain data, because buttons carry it. */
interface AuditView {
  /** `Ada, last week (9 Nov to 15 Nov)` */
  readonly title: string;
  /** The IDs and addresses of one person. */
  readonly people?: readonly string[] | undefined;
  /** What the person did, or what others did that names the person. */
  readonly relation?: 'did' | 'named' | undefined;
  readonly place?: string | undefined;
  readonly report?: ReportName | undefined;
  /** Milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** The newest event when the list was made. Later ones are not in it, and so are none of those who read it. */
  readonly through?: number | undefined;
}

/** A view and which page of it: the one after or before an event; the newest if neither is given. */
interface AuditPosition {
  readonly view: AuditView;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

const pageSize = 12;

/** Titles are in the values of buttons, which Slack limits. */
const maxNameLength = 80;

/** Handles `/report audit`: the record goes to the admin's direct messages, wherever it was asked for. */
export async function showAudit(
  audit: AuditRequest,
  context: MemberContext,
  parts: ListenerParts,
): Promise<void> {
  const reply = async (message: OutgoingMessage) => void (await replyInContext(message, context, parts));
  const { zone } = context.member;
  const views = await viewsOf(audit, zone, parts);
  if (!views.ok) return reply(notice(views.refusal));
  const direct = await parts.channels.directWith(context.asker);
  try {
    const pages: OutgoingMessage[] = [];
    const { seq: through } = await parts.store.events.head();
    for (const view of views.value) pages.push(await auditPage({ view: { ...view, through } }, zone, parts));
    // Before anybody sees them.
    await parts.store.events.append(readingEvent(views.value, context.asker, 'message', parts));
    const thread = context.channel === direct ? context.thread : undefined;
    for (const page of pages) await sendMessage(page, { channel: direct, thread }, parts.client);
  } catch (err) {
    parts.log.warn({ err }, 'A page of the record could not be sent');
    return reply(notice('I could not send it to your direct messages. Try again in a minute.'));
  }
  if (context.channel !== direct) await reply(notice('I sent it to your direct messages.'));
}

/** Who read what of the record. Readings are in the record, too. */
export function readingEvent(
  views: readonly AuditView[],
  reader: string,
  as: RecordReadDetails['as'],
  { clock }: Pick<ListenerParts, 'clock'>,
): AccessEvent {
  const details: RecordReadDetails = { title: views.map(({ title }) => title).join('; '), as };
  const [view] = views;
  const { people: subjects, report } = view ?? {};
  return { kind: 'record-read', at: clock.now(), person: reader, report, subjects, details };
}

/** Two views for a person: what they did, and what others did that names them. The refusal is a sentence. */
async function viewsOf(
  { about, range }: AuditRequest,
  zone: string,
  parts: ListenerParts,
): Promise<Result<readonly AuditView[]>> {
  const period = periodOf(range, zone, parts);
  if (!period.ok) return period;
  const { words, ...bounds } = period.value;
  const titled = (title: string) => `${title}${words}`;
  switch (about?.kind) {
    case undefined:
      return ok([{ title: titled('The record of who asked and exported what'), ...bounds }]);
    case 'report': {
      const { report } = about;
      return ok([{ title: titled(`The record for ${report}`), report, ...bounds }]);
    }
    case 'channel': {
      const found = /^[CG][A-Z0-9]{6,30}$/.test(about.typed)
        ? ({ kind: 'one', id: about.typed } as const)
        : await findChannel(parts.interactive, about.typed);
      if (found.kind !== 'one') return refused(channelRefusals[found.kind](about.typed));
      return ok([
        {
          title: titled(`The record for #${displayText(about.typed, maxNameLength)}`),
          place: found.id,
          ...bounds,
        },
      ]);
    }
    case 'person': {
      const person = await personNamed(about.typed, parts);
      if (!person.ok) return person;
      const { people } = person.value;
      const name = displayText(person.value.name, maxNameLength);
      return ok([
        { title: titled(`What ${name} did`), people, relation: 'did', ...bounds },
        { title: titled(`What others did that names ${name}`), people, relation: 'named', ...bounds },
      ]);
    }
  }
}

const notReached = () => 'Slack did not answer in time. Try again in a minute.';

const channelRefusals = {
  none: (name: string) => `I see no channel #${name}. Invite me there, or type its ID.`,
  'too-many': (name: string) => `There are several channels #${name}. Type the ID of one.`,
  unreachable: notReached,
} as const;

const personRefusals = {
  none: (name: string) => `I know nobody called ${name}. Type an email address or a Slack user ID.`,
  'too-many': (name: string) =>
    `Several people are called ${name}. Type an email address or a Slack user ID.`,
  unreachable: notReached,
} as const;

async function personNamed(
  typed: string,
  { interactive, people }: ListenerParts,
): Promise<Result<{ readonly name: string; readonly people: readonly string[] }>> {
  const address = typed.includes('@') ? typed.toLowerCase() : undefined;
  if (address !== undefined) {
    const id = await findPersonByAddress(interactive, address);
    return ok({ name: address, people: id === undefined ? [address] : [id, address] });
  }
  const found = /^[UW][A-Z0-9]{6,30}$/.test(typed)
    ? ({ kind: 'one', id: typed } as const)
    : await findPerson(interactive, typed);
  if (found.kind !== 'one') return refused(personRefusals[found.kind](typed));
  const { name = typed, email } = await people.find(found.id);
  return ok({ name, people: email === undefined ? [found.id] : [found.id, email.toLowerCase()] });
}

function periodOf(
  range: string | undefined,
  zone: string,
  { clock, weekStart }: Pick<ListenerParts, 'clock' | 'weekStart'>,
): Result<{ readonly words: string; readonly from?: number; readonly until?: number }> {
  if (range === undefined) return ok({ words: '' });
  const report = reportNamed(reportForAuditRanges);
  const now = clock.now();
  const resolved = resolveRange(range, report, now, zone, weekStart);
  if (!resolved.ok) {
    return refused(`I can't use “${range}”. ${rangeRefusalText(resolved.refusal.reason, report.name)}`);
  }
  const { from, until } = resolved.value;
  // Ranges that end now end with a whole second, and the newest events may be younger.
  const end = until < Math.floor(now / 1000) ? until * 1000 : undefined;
  return ok({ words: `, ${formatRange(resolved.value)}`, from: from * 1000, until: end });
}

/** One page of a view as a message. */
async function auditPage(
  { view, before, after }: AuditPosition,
  zone: string,
  { store, people, userGroups, clock }: ListenerParts,
): Promise<OutgoingMessage> {
  // Searches in forms that are still open belong to it.
  await store.formSearches.record({ before: clock.now() + 1 });
  const query = queryOf(view);
  const page =
    after === undefined
      ? await store.events.newest(query, pageSize + 1, before)
      : [...(await store.events.oldest(query, pageSize + 1, after))].reverse();
  const isLonger = page.length > pageSize;
  const events = after === undefined ? page.slice(0, pageSize) : page.slice(-pageSize);
  const hasNewer = after === undefined ? before !== undefined : isLonger;
  const hasOlder = after === undefined ? isLonger : true;
  const nameOf = await namesOf(events, people, userGroups);
  const note =
    view.relation === 'named' && before === undefined && after === undefined
      ? await noteOnFiles(query, store.events)
      : undefined;
  const [first, last] = [events[0], events.at(-1)];
  const positioned = (position: Omit<AuditPosition, 'view'>) => JSON.stringify({ view, ...position });
  return auditPageMessage(
    {
      title: view.title,
      events,
      note,
      newer: hasNewer && first ? positioned({ after: first.seq }) : undefined,
      older: hasOlder && last ? positioned({ before: last.seq }) : undefined,
      file: positioned({}),
    },
    nameOf,
    zone,
  );
}

export function queryOf({ people, relation, place, report, from, until, through }: AuditView): EventQuery {
  return { people, relation, place, report, from, until, through };
}

/** Names of all people and user groups on a page. Slack IDs without a name stay. */
async function namesOf(
  events: readonly RecordedEvent[],
  people: ListenerParts['people'],
  userGroups: ListenerParts['userGroups'],
): Promise<(id: string) => string> {
  const ids = new Set(
    events.flatMap(({ person, subjects }) => [...(person === undefined ? [] : [person]), ...subjects]),
  );
  const names = new Map<string, string>();
  for (const id of ids) {
    if (!/^[UW][A-Z0-9]+$/.test(id)) continue;
    const { name } = await people.find(id);
    if (name !== undefined) names.set(id, name);
  }
  if (events.some((event) => groupOf(event) !== undefined)) {
    for (const { id, handle } of (await userGroups.all()) ?? []) names.set(id, `@${handle}`);
  }
  return (person) => names.get(person) ?? (person === 'forgotten' ? 'An erased person' : person);
}

/** Files without a filter on people hold the rows of everybody, also of the person that an admin asks about. */
async function noteOnFiles(query: EventQuery, events: Events): Promise<string | undefined> {
  const { place, report, from, until } = query;
  let everybody = 0;
  let some = 0;
  for await (const { details, report: of } of allEvents(events, {
    kinds: ['exported'],
    place,
    report,
    from,
    until,
  })) {
    if (of === undefined || of === 'workshops') continue;
    const { people }: Partial<ExportedDetails> = details ?? {};
    if (people === 'everybody') everybody += 1;
    else if (people !== 'named') some += 1;
  }
  if (everybody + some === 0) return undefined;
  const chosen = some === 0 ? '' : ` ${files(some)} of teams or of people chosen by name may hold them too.`;
  return `${files(everybody)} had no filter on people and may hold everybody’s rows.${chosen}`;
}

function files(count: number): string {
  return `${formatCount(count)} exported ${count === 1 ? 'file' : 'files'}`;
}

/** Events that one read of the store gives. */
const readSize = 500;

/** All events of a query, oldest first. */
export async function* allEvents(events: Events, query: EventQuery): AsyncGenerator<RecordedEvent> {
  let after: number | undefined;
  for (;;) {
    const page = await events.oldest(query, readSize, after);
    yield* page;
    after = page.at(-1)?.seq;
    if (page.length < readSize) return;
  }
}

/** Newer, Older: replaces a page of the record, and records that. */
export async function turnAuditPage(
  value: string,
  context: MemberContext,
  parts: ListenerParts,
): Promise<OutgoingMessage> {
  const position = parseAuditPosition(value);
  const page = await auditPage(position, context.member.zone, parts);
  await parts.store.events.append(readingEvent([position.view], context.asker, 'message', parts));
  return page;
}

/** Buttons hold only what Rollcall wrote into them. */
export function parseAuditPosition(value: string): AuditPosition {
  return JSON.parse(value);
}
