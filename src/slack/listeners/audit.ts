import type { AccessEvent, ExportedDetails, RecordReadDetails } from '../../access/record.js';
import { reportNamed } from '../../catalogue/index.js';
import { ok, refused } from '../../errors/failure.js';
import { formatCount, formatRange } from '../../figures/format/values.js';
import { resolveRange } from '../../requests/date-range.js';
import { type AuditRequest, reportForAuditRanges } from '../../requests/parse-audit.js';
import { rangeRefusalText } from '../../requests/problem-messages.js';
import { compact, displayText } from '../../requests/text.js';
import type { EventQuery, Events, RecordedEvent } from '../../store/erasure/events.js';
import type { ListenerParts } from '../answers/context.js';
import type { MemberContext } from '../context/request-context.js';
import { type OutgoingMessage, sendMessage } from '../delivery/post-message.js';
import { findChannel, findPerson, findPersonByAddress } from '../directory/find-by-name.js';
import { auditPageMessage, groupOf } from '../messages/audit.js';
import { button } from '../messages/blocks.js';
import { replierIn } from '../messages/notices.js';

/** Actions under a page of the record. Their value is what `parseAuditPosition` reads. */
export const auditActions = {
  newer: 'audit_newer',
  older: 'audit_older',
  file: 'audit_file',
} as const;

/** A list of events that an admin looks at. Plain data, because buttons carry it. */
interface AuditView extends EventQuery {
  /** `Ada, last week (9 Nov to 15 Nov)` */
  readonly title: string;
}

/** A view and which page of it: the one after or before an event; the newest if neither is given. */
interface AuditPosition {
  readonly view: AuditView;
  readonly before?: number;
  readonly after?: number;
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
  const reply = replierIn(context, parts);
  const { zone } = context.member;
  const views = await viewsOf(audit, zone, parts);
  if (!views.ok) return reply(views.refusal);
  const direct = await parts.channels.directWith(context.asker);
  try {
    const pages: OutgoingMessage[] = [];
    const { seq: through } = await parts.store.events.head();
    for (const view of views.value) pages.push(await auditPage({ view: { ...view, through } }, zone, parts));
    // Before anyone sees them.
    await parts.store.events.append(readingEvent(views.value, context.asker, 'message', parts));
    const thread = context.channel === direct ? context.thread : undefined;
    for (const page of pages) await sendMessage(page, { channel: direct, thread }, parts.client);
  } catch (err) {
    parts.log.warn({ err }, 'A page of the record could not be sent');
    return reply('I could not send it to your direct messages. Try again in a minute.');
  }
  if (context.channel !== direct) await reply('I sent it to your direct messages.');
}

/** Who read what of the record. Readings are in the record, too. */
export function readingEvent(
  views: readonly AuditView[],
  reader: string,
  as: RecordReadDetails['as'],
  { clock }: ListenerParts,
): AccessEvent {
  const details: RecordReadDetails = { title: views.map(({ title }) => title).join('; '), as };
  const [view] = views;
  return {
    kind: 'record-read',
    at: clock.now(),
    person: reader,
    report: view?.report,
    subjects: view?.people,
    details,
  };
}

/** Two views for a person: what they did, and what others did that names them. The refusal is a sentence. */
async function viewsOf({ about, range }: AuditRequest, zone: string, parts: ListenerParts) {
  const period = periodOf(range, zone, parts);
  if (!period.ok) return period;
  const { words, ...bounds } = period.value;
  const view = (title: string, query: EventQuery = {}) => ({
    title: `${title}${words}`,
    ...query,
    ...bounds,
  });
  switch (about?.kind) {
    case undefined:
      return ok([view('The record of who asked and exported what')]);
    case 'report':
      return ok([view(`The record for ${about.report}`, { report: about.report })]);
    case 'channel': {
      const { typed } = about;
      const refusals = {
        none: `I see no channel #${typed}. Invite me there, or type its ID.`,
        'too-many': `There are several channels #${typed}. Type the ID of one.`,
      };
      const place = await idOf(typed, /^[CG][A-Z0-9]{6,30}$/, findChannel, refusals, parts);
      if (!place.ok) return place;
      const name = displayText(typed, maxNameLength);
      return ok([view(`The record for #${name}`, { place: place.value })]);
    }
    case 'person': {
      const person = await personNamed(about.typed, parts);
      if (!person.ok) return person;
      const { people } = person.value;
      const name = displayText(person.value.name, maxNameLength);
      return ok([
        view(`What ${name} did`, { people, relation: 'did' }),
        view(`What others did that names ${name}`, { people, relation: 'named' }),
      ]);
    }
  }
}

/** The ID that an admin typed, or that has the name that they typed. */
async function idOf(
  typed: string,
  isId: RegExp,
  find: typeof findPerson,
  refusals: Readonly<Record<'none' | 'too-many', string>>,
  { interactive }: ListenerParts,
) {
  if (isId.test(typed)) return ok(typed);
  const found = await find(interactive, typed);
  if (found.kind === 'one') return ok(found.id);
  if (found.kind === 'unreachable') return refused('Slack did not answer in time. Try again in a minute.');
  return refused(refusals[found.kind]);
}

async function personNamed(typed: string, parts: ListenerParts) {
  if (typed.includes('@')) {
    const address = typed.toLowerCase();
    const id = await findPersonByAddress(parts.interactive, address);
    return ok({ name: address, people: compact(id, [address]) });
  }
  const advice = 'Type an email address or a Slack user ID.';
  const refusals = {
    none: `No member is called ${typed}. ${advice}`,
    'too-many': `Several people are called ${typed}. ${advice}`,
  };
  const id = await idOf(typed, /^[UW][A-Z0-9]{6,30}$/, findPerson, refusals, parts);
  if (!id.ok) return id;
  const { name = typed, email } = await parts.people.find(id.value);
  return ok({ name, people: compact(id.value, email?.toLowerCase()) });
}

function periodOf(range: string | undefined, zone: string, { clock, weekStart }: ListenerParts) {
  if (range === undefined) return ok({ words: '' });
  const report = reportNamed(reportForAuditRanges);
  const now = clock.now();
  const resolved = resolveRange(range, report, now, zone, weekStart);
  if (!resolved.ok) {
    const reason = rangeRefusalText(resolved.refusal.reason, report.name, 'The record');
    return refused(`I can't use “${range}”. ${reason}`);
  }
  const { from, until } = resolved.value;
  // Ranges that end now end with a whole second, and the newest events may be younger.
  const end = until < Math.floor(now / 1000) ? until * 1000 : undefined;
  return ok({ words: `, ${formatRange(resolved.value)}`, from: from * 1000, until: end });
}

export async function auditPage(
  { view, before, after }: AuditPosition,
  zone: string,
  parts: ListenerParts,
): Promise<OutgoingMessage> {
  const { store, clock } = parts;
  // Searches in forms that are still open belong to it.
  await store.formSearches.record({ before: clock.now() + 1 });
  const page =
    after === undefined
      ? await store.events.newest(view, pageSize + 1, before)
      : [...(await store.events.oldest(view, pageSize + 1, after))].reverse();
  const isLonger = page.length > pageSize;
  const events = after === undefined ? page.slice(0, pageSize) : page.slice(-pageSize);
  const hasNewer = after === undefined ? before !== undefined : isLonger;
  const hasOlder = after === undefined ? isLonger : true;
  const nameOf = await namesOf(events, parts);
  const note =
    view.relation === 'named' && before === undefined && after === undefined
      ? await noteOnFiles(view, store.events)
      : undefined;
  const [first, last] = [events[0], events.at(-1)];
  const to = (action: string, label: string, position: Omit<AuditPosition, 'view'>) =>
    button(action, label, JSON.stringify({ view, ...position }));
  const pressable = compact(
    hasNewer && first && to(auditActions.newer, 'Newer', { after: first.seq }),
    hasOlder && last && to(auditActions.older, 'Older', { before: last.seq }),
    first && to(auditActions.file, 'CSV', {}),
  );
  return auditPageMessage(view.title, events, note, pressable, nameOf, zone);
}

/** Names of all people and user groups on a page. Slack IDs without a name stay. */
async function namesOf(
  events: readonly RecordedEvent[],
  { people, userGroups }: ListenerParts,
): Promise<(id: string) => string> {
  const ids = new Set(events.flatMap(({ person, subjects }) => compact(person, subjects)));
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
async function noteOnFiles(query: EventQuery, events: Events) {
  let everybody = 0;
  let some = 0;
  const { place, report, from, until } = query;
  const exported = { kinds: ['exported', 'evidence-made'], place, report, from, until } as const;
  for await (const { details, report: of } of allEvents(events, exported)) {
    if (of === undefined || of === 'workshops') continue;
    const { people }: Partial<ExportedDetails> = details ?? {};
    if (people === 'everybody') everybody += 1;
    else if (people !== 'named') some += 1;
  }
  if (everybody + some === 0) return undefined;
  const chosen = some === 0 ? '' : ` ${files(some)} of teams or of people chosen by name may hold them too.`;
  return `${files(everybody)} had no filter on people and may hold everybody’s rows.${chosen}`;
}

function files(count: number) {
  return `${formatCount(count)} exported ${count === 1 ? 'file' : 'files'}`;
}

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

/** Buttons hold only what Rollcall wrote into them. */
export function parseAuditPosition(value: string): AuditPosition {
  return JSON.parse(value);
}
