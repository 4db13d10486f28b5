import type { HomeView } from '@slack/types';
import type { Digest } from '../../digests/digest.js';
import {
  formatCount,
  formatDay,
  formatMoment,
  formatPlural,
  formatTime,
} from '../../figures/format/values.js';
import type { PostState } from '../../posts/states.js';
import { formatRequest } from '../../requests/parse-request.js';
import { compact } from '../../requests/text.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import { whomToAsk } from '../messages/access-levels.js';
import {
  button,
  buttons,
  code,
  commandActions,
  context,
  divider,
  header,
  type Line,
  richLink,
  richTextLines,
  section,
} from '../messages/blocks.js';
import { stateLabels } from '../messages/digest-list.js';
import { digestName } from '../messages/digests.js';
import { helpActions } from '../messages/help.js';
import { managerActions } from '../messages/managers.js';
import { recordLines, recordTitle } from '../messages/record.js';
import {
  commandFor,
  deletedBlocks,
  type SavedReader,
  savedButtons,
  savedLines,
} from '../messages/saved-reports.js';
import { type HomeFacts, maxHomeRows } from './home-facts.js';
import { overviewBlocks } from './overview.js';

export function homeView(facts: HomeFacts, reader: SavedReader): HomeView {
  const { dueItems, mine, others, deleted, declined, digests, runs, overview } = facts;
  return {
    type: 'home',
    blocks: compact(
      header('What you can do here'),
      section(
        'Choose a report in a form, or type /report in any channel. Answers to reports you run here appear in the Messages tab.',
      ),
      buttons(
        button(commandActions.openBuilder, 'Run a report', '-', 'primary'),
        button(helpActions.help, 'What can I ask?', '-'),
      ),
      pressBlocks(facts),
      dueItems === 'team-and-own' && dueBlocks('My team', 'manager_email:me', facts, reader),
      dueItems && dueBlocks('My assignments', 'email:me', facts, reader),
      deleted && deletedBlocks(deleted),
      divider(),
      header('My saved reports'),
      rows(mine, reader, 'None yet. Press Save under an answer, or type /report save <name>: <report>.'),
      digests.length > 0 && [divider(), ...digests],
      declined.length > 0 && [divider(), header('Not for me'), ...declined.map(declinedLine)],
      divider(),
      header('Saved in my channels'),
      others
        ? rows(others, reader, 'Nothing saved by others in the channels we are both in.')
        : [section('Your channels could not be loaded. Open this tab again.')],
      divider(),
      header('My recent runs'),
      runBlocks(runs, reader),
      recordBlocks(facts, reader),
      overview && [divider(), ...overviewBlocks(overview, reader.zone)],
    ),
  };
}

/** A digest for managers that the reader does not want, with the button that takes that back. */
function declinedLine(digest: Digest) {
  const accessory = button(managerActions.wantAgain, 'Get it again', digest.id);
  return section(`You get no more of: ${digestName(digest)}.`, accessory);
}

/** The newest lines of what was asked about the reader. */
function recordBlocks({ record }: HomeFacts, { zone }: SavedReader) {
  return [
    divider(),
    header(recordTitle),
    record.entries.length > 0
      ? richTextLines(...recordLines(record, zone))
      : section('Nothing yet: no file and no row that I sent held you, and no request named you.'),
    section(
      'All of it, and a copy of what I keep about you.',
      button(commandActions.runWords, 'My record', 'record'),
    ),
  ];
}

/** A press is old after this long: people know by then where its answer is. */
const pressMs = 10 * 60_000;

function pressBlocks({ ranAt, now, runs }: HomeFacts) {
  if (ranAt === undefined || now - ranAt > pressMs) return [];
  const entry = runs.find(({ requestedAt, channel }) => requestedAt >= ranAt && channel.startsWith('D'));
  const link = entry?.state === 'posted' ? entry.message?.link : undefined;
  return [richTextLines([pressLine(entry?.state), ...openLink(link)])];
}

function openLink(url: string | undefined): Line {
  return url === undefined ? [] : ['  ', richLink(url, 'Open')];
}

function pressLine(state: PostState | undefined) {
  if (state === 'posted') return 'Your answer is in the Messages tab.';
  return state === 'running' || state === 'posting'
    ? 'Your report is running. Its answer comes to the Messages tab.'
    : 'The reply to your press is in the Messages tab.';
}

/** The requests of the due items, with what a count of their rows says. */
const dueLines = [
  { text: 'What is overdue', words: 'overdue', count: 'overdue' },
  { text: 'What is due this week', words: 'due this-week', count: 'due this week' },
  { text: 'What is due next week', words: 'due next-week', count: 'due next week' },
] as const;

/** Buttons for what is overdue and due. The answers come to the Messages tab, and their counts stay for a day. */
function dueBlocks(title: string, filter: string, facts: HomeFacts, reader: SavedReader) {
  return [
    divider(),
    header(title),
    countLine(filter, facts, reader),
    ...dueLines.map(({ text, words }) => askLine(title, text, `${words} ${filter}`)),
  ];
}

/** `3 overdue, 2 due this week, as of 09:12.` */
function countLine(filter: string, { runs, now }: HomeFacts, { zone }: SavedReader) {
  const counts = dueLines.flatMap(({ words, count }) => {
    const run = runs.find((entry) => countsNow(entry, `${words} ${filter}`, now));
    return run
      ? [{ text: `${formatCount(run.rows ?? 0)} ${count}`, at: formatSince(run.requestedAt, now, zone) }]
      : [];
  });
  const [first] = counts;
  if (!first)
    return context(
      'No count of the last 24 hours. Show brings an answer to the Messages tab, and its count here.',
    );
  const areOfOneTime = counts.every(({ at }) => at === first.at);
  const said = counts.map(({ text, at }) => (areOfOneTime ? text : `${text} (as of ${at})`)).join(', ');
  return section(`${said}${areOfOneTime ? `, as of ${first.at}` : ''}.`);
}

/** True if the number of rows of an answer still says what the words ask. */
function countsNow(
  { request, range, requestedAt, state, rows, choseFilters }: RequestLogEntry,
  words: string,
  now: number,
) {
  if (state !== 'posted' || rows === undefined || choseFilters === false) return false;
  // The file of an older answer has its dates.
  if (now - requestedAt > dayMs || request.file !== undefined) return false;
  const { report, view, range: typed, filters, states, titles, assigned, dateField } = request;
  const counted = { report, view, range: typed, filters, states, titles, assigned, dateField, toMe: false };
  if (formatRequest(counted) !== words) return false;
  const seconds = now / 1000;
  // “This week” of an answer from Sunday is over on Monday.
  if (typed === 'this-week') return range !== undefined && range.from <= seconds && seconds < range.until;
  if (typed === 'next-week')
    return range !== undefined && seconds < range.from && range.from - seconds <= longestWeekSeconds;
  return true;
}

const dayMs = 24 * 3_600_000;

/** A week is an hour longer where clocks go back. */
const longestWeekSeconds = 7 * 86_400 + 3_600;

/** The time, with the day if that is another one. */
function formatSince(at: number, now: number, zone: string) {
  return formatDay(at, zone) === formatDay(now, zone) ? formatTime(at, zone) : formatMoment(at, zone);
}

/** @param words the words after `/report` */
function askLine(title: string, text: string, words: string) {
  // Screen readers read the buttons without the lines beside them.
  const accessibility_label = `Show ${title.toLowerCase()}: ${text.toLowerCase()}`;
  const accessory = { ...button(commandActions.runWords, 'Show', words), accessibility_label };
  return section(text, accessory);
}

/** @param admins whom outsiders may ask; none: the owners of the workspace are the admins */
export function refusedHome(sentence: string, admins?: readonly string[]): HomeView {
  const questions = admins ? ` For questions about Rollcall, ask ${whomToAsk(admins)}.` : '';
  return { type: 'home', blocks: [section(`${sentence}${questions}`)] };
}

function rows(reports: readonly SavedReport[], reader: SavedReader, none: string) {
  if (reports.length === 0) return [section(none)];
  return compact(
    reports
      .slice(0, maxHomeRows)
      .flatMap((saved) => [savedLines(saved, reader, true), savedButtons(saved, reader)]),
    reports.length > maxHomeRows && context('Type /report list in a channel to see more.'),
  );
}

const maxCommandLength = 150;

function runBlocks(runs: readonly RequestLogEntry[], reader: SavedReader) {
  if (runs.length === 0) return [section('None yet.')];
  return [richTextLines(...runs.slice(0, maxHomeRows).map((entry) => runLine(entry, reader)))];
}

function runLine(entry: RequestLogEntry, reader: SavedReader): Line {
  const { request, rows: count, message } = entry;
  const author = entry.choseFilters === false ? '' : reader.user;
  const command = commandFor({ request, owner: author, createdBy: author }, reader);
  const rows = count === undefined ? '' : `, ${formatPlural(count, ['row', 'rows'])}`;
  return [
    `${formatMoment(entry.requestedAt, reader.zone)}  `,
    code(command, maxCommandLength),
    `  ${entry.state === 'posted' ? 'answered' : stateLabels[entry.state]}${rows}`,
    ...openLink(message?.link),
    '\n',
  ];
}
