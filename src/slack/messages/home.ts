import type { AnyBlock, HomeView, RichTextElement } from '@slack/types';
import { formatMoment } from '../../figures/format/dates.js';
import { displayText } from '../../figures/format/text.js';
import { formatPlural } from '../../figures/format/values.js';
import type { PostState } from '../../posts/states.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { actions, homeActions } from '../ids.js';
import { whomToAsk } from './access-levels.js';
import { button, buttons, context, divider, header, plainText, richText, section } from './blocks.js';
import { commandFor, deletedBlocks, type SavedReader, savedButtons, savedLines } from './saved-reports.js';

/** Of each list. A Home tab holds 100 blocks. */
export const maxHomeRows = 10;

export interface HomeFacts {
  /** Whose overdue and due items have buttons. Absent where the reader may not ask for any. */
  readonly dueItems?: 'own' | 'team-and-own';
  /** The reader's own, at most one more than is shown. */
  readonly mine: readonly SavedReport[];
  /** Those of others, in channels with the reader and the bot. Absent if Slack did not return the channels. */
  readonly others?: readonly SavedReport[];
  /** The reader's newest requests. */
  readonly runs: readonly RequestLogEntry[];
  /** A report that the reader has just deleted. */
  readonly deleted?: SavedReport;
  /** Digests of the reader and of those channels; for admins those of the whole workspace. */
  readonly digests: readonly AnyBlock[];
  /** The overview of the whole workspace for admins. Absent for other readers. */
  readonly overview?: readonly AnyBlock[];
}

export function homeView(facts: HomeFacts, reader: SavedReader): HomeView {
  const { dueItems, mine, others, deleted, digests, runs, overview } = facts;
  return {
    type: 'home',
    blocks: [
      header('What you can do here'),
      section(
        plainText(
          'Choose a report in a form, or type /report in any channel. Answers to reports you run here appear in the Messages tab.',
        ),
      ),
      buttons(
        button(actions.openBuilder, 'Run a report', '-', 'primary'),
        button(homeActions.help, 'What can I ask?', '-'),
      ),
      ...(dueItems === 'team-and-own' ? dueBlocks('My team', 'manager_email:me') : []),
      ...(dueItems ? dueBlocks('My assignments', 'email:me') : []),
      ...(deleted ? deletedBlocks(deleted) : []),
      divider(),
      header('My saved reports'),
      ...rows(mine, reader, 'None yet. Press Save under an answer, or type /report save <name>: <report>.'),
      ...(digests.length > 0 ? [divider(), ...digests] : []),
      divider(),
      header('Saved in my channels'),
      ...(others
        ? rows(others, reader, 'Nothing saved by others in the channels we are both in.')
        : [section(plainText('Your channels could not be loaded. Open this tab again.'))]),
      divider(),
      header('My recent runs'),
      ...runBlocks(runs, reader),
      ...(overview ? [divider(), ...overview] : []),
    ],
  };
}

/** Buttons for overdue items and those due next week. The answers come to the Messages tab. */
function dueBlocks(title: string, filter: string): AnyBlock[] {
  return [
    divider(),
    header(title),
    askLine(title, 'What is overdue', `overdue ${filter}`),
    askLine(title, 'What is due next week', `due next-week ${filter}`),
  ];
}

/** @param words the words after `/report` */
function askLine(title: string, text: string, words: string): AnyBlock {
  // Screen readers read the buttons without the lines beside them.
  const accessibility_label = `Show ${title.toLowerCase()}: ${text.toLowerCase()}`;
  const accessory = { ...button(actions.runWords, 'Show', words), accessibility_label };
  return { type: 'section', text: plainText(text), accessory };
}

/** The Home tab of a person who may not request reports. */
export function refusedHome(sentence: string): HomeView {
  return { type: 'home', blocks: [section(plainText(sentence))] };
}

/**
 * The same for guests and people from other organizations, with the names of admins to ask.
 *
 * @param admins empty if the owners of the workspace are the admins
 */
export function refusedHomeWithAdmins(sentence: string, admins: readonly string[]): HomeView {
  return refusedHome(`${sentence} For questions about Rollcall, ask ${whomToAsk(admins)}.`);
}

function rows(reports: readonly SavedReport[], reader: SavedReader, none: string): AnyBlock[] {
  if (reports.length === 0) return [section(plainText(none))];
  return [
    ...reports
      .slice(0, maxHomeRows)
      .flatMap((saved) => [savedLines(saved, reader, true), savedButtons(saved, reader)]),
    ...(reports.length > maxHomeRows
      ? [context(plainText('Type /report list in a channel to see more.'))]
      : []),
  ];
}

const maxCommandLength = 150;

function runBlocks(runs: readonly RequestLogEntry[], reader: SavedReader): AnyBlock[] {
  if (runs.length === 0) return [section(plainText('None yet.'))];
  return [
    {
      type: 'rich_text',
      elements: runs.map((entry) => ({ type: 'rich_text_section', elements: runLine(entry, reader) })),
    },
  ];
}

function runLine(entry: RequestLogEntry, reader: SavedReader): RichTextElement[] {
  const { request, rows: count, message } = entry;
  const author = entry.choseFilters === false ? '' : reader.user;
  const command = commandFor({ request, owner: author, createdBy: author }, reader);
  return [
    richText(`${formatMoment(entry.requestedAt, reader.zone)}  `),
    richText(displayText(command, maxCommandLength), { code: true }),
    richText(
      `  ${answerStateLabels[entry.state]}${count === undefined ? '' : `, ${formatPlural(count, ['row', 'rows'])}`}`,
    ),
    ...(message?.link ? ([richText('  '), { type: 'link', url: message.link, text: 'Open' }] as const) : []),
    richText('\n'),
  ];
}

/** The outcome of a request, for people. */
const answerStateLabels: Readonly<Record<PostState, string>> = {
  queued: 'waiting',
  running: 'running',
  posting: 'posting',
  posted: 'answered',
  failed: 'failed',
  unknown: 'delivery unconfirmed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};
