import { type FormattedTable, formatTable } from '../figures/format/table.js';
import type { Figure } from '../figures/result.js';
import { notReached } from '../figures/summary/changes.js';
import { numberInUnit, unitOf } from '../figures/summary/named-figures.js';
import type { ResultWithFigures } from '../figures/summary/request.js';
import { type FormattedFigure, formatSummary } from '../figures/summary/summary.js';
import { compact } from '../requests/text.js';
import type { AskData, SavedData, ToolReply } from './replies.js';

/** More groups are one line. */
const maxGroups = 50;

/**
 * An answer as text and as data.
 *
 * @param result without rows, people and the values of a single row
 * @param command `/report engagement last-week`
 * @param zone IANA zone of the person who asked
 */
export function answerReply(result: ResultWithFigures, command: string, zone: string): ToolReply {
  const { figures } = result;
  const words = formatSummary(result, { withPeople: false, zone });
  const { range, before, lastRun, requestedAt } = result;
  const breakdown =
    figures.breakdown?.kind === 'groups' && figures.counted > 0 ? figures.breakdown : undefined;
  const table = breakdown && formatTable(breakdown, maxGroups);
  const notes = compact(words.nothing?.reasons, words.readingNotes, words.notes);
  const shown = figures.counted > 0 ? words.figures : [];
  const data: AskData = {
    status: 'answered',
    sentence: `${words.finding}.`,
    command,
    dates: range && {
      first_day: range.firstDay,
      last_day: range.lastDay,
      zone: range.zone,
      words: range.words,
    },
    as_of: new Date(requestedAt).toISOString(),
    compared_with:
      compact(
        typeof before === 'object' && `period before: ${before.range.firstDay} to ${before.range.lastDay}`,
        lastRun && `last run: ${new Date(lastRun.takenAt).toISOString()}`,
      ).join('; ') || undefined,
    about: [...words.context],
    target: words.target && { distance: words.target.distance, pace: words.target.pace },
    figures: shown.flatMap((formatted) => {
      const figure = figures.figures.find(({ id }) => id === formatted.id);
      return figure ? [dataOf(figure, formatted, result)] : [];
    }),
    breakdown: breakdown &&
      table && {
        by: breakdown.by,
        columns: breakdown.columns.map(({ id, label }) => ({ id, label })),
        groups: table.rows.map(([name, ...values]) => ({
          name: name?.text ?? '',
          values: values.map(({ text }) => text),
          numbers: values.map(({ number }) => number ?? null),
        })),
        rest: table.rest,
      },
    notes: [...notes],
  };
  const lines = compact(
    data.sentence,
    `${words.context.join(' · ')}.`,
    words.target && compact(words.target.distance, words.target.pace),
    shown.map(({ label, value, change }) => `- ${label}: ${value}${change ? `, ${change.long}` : ''}`),
    table && [`By ${table.heading[0]}:`, ...groupLines(table)],
    notes,
    `Command: ${command}`,
  );
  return { text: lines.join('\n'), data, outcome: 'answered' };
}

function groupLines({ heading, rows, rest }: FormattedTable): readonly string[] {
  const lines = rows.map(([name, ...values]) => {
    const said = values.map(({ text }, i) => `${heading[i + 1]} ${text}`);
    return `- ${quoted(name?.text ?? '')}: ${said.join(', ')}`;
  });
  return compact(lines, rest);
}

/**
 * The reply to words that are no command.
 *
 * @param text what a person is told
 * @param offers commands to ask instead
 */
export function offersReply(text: string, offers: readonly string[]): ToolReply {
  const [sentence = ''] = text.split('\n');
  const data: AskData = { status: 'not-understood', sentence, offers: [...offers] };
  const instead = offers.length > 0 && ['Ask one of these instead:', ...offers.map((offer) => `- ${offer}`)];
  return { text: compact(text, 'Nothing was run.', instead).join('\n'), data, outcome: 'offered' };
}

/** @param none the text where there are none */
export function savedReply(saved: SavedData['saved_reports'], none: string): ToolReply {
  const lines = saved.map(
    ({ name, where, command, yours }) =>
      `- ${quoted(name)} in ${where}${yours ? ' (the asker’s own)' : ''}: ${command}`,
  );
  const data: SavedData = { saved_reports: saved };
  return { text: lines.join('\n') || none, data, outcome: 'answered' };
}

/** Text of the service, which cannot end its own quotation. */
function quoted(text: string): string {
  return `“${text.replace(/[“”"]/g, '’')}”`;
}

type FigureData = NonNullable<AskData['figures']>[number];

function dataOf(
  { id, label, value, compared }: Figure,
  { value: shown, change }: FormattedFigure,
  { before, lastRun }: ResultWithFigures,
): FigureData {
  const isLastRun = compared === 'last-run';
  const periodBefore = typeof before === 'object' ? before.figures : undefined;
  const earlier = (isLastRun ? lastRun?.figures : periodBefore)?.[id];
  return {
    id,
    label,
    value: finite(numberInUnit(value)),
    unit: unitOf(value),
    shown,
    change: change && {
      shown: change.long,
      before: finite(value.kind === 'duration' && earlier !== undefined ? earlier / 3600 : earlier),
      compared_with: isLastRun ? 'last-run' : 'period-before',
    },
  };
}

function finite(number: number | undefined): number | null {
  return number === undefined || number >= notReached || !Number.isFinite(number) ? null : number;
}
