import type { AnyBlock } from '@slack/types';
import { reportNamed } from '../../catalogue/index.js';
import { type LearningLinks, learningLink } from '../../catalogue/learning-link.js';
import type { Digest } from '../../digests/digest.js';
import {
  type ManagersPlan,
  type ManagersRunEnd,
  type NotReached,
  type NotReachedReason,
  notReachedReasons,
  sizeOfPlan,
} from '../../digests/managers-plan.js';
import {
  formatCount,
  formatDay,
  formatPlural,
  formatValue,
  plainNumber,
  withoutSampleSize,
} from '../../figures/format/values.js';
import { findings as findingRules, stateWords } from '../../figures/reports/findings.js';
import type { TeamFindings, TeamMember } from '../../figures/reports/team-rows.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { narrows, type ReportRequest } from '../../requests/request.js';
import { compact, displayText } from '../../requests/text.js';
import { dayNumberAt } from '../../time/calendar.js';
import type { MessageVariants } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  bold,
  bulletList,
  button,
  buttons,
  context,
  type Line,
  richLink,
  richText,
  richTextLines,
} from './blocks.js';
import { person } from './saved-reports.js';
import { joinWithinLimit, messageVariants, withinLimit } from './summary-parts.js';

/** Actions under a digest's message to a manager. The value is the digest's ID. */
export const managerActions = {
  /** Shows all rows of the reader's team. */
  all: 'manager_all',
  /** *Not for me*. */
  decline: 'manager_decline',
  /** Takes that back, on the Home tab. */
  wantAgain: 'manager_want_again',
  /** An admin decides about a digest for many managers. The value is the draft's ID and its maker. */
  confirm: 'manager_confirm',
  refuse: 'manager_refuse',
} as const;

/* Digests for managers: the message that one of them reads, and what the owner reads before and after. */

interface ManagerMessage {
  readonly digest: Pick<Digest, 'id' | 'request' | 'schedule' | 'owner' | 'when'>;
  /** Absent: nothing is left of what the manager had last time. */
  readonly findings: TeamFindings | undefined;
  readonly before?: { readonly rows: number; readonly takenAt: number } | undefined;
  readonly requestedAt: number;
  /** IANA zone of the reader. */
  readonly zone: string;
  /** When it was late, in words. */
  readonly late?: string | undefined;
  readonly leavesOutPeople?: boolean | undefined;
  readonly links: LearningLinks;
  /** True for a sample: its buttons do nothing for its reader. */
  readonly isSample?: boolean;
}

/** The message that one manager reads, from its fullest variant to its plainest. */
export function managerVariants(message: ManagerMessage): MessageVariants {
  const { findings, digest, late, leavesOutPeople, isSample } = message;
  const sentence = sentenceFor(message);
  const { listed = [], concerned = 0 } = findings ?? {};
  const about = compact(
    listed.length < concerned && `The first ${listed.length} of ${formatCount(concerned)} people.`,
    findings && figuresLine(findings, digest),
    late,
    leavesOutPeople && 'Some people are left out.',
  );
  const text = joinWithinLimit(
    [`${sentence}.`, ...listed.map((member) => memberText(member, digest.request)), ...about].map(escaped),
  );
  const setUp = richTextLines([
    'Set up by ',
    person(digest.owner),
    `. Comes ${describeCadence(digest.schedule.cadence)}, at your time.`,
  ]);
  const ofReader = buttons(
    findings && button(managerActions.all, 'All of them', digest.id),
    button(managerActions.decline, 'Not for me', digest.id),
  );
  return messageVariants(text, () =>
    withinLimit([
      { blocks: [richTextLines([bold(`${sentence}.`)])] },
      // The last people go first where the message is too long.
      ...listed.map((member, place) => ({
        blocks: memberBlocks(member, message),
        dropOrder: listed.length - place,
      })),
      { blocks: about.map((line) => context(line)) },
      { blocks: [setUp] },
      { blocks: isSample ? [] : [ofReader] },
    ]),
  );
}

/** `4 of your 9 people have 7 overdue assignments, 2 more than last Monday` */
function sentenceFor({
  findings,
  digest: { request, when },
  before,
  requestedAt,
  zone,
}: ManagerMessage): string {
  const since = before && sinceWords(before.takenAt, requestedAt, zone);
  if (!findings) {
    const had = before ? ` You had ${formatCount(before.rows)} ${since}` : '';
    return `Nothing left: your people have no ${nounsOf(request)[1]} any more.${had}`;
  }
  const { concerned, rows } = findings;
  const [one, many] = nounsOf(request);
  const nouns = when ? ([`new ${one}`, `new ${many}`] as const) : ([one, many] as const);
  const has = concerned === 1 ? 'has' : 'have';
  const what = `${has} ${formatPlural(rows, nouns)}`;
  const who = whoHas(findings);
  if (!before || when) return `${who} ${what}`;
  const change = rows - before.rows;
  const words =
    change === 0 ? 'as many as' : `${formatCount(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than`;
  return `${who} ${what}, ${words} ${since}`;
}

function whoHas({ people, concerned }: TeamFindings): string {
  if (people === 1) return 'The person who reports to you';
  if (concerned === people) return `All your ${formatCount(people)} people`;
  return `${formatCount(concerned)} of your ${formatCount(people)} people`;
}

function nounsOf(request: ReportRequest): readonly [one: string, many: string] {
  const { view, states = [], report: name } = request;
  const report = reportNamed(name);
  const [one, many] = report.rowWords;
  const open = states.map((state) => stateWords[state] ?? state.replaceAll('-', ' ')).join(' or ');
  const more = open === '' ? '' : ` (${open})`;
  if (view === 'overdue') return [`overdue ${one}${more}`, `overdue ${many}${more}`];
  if (view === 'due') return [`${one} due${more}`, `${many} due${more}`];
  return [`${one}${more}`, `${many}${more}`];
}

/** `last Monday`, `yesterday`, `on Mon 2 Nov 2026` */
function sinceWords(then: number, now: number, zone: string): string {
  const days = dayNumberAt(now / 1000, zone) - dayNumberAt(then / 1000, zone);
  if (days <= 0) return 'earlier today';
  if (days === 1) return 'yesterday';
  if (days > 7) return `on ${formatDay(then, zone)}`;
  return `last ${new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'long' }).format(then)}`;
}

const maxKeyFigures = 4;

/** The key figures of the team, where the sentence does not say all. */
function figuresLine(
  { figures }: TeamFindings,
  { request, when }: ManagerMessage['digest'],
): string | undefined {
  if (when || narrows(request)) return undefined;
  const { figures: first, keyFigures } = findingRules[request.report];
  const ids = [...first.map(({ id }) => id), ...keyFigures];
  const shown = ids.flatMap((id) => figures.find((figure) => figure.id === id) ?? []);
  const lines = shown
    .filter(({ value }) => plainNumber(value) !== undefined)
    .slice(0, maxKeyFigures)
    .map(({ label, value }) => `${label}: ${withoutSampleSize(formatValue(value))}`);
  return lines.length === 0 ? undefined : lines.join(' · ');
}

const maxNameLength = 60;
const maxTitleLength = 100;

function memberBlocks(
  { name, rows, items }: TeamMember,
  { digest: { request }, links }: ManagerMessage,
): AnyBlock[] {
  const title = richTextLines([bold(displayText(name, maxNameLength)), rows > 1 && `  ${formatCount(rows)}`]);
  const lines = items.map((item): Line => {
    const shown = displayText(item.title, maxTitleLength) || 'Without a title';
    const url = item.link && learningLink(links, item.link.option, item.link.id);
    const how = howItStands(item, request);
    return [url === undefined ? richText(shown) : richLink(url, shown), how !== '' && `, ${how}`];
  });
  const more = rows - items.length;
  const { elements } = bulletList(...lines, ...(more > 0 ? [`${formatCount(more)} more`] : []));
  return [{ ...title, elements: [...title.elements, ...elements] }];
}

function memberText({ name, rows, items }: TeamMember, request: ReportRequest): string {
  const some = items.map((item) =>
    compact(displayText(item.title, maxTitleLength), howItStands(item, request)).join(', '),
  );
  const more = rows - items.length;
  return `${displayText(name, maxNameLength)}: ${[...some, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join('; ')}`;
}

/** `12 days overdue`, `due in 3 days`, `In progress` */
function howItStands({ days, detail = '' }: TeamMember['items'][number], { view }: ReportRequest): string {
  if (days === undefined) return displayText(detail, maxTitleLength);
  const isOverdue = view !== 'due';
  const whole = Math.floor(Math.abs(days));
  if (isOverdue || Object.is(days, -0) || days < 0)
    return whole === 0 ? 'overdue since today' : `${formatPlural(whole, ['day', 'days'])} overdue`;
  return whole === 0 ? 'due today' : `due in ${formatPlural(whole, ['day', 'days'])}`;
}

/** Lists fit into a message with so many. */
const maxNamed = 20;

/**
 * What the owner reads before *Confirm* and in a test.
 *
 * @param namesPeople true where people may be named: in direct messages and in approved channels
 */
export function rehearsalLines(plan: ManagersPlan, stray: Strays, namesPeople: boolean): readonly string[] {
  const { messages, people, largest } = sizeOfPlan(plan);
  const lead =
    messages === 0
      ? 'As of now, no manager would get a message.'
      : `As of now, ${formatPlural(messages, ['manager gets a message', 'managers get a message'])}, about ${formatPlural(people, ['person', 'people'])}.`;
  const named = namesPeople && largest ? `: ${displayText(largest.address, maxNameLength)}` : '';
  const most =
    largest?.team && messages > 1
      ? ` The largest is about ${formatPlural(largest.team.concerned, ['person', 'people'])}, with ${formatPlural(largest.team.rows, ['row', 'rows'])}${named}.`
      : '';
  const { notReached, declined } = plan;
  const why = namesPeople ? '' : reasonsIn(countReasons(notReached));
  return compact(
    `${lead}${most}`,
    declined > 0 && `Not for me: ${formatCount(declined)}.`,
    notReached.length > 0 &&
      `Not reached: ${formatPlural(notReached.length, ['manager', 'managers'])}${why}.`,
    namesPeople ? notReachedLines(notReached) : [],
    strayLine(stray),
    notReached.length > 0 && !namesPeople && 'Send me a test names them in direct messages.',
  );
}

interface Strays {
  readonly withoutManager: number;
  readonly severalManagers: number;
  readonly ownManager: number;
}

/** `no Slack account with that address: ada@example.com, grace@example.com` */
function notReachedLines(all: readonly { readonly who: string; readonly why: string }[]): readonly string[] {
  const byReason = new Map<string, typeof all>();
  for (const one of all) byReason.set(one.why, [...(byReason.get(one.why) ?? []), one]);
  return [...byReason].map(([why, some]) => {
    const named = some.slice(0, maxNamed).map(({ who }) => displayText(who, maxNameLength));
    const more = some.length - named.length;
    const reason = notReachedReasons[why as NotReachedReason] ?? why;
    return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}: ${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}.`;
  });
}

function strayLine({ withoutManager, severalManagers, ownManager }: Strays): string | undefined {
  const parts = compact(
    withoutManager > 0 && `${formatCount(withoutManager)} without a manager`,
    severalManagers > 0 && `${formatCount(severalManagers)} with several managers in one cell`,
    ownManager > 0 && `${formatCount(ownManager)} of people who are their own manager`,
  );
  return parts.length === 0 ? undefined : `Rows that go to nobody: ${parts.join(', ')}.`;
}

/** How a run ended, in one line: for its owner, and without names for histories. */
export function endLine(end: ManagersRunEnd): string {
  const notReached = Object.values(end.failed).reduce((sum, count) => sum + count, 0);
  return compact(
    end.isStopped && 'stopped on its way',
    `sent to ${formatPlural(end.sent, ['manager', 'managers'])}`,
    end.unconfirmed > 0 && `${formatCount(end.unconfirmed)} unconfirmed`,
    `nothing to tell ${formatCount(end.nothingToTell)}`,
    `not reached ${formatCount(notReached)}${reasonsIn(end.failed)}`,
    end.declined > 0 && `Not for me ${formatCount(end.declined)}`,
  ).join(' · ');
}

function reasonsIn(failed: ManagersRunEnd['failed']): string {
  const parts = Object.entries(failed).map(
    ([why, count]) => `${formatCount(count)} ${notReachedReasons[why as NotReachedReason] ?? why}`,
  );
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The lines of the owner's message after a run. They hold addresses: the owner may see names. */
export function endDetails(end: ManagersRunEnd): readonly string[] {
  return compact(notReachedLines(end.notReached), strayLine(end));
}

export function countReasons(all: readonly NotReached[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { why } of all) counts[why] = (counts[why] ?? 0) + 1;
  return counts;
}
