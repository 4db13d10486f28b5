import type { RichTextBlock, RichTextElement, RichTextList } from '@slack/types';
import { renderList } from '../parts/hooks.js';
import { drawable } from './drawable.js';
import { Broadcast, ChannelMention, Emoji, SlackDate, SlackLink, UserMention } from './inline-parts.js';
import { safeUrl } from './mrkdwn.js';

type Part = RichTextBlock['elements'][number];

/** A `rich_text` block, or a cell that is one. */
export function RichText({ block }: { block: RichTextBlock }) {
  const counts = listStarts(block.elements);
  return (
    <div className="rich-text">
      {renderList(block.elements, (part, index) => (
        <RichTextPart part={part} start={counts[index] ?? 1} />
      ))}
    </div>
  );
}

function RichTextPart({ part, start }: { part: Part; start: number }) {
  switch (part.type) {
    case 'rich_text_section':
      return (
        <p className="rich-text-section">
          <Leaves leaves={part.elements} />
        </p>
      );
    case 'rich_text_list':
      return <List list={part} start={start} />;
    case 'rich_text_quote':
      return (
        <blockquote className="quote">
          <Leaves leaves={part.elements} />
        </blockquote>
      );
    case 'rich_text_preformatted':
      return (
        <pre className="preformatted">
          <Leaves leaves={part.elements} />
        </pre>
      );
  }
}

function List({ list, start }: { list: RichTextList; start: number }) {
  const items = renderList(list.elements, (item) => (
    <li>
      <Leaves leaves={item.elements} />
    </li>
  ));
  const indent = list.indent ?? 0;
  const classes = `rich-text-list rich-text-list-${indent % 3}${list.border ? ' rich-text-bordered' : ''}`;
  const style = { marginInlineStart: `${indent * 1.75}em` };
  return list.style === 'ordered' ? (
    <ol className={classes} style={style} start={start}>
      {items}
    </ol>
  ) : (
    <ul className={classes} style={style}>
      {items}
    </ul>
  );
}

/** An ordered list continues counting after a nested list, as in Slack. */
function listStarts(parts: readonly Part[]): number[] {
  const counts = new Map<number, number>();
  return parts.map((part) => {
    if (part.type !== 'rich_text_list') {
      counts.clear();
      return 1;
    }
    const indent = part.indent ?? 0;
    for (const deeper of counts.keys()) if (deeper > indent) counts.delete(deeper);
    if (part.style !== 'ordered') return 1;
    const start = counts.get(indent) ?? 1;
    counts.set(indent, start + part.elements.length);
    return start;
  });
}

function Leaves({ leaves }: { leaves: readonly RichTextElement[] }) {
  return renderList(leaves, (leaf) => <StyledLeaf leaf={leaf} />);
}

function StyledLeaf({ leaf }: { leaf: RichTextElement }) {
  const style = leaf.style ?? {};
  let drawn = <Leaf leaf={leaf} />;
  if (style.code) drawn = <code>{drawn}</code>;
  if (style.strike) drawn = <s>{drawn}</s>;
  if (style.underline) drawn = <u>{drawn}</u>;
  if (style.italic) drawn = <em>{drawn}</em>;
  if (style.bold) drawn = <strong>{drawn}</strong>;
  return drawn;
}

function Leaf({ leaf }: { leaf: RichTextElement }) {
  switch (leaf.type) {
    case 'text':
      return <>{drawable(leaf.text)}</>;
    case 'link': {
      const url = safeUrl(leaf.url);
      const label = drawable(leaf.text || leaf.url);
      return url === undefined ? label : <SlackLink url={url}>{label}</SlackLink>;
    }
    case 'emoji':
      return <Emoji name={leaf.name} character={characterOf(leaf.unicode)} />;
    case 'user':
      return <UserMention id={leaf.user_id} />;
    case 'channel':
      return <ChannelMention id={leaf.channel_id} />;
    case 'usergroup':
      return <span className="mention">@{leaf.usergroup_id}</span>;
    case 'team':
      return <span className="mention">@{leaf.team_id}</span>;
    case 'broadcast':
      return <Broadcast range={leaf.range} />;
    case 'color':
      return (
        <span className="colour-leaf">
          <span className="colour-swatch" style={{ background: hexColour(leaf.value) }} aria-hidden="true" />
          {leaf.value}
        </span>
      );
    case 'date':
      return (
        <SlackDate
          seconds={leaf.timestamp}
          format={leaf.format}
          url={leaf.url === undefined ? undefined : safeUrl(leaf.url)}
          fallback={leaf.fallback ?? ''}
        />
      );
  }
}

function hexColour(value: string): string {
  return /^#[0-9a-f]{3,8}$/i.test(value) ? value : 'transparent';
}

/** The characters of code points such as `1f44b-1f3fb`. */
function characterOf(unicode: string | undefined): string | undefined {
  if (!unicode || !/^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/i.test(unicode)) return undefined;
  const points = unicode.split('-').map((hex) => Number.parseInt(hex, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined;
}
