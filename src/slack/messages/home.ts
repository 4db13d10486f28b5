import type { AnyBlock, HomeView, RichTextElement } from '@slack/types';
import { formatMoment } from '../../figures/format/dates.js';
import { displayText } from '../../figures/format/text.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { actions, homeActions } from '../ids.js';
import { answerStateLabels } from './access.js';
import { button, buttons, context, divider, header, plainText, richText, section } from './blocks.js';
import { commandFor, deletedBlocks, type SavedReader, savedButtons, savedLines } from './saved-reports.js';

/** So many of each are shown: a Home tab takes a hundred blocks. */
export const maxHomeRows = 10;

export interface HomeFacts {
  /** The reader's own, and one more than fits where there are more. */
  readonly mine: readonly SavedReport[];
  /** Those of others, in channels that the reader and the bot are both in; absent where Slack did not say which. */
  readonly others?: readonly SavedReport[];
  /** The reader's newest questions. */
  readonly runs: readonly RequestLogEntry[];
  /** One that the reader has just deleted. */
  readonly deleted?: SavedReport;
  /** What comes by itself: digests of the reader, and of those channels. */
  readonly digests: readonly AnyBlock[];
}

/** The Home tab: what can be done here, what is kept, what was asked lately. */
export function homeView(facts: HomeFacts, reader: SavedReader): HomeView {
  const { mine, others, deleted, digests, runs } = facts;
  return {
    type: 'home',
    blocks: [
      header('What you can do here'),
      section(
        plainText(
          'Ask about learning: choose a report in a form, or type /report in any channel. Answers to what you run here appear in the Messages tab.',
        ),
      ),
      buttons(
        button(actions.openBuilder, 'Run a report', '-', 'primary'),
        button(homeActions.help, 'What can I ask?', '-'),
      ),
      ...(deleted ? deletedBlocks(deleted) : []),
      divider(),
      header('My saved reports'),
      ...rows(mine, reader, 'None yet. Press Save under an answer, or type /report save <name>: <report>.'),
      ...(digests.length > 0 ? [divider(), ...digests] : []),
      divider(),
      header('Saved in my channels'),
      ...(others
        ? rows(others, reader, 'Nothing saved by others in the channels we are both in.')
        : [section(plainText('Slack did not say which channels you are in. Open this tab again.'))]),
      divider(),
      header('My recent runs'),
      ...runBlocks(runs, reader),
    ],
  };
}

/** The Home tab of somebody who may not ask. */
export function refusedHome(sentence: string): HomeView {
  return { type: 'home', blocks: [section(plainText(sentence))] };
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
      elements: runs.map((ask) => ({ type: 'rich_text_section', elements: runLine(ask, reader) })),
    },
  ];
}

function runLine(ask: RequestLogEntry, reader: SavedReader): RichTextElement[] {
  const { request, rows: count, message } = ask;
  const command = commandFor({ request, owner: reader.user, createdBy: reader.user }, reader);
  return [
    richText(`${formatMoment(ask.requestedAt, reader.zone)}  `),
    richText(displayText(command, maxCommandLength), { code: true }),
    richText(
      `  ${answerStateLabels[ask.state]}${count === undefined ? '' : `, ${count} ${count === 1 ? 'row' : 'rows'}`}`,
    ),
    ...(message?.link ? ([richText('  '), { type: 'link', url: message.link, text: 'Open' }] as const) : []),
    richText('\n'),
  ];
}
