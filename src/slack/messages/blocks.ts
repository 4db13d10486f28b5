import type {
  ActionsBlock,
  Button,
  ContextBlock,
  DataTableBlock,
  DividerBlock,
  HeaderBlock,
  MrkdwnElement,
  PlainTextElement,
  RichTextBlock,
  RichTextElement,
  SectionBlock,
} from '@slack/types';
import type { Cell, FormattedTable } from '../../figures/format/table.js';
import { truncateText } from '../../figures/format/text.js';

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

export function section(text: PlainTextElement | MrkdwnElement): SectionBlock {
  return { type: 'section', text };
}

/** As many sections of two columns as the fields need. */
export function fieldSections(fields: readonly (PlainTextElement | MrkdwnElement)[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let from = 0; from < fields.length; from += limits.sectionFields)
    sections.push({ type: 'section', fields: fields.slice(from, from + limits.sectionFields) });
  return sections;
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

export function context(...elements: readonly (PlainTextElement | MrkdwnElement)[]): ContextBlock {
  return { type: 'context', elements: elements.slice(0, limits.contextElements) };
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

export function buttons(...elements: readonly Button[]): ActionsBlock {
  return { type: 'actions', elements: [...elements] };
}

type RichText = Extract<RichTextElement, { type: 'text' }>;

/** Rich text shown unchanged. */
export function richText(text: string, style?: RichText['style']): RichText {
  return { type: 'text', text, style };
}

/** A link to a channel. Direct messages have no link and get the text instead. */
export function richChannel(channel: string, otherwise: string): RichTextElement {
  return /^[CG][A-Z0-9]+$/.test(channel) ? { type: 'channel', channel_id: channel } : richText(otherwise);
}

/** Lines of rich text, each with its elements. */
export function richTextLines(...all: readonly (readonly RichTextElement[])[]): RichTextBlock {
  return {
    type: 'rich_text',
    elements: all.map((elements) => ({ type: 'rich_text_section', elements: [...elements] })),
  };
}

/** A bullet list, each entry with its elements. */
export function bulletList(...all: readonly (readonly RichText[])[]): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: all.map((elements) => ({ type: 'rich_text_section', elements: [...elements] })),
      },
    ],
  };
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
  /** Any text object. */
  textObjectCharacters: 3_000,
  sectionFields: 10,
  contextElements: 10,
  buttonCharacters: 75,
  buttonValueCharacters: 2_000,
  modalTitleCharacters: 24,
  /** The text, value and description of an option. */
  optionCharacters: 75,
  /** Of a text input. */
  inputCharacters: 3_000,
  chart: {
    titleCharacters: 50,
    labelCharacters: 20,
    categories: 20,
    series: 6,
  },
  table: {
    /** Without the header. */
    rows: 200,
    columns: 20,
    pageSize: 10,
  },
} as const;

/** Slack's native table. People can sort it, and numbers sort as numbers. */
export function dataTable(
  caption: string,
  { heading, rows }: FormattedTable,
  pageSize: number = limits.table.pageSize,
): DataTableBlock {
  const columns = limits.table.columns;
  return {
    type: 'data_table',
    caption,
    page_size: pageSize,
    row_header_column_index: 0,
    rows: [
      heading.slice(0, columns).map((text) => ({ type: 'raw_text' as const, text })),
      ...rows.slice(0, limits.table.rows).map((cells) => cells.slice(0, columns).map(cellOf)),
    ],
  };
}

function cellOf({ text, number }: Cell) {
  return number === undefined
    ? { type: 'raw_text' as const, text }
    : { type: 'raw_number' as const, value: Math.round(number * 1000) / 1000, text };
}
