import type { RichTextBlock, RichTextElement } from '@slack/types';

/** The words of a rich text, without their dress, for sorting and for names. */
export function richTextWords(block: RichTextBlock): string {
  const words = (leaf: RichTextElement): string => {
    if (leaf.type === 'text') return leaf.text;
    if (leaf.type === 'link') return leaf.text || leaf.url;
    if (leaf.type === 'date') return leaf.fallback ?? String(leaf.timestamp);
    return '';
  };
  return block.elements
    .flatMap((part) =>
      part.type === 'rich_text_list'
        ? part.elements.map((item) => item.elements.map(words).join(''))
        : part.elements.map(words).join(''),
    )
    .join(' ');
}
