import type {
  ActionsBlock,
  AnyBlock,
  Button,
  ContextBlock,
  DataTableBlock,
  DividerBlock,
  HeaderBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  RichTextSection,
  SectionBlock,
} from '@slack/types';
import type { Cell } from '../../figures/format/table.js';
import type { Chart } from '../../figures/result.js';
import { compact, displayText, distinctTexts, truncateText } from '../../requests/text.js';

export const commandActions = {
  /** Runs a command. Its value is the words after `/report`. */
  runWords: 'run_words',
  /** Runs a command with the entries of its filters as they were typed. Its value is the words after `/report`. */
  runAsTyped: 'run_as_typed',
  /** Opens the builder. Its value is a command, such as a report's name, or `-` for an empty form. */
  openBuilder: 'open_builder',
} as const;

/** Text that Slack shows unchanged: no mentions, formatting or emoji names. */
export function plainText(text: string, maxLength: number = limits.textObjectCharacters): PlainTextElement {
  return { type: 'plain_text', text: truncateText(text, maxLength) || ' ', emoji: false };
}

/** Text with Slack's markup. Escape everything in it that is not ours. */
export function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

export function header(text: string): HeaderBlock {
  return { type: 'header', text: plainText(text, limits.headerCharacters) };
}

/** A string is plain text. */
type Text = string | PlainTextElement | MrkdwnElement;

const textObject = (text: Text) => (typeof text === 'string' ? plainText(text) : text);

export function section(text: Text, accessory?: Button): SectionBlock {
  return { type: 'section', text: textObject(text), accessory };
}

export function fieldSections(fields: readonly (PlainTextElement | MrkdwnElement)[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let from = 0; from < fields.length; from += limits.sectionFields)
    sections.push({ type: 'section', fields: fields.slice(from, from + limits.sectionFields) });
  return sections;
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

export function context(...elements: readonly Text[]): ContextBlock {
  return { type: 'context', elements: elements.slice(0, limits.contextElements).map(textObject) };
}

export function button(action: string, text: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    action_id: action,
    text: plainText(text, limits.buttonCharacters),
    value,
    style,
  };
}

export function buttons(...elements: readonly Optional<Button | Overflow>[]): ActionsBlock {
  return { type: 'actions', elements: compact(...elements) };
}

/** A part of a list: the items after the first `from`, and whether more follow. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly from: number;
  readonly more: boolean;
}

/** Buttons to the pages around one; none where it is the only one. */
export function pageButtons(
  { earlier, later }: { readonly earlier: string; readonly later: string },
  what: string,
  { from, more }: Omit<Page<unknown>, 'items'>,
  size: number,
  pageValue: (from: number) => string,
): ActionsBlock | undefined {
  if (from === 0 && !more) return undefined;
  return buttons(
    from > 0 && button(earlier, `Earlier${what}`, pageValue(Math.max(0, from - size))),
    more && button(later, `More${what}`, pageValue(from + size)),
  );
}

/** A menu. The value of a choice is its verb, and what the menu is about. */
export function menu(
  action: string,
  about: string,
  choices: readonly (readonly [verb: string, text: string])[],
): Overflow {
  return {
    type: 'overflow',
    action_id: action,
    options: choices.map(([verb, text]) => ({ text: plainText(text), value: `${verb} ${about}` })),
  };
}

type RichText = Extract<RichTextElement, { type: 'text' }>;

/** Rich text shown unchanged. */
export function richText(text: string, style?: RichText['style']): RichText {
  return { type: 'text', text, style };
}

export function isChannel(id: string): boolean {
  return /^[CG][A-Z0-9]+$/.test(id);
}

export function bold(text: string): RichText {
  return richText(text, { bold: true });
}

export function code(text: string, maxLength: number): RichText {
  return richText(displayText(text, maxLength), { code: true });
}

export function richLink(url: string, text: string): RichTextElement {
  return { type: 'link', url, text };
}

/** A link to a channel. Direct messages have no link and get the text instead. */
export function richChannel(channel: string, otherwise: string): RichTextElement {
  return isChannel(channel) ? { type: 'channel', channel_id: channel } : richText(otherwise);
}

type Optional<Item> = Item | readonly Item[] | false | undefined;

/** A string is shown unchanged. */
export type Line = readonly Optional<string | RichTextElement>[];

function richSection(line: Line): RichTextSection {
  const elements: RichTextElement[] = [];
  for (const part of compact(...line)) elements.push(typeof part === 'string' ? richText(part) : part);
  return { type: 'rich_text_section', elements };
}

export function richTextLines(...all: readonly Line[]): RichTextBlock {
  return { type: 'rich_text', elements: all.map(richSection) };
}

export function bulletList(...all: readonly (string | Line)[]): RichTextBlock {
  const elements = all.map((entry) => richSection([entry].flat()));
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] };
}

/** Text in a fixed-width font, shown unchanged. */
export function preformatted(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [richText(text)] }] };
}

/** The limits of Slack that our views may reach. Sources: docs.slack.dev pages of 2026, @slack/types 3.2.0. */
export const limits = {
  /** Of all blocks as JSON. Slack refuses messages of about 13,200 characters. */
  messageCharacters: 12_000,
  messageBlocks: 50,
  /** The `text` of a message. Slack cuts longer texts. */
  textCharacters: 4_000,
  headerCharacters: 150,
  textObjectCharacters: 3_000,
  sectionFields: 10,
  contextElements: 10,
  buttonCharacters: 75,
  buttonValueCharacters: 2_000,
  modalTitleCharacters: 24,
  /** The text, value and description of an option. */
  optionCharacters: 75,
  inputCharacters: 3_000,
  chart: {
    titleCharacters: 50,
    labelCharacters: 20,
    categories: 20,
    series: 6,
  },
  table: {
    rows: 200,
    columns: 20,
    pageSize: 10,
  },
} as const;

type TableCell = DataTableBlock['rows'][number][number];

/**
 * Slack's native table. People can sort it, and numbers sort as numbers.
 *
 * @param nameColumn the column that says what a row is about
 */
export function dataTable(
  caption: string,
  heading: readonly string[],
  rows: readonly (readonly TableCell[])[],
  pageSize: number = limits.table.pageSize,
  nameColumn = 0,
): DataTableBlock {
  const head = heading.map((text) => tableCell({ text }));
  return {
    type: 'data_table',
    caption,
    page_size: pageSize,
    row_header_column_index: nameColumn,
    rows: [head, ...rows.slice(0, limits.table.rows)].map((cells) => cells.slice(0, limits.table.columns)),
  };
}

export function tableCell({ text, number }: Cell): TableCell {
  return number === undefined
    ? { type: 'raw_text', text }
    : { type: 'raw_number', value: Math.round(number * 1000) / 1000, text };
}

/** Slack's native chart, as on docs.slack.dev in mid-2026. `@slack/types` does not have it yet. */
export function chartBlock({ title, shape, categories, series }: Chart): AnyBlock {
  const { labelCharacters } = limits.chart;
  const labels = distinctTexts(categories.slice(0, limits.chart.categories), labelCharacters);
  const names = distinctTexts(
    series.slice(0, limits.chart.series).map(({ name }) => name),
    labelCharacters,
  );
  const block = {
    type: 'data_visualization',
    title: truncateText(title, limits.chart.titleCharacters),
    chart: {
      type: shape,
      series: names.map((name, index) => ({
        name,
        data: labels.map((label, i) => ({ label, value: series[index]?.values[i] ?? 0 })),
      })),
      axis_config: { categories: labels },
    },
  };
  return block;
}
