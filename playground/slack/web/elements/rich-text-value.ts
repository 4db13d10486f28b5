import type { RichTextBlock } from '@slack/types';

/** Typed text as the `rich_text` block that Slack would send: one section that holds the line breaks. */
export function richTextOf(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

/** The text in such a block, without its dress. */
export function typedText(block: RichTextBlock | null | undefined): string {
  return (block?.elements ?? [])
    .map((part) =>
      part.type === 'rich_text_list'
        ? part.elements.map((item) => leafText(item.elements)).join('\n')
        : leafText(part.elements),
    )
    .join('\n');
}

function leafText(leaves: readonly { type: string; text?: string; url?: string }[]): string {
  return leaves.map((leaf) => leaf.text ?? leaf.url ?? '').join('');
}
