import type { PlainTextElement, TextObject } from '@slack/types';
import { Fragment, useMemo } from 'react';
import { renderList } from '../parts/hooks.js';
import { drawable } from './drawable.js';
import {
  Broadcast,
  ChannelMention,
  Emoji,
  SlackDate,
  SlackLink,
  splitAtEmoji,
  UserMention,
} from './inline-parts.js';
import { type MarkdownInline, type MarkdownPart, parseMarkdown, parseMarkdownInline } from './markdown.js';
import { type Inline, type MrkdwnBlock, parseMrkdwn, safeUrl } from './mrkdwn.js';

/** A text object of either kind. */
export function SlackText({ of: text }: { of: TextObject }) {
  return text.type === 'mrkdwn' ? (
    <MrkdwnText text={text.text} verbatim={text.verbatim} />
  ) : (
    <PlainText of={text} />
  );
}

/** A text in Slack's mrkdwn. */
export function MrkdwnText({ text, verbatim = false }: { text: string; verbatim?: boolean | undefined }) {
  const blocks = useMemo(() => parseMrkdwn(text, { verbatim }), [text, verbatim]);
  return <Blocks blocks={blocks} />;
}

// A text is always replaced as a whole, so its parts need no keys.
function Blocks({ blocks }: { blocks: readonly MrkdwnBlock[] }) {
  return renderList(blocks, (block) => <MrkdwnPart block={block} />);
}

function MrkdwnPart({ block }: { block: MrkdwnBlock }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <span className="mrkdwn-paragraph">
          <Pieces pieces={block.children} />
        </span>
      );
    case 'preformatted':
      return <pre className="preformatted">{drawable(block.text)}</pre>;
    case 'quote':
      return (
        <blockquote className="quote">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
  }
}

function Pieces({ pieces }: { pieces: readonly Inline[] }) {
  return renderList(pieces, (piece) => <Piece piece={piece} />);
}

function Piece({ piece }: { piece: Inline }) {
  switch (piece.type) {
    case 'text':
      return <Fragment>{drawable(piece.text)}</Fragment>;
    case 'bold':
      return (
        <strong>
          <Pieces pieces={piece.children} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Pieces pieces={piece.children} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Pieces pieces={piece.children} />
        </s>
      );
    case 'code':
      return <code>{drawable(piece.text)}</code>;
    case 'link':
      return <SlackLink url={piece.url}>{drawable(piece.label)}</SlackLink>;
    case 'user':
      return <UserMention id={piece.id} label={piece.label} />;
    case 'channel':
      return <ChannelMention id={piece.id} />;
    case 'usergroup':
      return <span className="mention">@{piece.label ?? piece.id}</span>;
    case 'broadcast':
      return <Broadcast range={piece.range} />;
    case 'date':
      return (
        <SlackDate seconds={piece.seconds} format={piece.format} url={piece.url} fallback={piece.fallback} />
      );
    case 'emoji':
      return <Emoji name={piece.name} />;
  }
}

/** A `plain_text` object: no formatting, no mentions. `:emoji:` is rendered unless `emoji` is false. */
export function PlainText({ of: element }: { of: PlainTextElement }) {
  if (element.emoji === false) return <>{drawable(element.text)}</>;
  return (
    <>
      {renderList(splitAtEmoji(element.text), (piece, index) =>
        index % 2 === 1 ? <Emoji name={piece} /> : drawable(piece),
      )}
    </>
  );
}

/** The text of a `markdown` block. As in Slack, all headings have the same size. */
export function MarkdownText({ text }: { text: string }) {
  const parts = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className="markdown">
      {renderList(parts, (part) => (
        <MarkdownBlockPart part={part} />
      ))}
    </div>
  );
}

function MarkdownBlockPart({ part }: { part: MarkdownPart }) {
  switch (part.type) {
    case 'heading':
      return (
        <p className="markdown-heading">
          <MarkdownLine text={part.text} />
        </p>
      );
    case 'paragraph':
      return (
        <p>
          <MarkdownLine text={part.text} />
        </p>
      );
    case 'quote':
      return (
        <blockquote className="quote">
          <MarkdownLine text={part.text} />
        </blockquote>
      );
    case 'code':
      return <pre className="preformatted">{drawable(part.text)}</pre>;
    case 'rule':
      return <hr className="divider" />;
    case 'list': {
      const items = renderList(part.items, (item) => (
        <li>
          <MarkdownLine text={item} />
        </li>
      ));
      return part.ordered ? (
        <ol className="rich-text-list">{items}</ol>
      ) : (
        <ul className="rich-text-list">{items}</ul>
      );
    }
  }
}

function MarkdownLine({ text }: { text: string }) {
  return renderList(parseMarkdownInline(text), (piece) => <MarkdownPiece piece={piece} />);
}

function MarkdownPiece({ piece }: { piece: MarkdownInline }) {
  switch (piece.type) {
    case 'text':
      return <>{drawable(piece.text)}</>;
    case 'code':
      return <code>{drawable(piece.text)}</code>;
    case 'bold':
      return (
        <strong>
          <MarkdownLine text={piece.text} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <MarkdownLine text={piece.text} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <MarkdownLine text={piece.text} />
        </s>
      );
    case 'link': {
      const url = safeUrl(piece.url);
      const label = drawable(piece.text);
      return url === undefined ? label : <SlackLink url={url}>{label}</SlackLink>;
    }
  }
}
