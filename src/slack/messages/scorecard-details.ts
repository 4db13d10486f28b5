import { formatDayAndTime } from '../../figures/format/values.js';
import type { ResultWithFigures } from '../../figures/summary/request.js';
import { formatSummary } from '../../figures/summary/summary.js';
import { compact, displayText, truncateText } from '../../requests/text.js';
import type { MessageVariants } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import { bold, context, mrkdwn, plainText, richTextLines } from './blocks.js';
import { breakdownTable, figureBlocks } from './details.js';
import { askerLines, figureLine, targetBlock, targetLines } from './summary.js';
import { joinWithinLimit, messageVariants, noteBlocks, type Part, withinLimit } from './summary-parts.js';

/** One line with its result, or why it has none. */
export type DetailedLine =
  | { readonly name?: string | undefined; readonly result: ResultWithFigures }
  | { readonly subject: string; readonly refusal: string };

interface ScorecardDetailsInput {
  readonly name: string;
  readonly lines: readonly DetailedLine[];
  readonly isNewRun: boolean;
  readonly isDirect: boolean;
  readonly askedBy: string;
  readonly isDigest: boolean;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly zone: string;
}

const maxNameLength = 60;
const maxFindingLength = 200;
const maxContextLength = 240;

/** All lines have to fit into one message, so each has its first figures. */
const maxFigures = 10;

/** The details of a scorecard: the figures and the table of each line, from the fullest message to the plainest. */
export function scorecardDetails(input: ScorecardDetailsInput): MessageVariants {
  const { name, lines, isNewRun, requestedAt, zone } = input;
  const title = displayText(name, maxNameLength);
  const again = isNewRun ? [`Run again for the dates of ${formatDayAndTime(requestedAt, zone)}.`] : [];
  const askers = askerLines(input);
  const detailed = lines.map((line, index) => detailsOf(line, index + 1, input));
  const text = joinWithinLimit(
    compact(
      escaped(`Details: ${title}.`),
      again,
      askers,
      detailed.flatMap((one) => one.text.map(escaped)),
    ),
  );
  return messageVariants(text, ({ tables }) =>
    withinLimit([
      {
        blocks: compact(
          richTextLines([bold('Details'), ` · ${title}`]),
          again.length + askers.length > 0 &&
            context(...again.map((line) => plainText(line)), ...askers.map(mrkdwn)),
        ),
      },
      ...detailed.flatMap((one) => one.parts(tables)),
    ]),
  );
}

function detailsOf(line: DetailedLine, place: number, { isDirect, isDigest }: ScorecardDetailsInput) {
  if ('refusal' in line) {
    const shown = `${place}. ${displayText(line.subject, maxNameLength)}`;
    const parts = (): readonly Part[] => [{ blocks: [richTextLines([bold(shown), `: ${line.refusal}`])] }];
    return { text: [`${shown}: ${line.refusal}`], parts };
  }
  const { result } = line;
  const words = formatSummary(result, { withPeople: isDirect, isOwner: isDigest });
  const heading = compact(line.name && displayText(line.name, maxNameLength), words.finding).join(' · ');
  const { breakdown, counted } = result.figures;
  const table = counted > 1 && breakdown?.kind === 'groups' ? breakdown : undefined;
  const figures = words.figures.slice(0, maxFigures);
  const about = truncateText(words.context.join(' · '), maxContextLength);
  const parts = (tables: boolean): readonly Part[] => [
    { blocks: [richTextLines([bold(`${place}. `), truncateText(heading, maxFindingLength)])] },
    { blocks: [context(plainText(about || ' '))], dropOrder: 2 },
    { blocks: compact(words.target && targetBlock(words.target)) },
    { blocks: words.nothing ? [] : figureBlocks(figures), dropOrder: 3 },
    { blocks: noteBlocks(words.readingNotes), dropOrder: 4 },
    { blocks: [], table: table && breakdownTable(table, tables) },
  ];
  return {
    text: compact(
      `${place}. ${heading}.`,
      `${about}.`,
      words.target && targetLines(words.target),
      figures.map(figureLine),
      words.readingNotes,
    ),
    parts,
  };
}
