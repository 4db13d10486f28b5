import type { ActionsBlock, StaticSelect } from '@slack/types';
import { formatDayAndTime } from '../../figures/format/values.js';
import type { FormattedLine } from '../../figures/summary/line.js';
import { compact, displayText, truncateText } from '../../requests/text.js';
import type { MessageVariants } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  bold,
  button,
  code,
  context,
  type Line,
  limits,
  mrkdwn,
  plainText,
  richTextLines,
} from './blocks.js';
import { digestActions } from './digests.js';
import { answerActions, askerLines } from './summary.js';
import { joinWithinLimit, messageVariants, withinLimit } from './summary-parts.js';

export const scorecardActions = {
  /** A menu under a scorecard: runs one of its lines. Its value is the request's ID and the line, from 0. */
  showLine: 'ask_show_line',
} as const;

/** One line as the message shows it. */
export type ShownLine =
  | (FormattedLine & { readonly name?: string | undefined })
  /** Why it has no finding, as a sentence. */
  | { readonly subject: string; readonly refusal: string };

export interface ScorecardMessageInput {
  readonly name: string;
  readonly lines: readonly ShownLine[];
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** The IANA zone of its ranges, and that of its readers. */
  readonly zone: string;
  readonly readersZone?: string | undefined;
  readonly askedBy?: string | undefined;
  /** The digest that it is a run of. `askedBy` is then its owner. */
  readonly digest?: string | undefined;
  readonly isDirect: boolean;
  /** True where whoever reads it alone can share it. */
  readonly canShare?: boolean;
  readonly remarks: readonly string[];
  /** The ID of the request, for the buttons. */
  readonly requestId: string;
}

/** Characters that stand side by side in a window of 1,000 pixels. */
const rowLength = 88;

/** All lines together take no more rows than this, so that the message stays short. */
const maxRows = 11;

const maxNameLength = 60;
const minSubjectLength = 18;
const maxRemarkLength = 200;

/** A scorecard as one message, from the fullest variant to the plainest. */
export function scorecardVariants(input: ScorecardMessageInput): MessageVariants {
  const { name, lines, remarks, requestedAt, zone, readersZone } = input;
  const title = displayText(name, maxNameLength);
  const inZone = zone === readersZone ? '' : ` (${zone})`;
  const asOf = `As of ${formatDayAndTime(requestedAt, zone)}${inZone}`;
  const askers = askerLines({ ...input, isDigest: input.digest !== undefined });
  const text = joinWithinLimit(
    compact(
      escaped(`${title}.`),
      escaped(`${asOf}.`),
      lines.map((line, index) => escaped(`${index + 1}. ${wholeLine(line)}`)),
      remarks.map((remark) => escaped(displayText(remark, maxRemarkLength))),
      askers,
      'Choose a line in Show… to open it, or press Details for all figures and tables.',
    ),
  );
  return messageVariants(text, () =>
    withinLimit([
      {
        blocks: [
          richTextLines([bold(title)]),
          context(plainText(asOf), ...askers.map(mrkdwn)),
          richTextLines(...shownLines(lines)),
          ...remarks.map((remark) => context(plainText(displayText(remark, maxRemarkLength)))),
          richTextLines([code(`/report ${title}`, maxNameLength + 8)]),
          actionsOf(input),
        ],
      },
    ]),
  );
}

/** Each line takes a row, and as many as there is room for take two. */
function shownLines(lines: readonly ShownLine[]): readonly Line[] {
  let spare = maxRows - lines.length;
  return lines.map((line) => {
    const isLong = wholeLine(line).length > rowLength && spare > 0;
    if (isLong) spare -= 1;
    return lineWithin(line, isLong ? 2 * rowLength - 8 : rowLength);
  });
}

/** The finding stays whole as long as it can: first what it is about is cut, then its counts go. */
function lineWithin(line: ShownLine, maxLength: number): Line {
  const subject = displayText(nameOfLine(line), maxLength);
  if ('refusal' in line) {
    const shown = truncateText(subject, Math.min(40, maxLength));
    return [bold(shown), `: ${truncateText(line.refusal, maxLength - shown.length - 2)}`];
  }
  const behind = (finding: string) =>
    compact(`${finding}${line.change === undefined ? '' : ` (${line.change})`}`, line.target).join(' · ');
  const whole = behind(line.finding);
  const room = maxLength - 2 - Math.min(subject.length, minSubjectLength);
  const rest = whole.length <= room ? whole : behind(line.finding.replace(/ \([\d,]+ of [\d,]+\)$/, ''));
  const shown = truncateText(subject, Math.max(minSubjectLength, maxLength - rest.length - 2));
  return [bold(shown), `: ${truncateText(rest, Math.max(room, maxLength - shown.length - 2))}`];
}

function nameOfLine(line: ShownLine): string {
  return ('name' in line && line.name) || line.subject;
}

/** The same without cuts, for screen readers. */
function wholeLine(line: ShownLine): string {
  const subject = displayText(nameOfLine(line), 200);
  if ('refusal' in line) return `${subject}: ${line.refusal}`;
  const change = line.change?.replace('▲', 'up').replace('▼', 'down');
  return `${subject}: ${compact(`${line.finding}${change === undefined ? '' : ` (${change})`}`, line.target).join(' · ')}.`;
}

function actionsOf({ lines, requestId, digest, canShare }: ScorecardMessageInput): ActionsBlock {
  const show: StaticSelect = {
    type: 'static_select',
    action_id: scorecardActions.showLine,
    placeholder: plainText('Show…'),
    options: lines.map((line, index) => ({
      text: plainText(`${index + 1}. ${displayText(nameOfLine(line), 60)}`, limits.optionCharacters),
      value: `${requestId} ${index}`,
    })),
  };
  const next =
    digest === undefined
      ? button(answerActions.schedule, 'Schedule', requestId)
      : button(digestActions.manage, 'Manage', digest);
  const share = canShare && button(answerActions.share, 'Share to channel', requestId);
  const elements = compact(show, button(answerActions.details, 'Details', requestId), next, share);
  return { type: 'actions', elements };
}
