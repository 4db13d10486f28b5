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

/** Text that Slack shows as it is: no mention, no mark, no emoji by name. */
export function plainText(text: string, most: number = limits.textObjectCharacters): PlainTextElement {
  return { type: 'plain_text', text: truncateText(text, most) || ' ', emoji: false };
}

/** Text with Slack's marks, for words that are all our own or escaped. */
export function mrkdwn(text: string): MrkdwnElement {
  return { type: 'mrkdwn', text, verbatim: true };
}

export function header(text: string): HeaderBlock {
  return { type: 'header', text: plainText(text, limits.headerCharacters) };
}

export function section(text: PlainTextElement | MrkdwnElement): SectionBlock {
  return { type: 'section', text };
}

/** Sections of two columns, as many as the fields need. */
export function fieldSections(fields: readonly (PlainTextElement | MrkdwnElement)[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let at = 0; at < fields.length; at += limits.sectionFields)
    sections.push({ type: 'section', fields: fields.slice(at, at + limits.sectionFields) });
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

/** Text in rich text: shown as it is. */
export function richText(text: string, style?: RichText['style']): RichText {
  return { type: 'text', text, style };
}

/** A channel as Slack shows it; what is none, as direct messages, in words. */
export function richChannel(channel: string, otherwise: string): RichTextElement {
  return /^[CG][A-Z0-9]+$/.test(channel) ? { type: 'channel', channel_id: channel } : richText(otherwise);
}

/** Lines of rich text, each with its leaves. */
export function richTextLines(...all: readonly (readonly RichTextElement[])[]): RichTextBlock {
  return {
    type: 'rich_text',
    elements: all.map((leaves) => ({ type: 'rich_text_section', elements: [...leaves] })),
  };
}

/** A list of rich text, each entry with its leaves. */
export function bulletList(...all: readonly (readonly RichText[])[]): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: all.map((leaves) => ({ type: 'rich_text_section', elements: [...leaves] })),
      },
    ],
  };
}

/** Text in even columns, shown as it is. */
export function preformatted(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [richText(text)] }] };
}

/** Slack's limits, as far as our views come near them. Sources: docs.slack.dev pages of 2026, @slack/types 3.2.0. */
export const limits = {
  /** A message that is longer in all is refused near 13,200 characters; ours stay below this, as JSON. */
  messageCharacters: 12_000,
  messageBlocks: 50,
  /** The `text` of a message: more is cut or hard to read. */
  textCharacters: 4_000,
  headerCharacters: 150,
  /** Any text object. */
  textObjectCharacters: 3_000,
  sectionFields: 10,
  contextElements: 10,
  buttonCharacters: 75,
  buttonValueCharacters: 2_000,
  modalTitleCharacters: 24,
  /** The text of a choice, its value, and its second line. */
  optionCharacters: 75,
  /** What a text field takes. */
  inputCharacters: 3_000,
  chart: {
    titleCharacters: 50,
    labelCharacters: 20,
    categories: 20,
    series: 6,
  },
  table: {
    /** Beneath the header. */
    rows: 200,
    columns: 20,
    pageSize: 10,
  },
} as const;

/** Slack's native table: people can sort it, numbers as numbers. */
export function dataTable(caption: string, { heading, rows }: FormattedTable): DataTableBlock {
  const columns = limits.table.columns;
  return {
    type: 'data_table',
    caption,
    page_size: limits.table.pageSize,
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
