import { useMemo } from 'react';
import { inOrder } from '../parts/hooks.js';
import { SlackLink } from './inline-parts.js';
import { type MarkdownInline, type MarkdownPart, parseMarkdown, parseMarkdownInline } from './markdown.js';
import { safeUrl } from './mrkdwn.js';

/** The text of a `markdown` block, drawn. All headings have one size, as in Slack. */
export function MarkdownText({ text }: { text: string }) {
  const parts = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className="markdown">
      {inOrder(parts, (part) => (
        <Part part={part} />
      ))}
    </div>
  );
}

function Part({ part }: { part: MarkdownPart }) {
  switch (part.type) {
    case 'heading':
      return (
        <p className="markdown-heading">
          <Line text={part.text} />
        </p>
      );
    case 'paragraph':
      return (
        <p>
          <Line text={part.text} />
        </p>
      );
    case 'quote':
      return (
        <blockquote className="quote">
          <Line text={part.text} />
        </blockquote>
      );
    case 'code':
      return <pre className="preformatted">{part.text}</pre>;
    case 'rule':
      return <hr className="divider" />;
    case 'list': {
      const items = inOrder(part.items, (item) => (
        <li>
          <Line text={item} />
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

function Line({ text }: { text: string }) {
  return inOrder(parseMarkdownInline(text), (piece) => <Piece piece={piece} />);
}

function Piece({ piece }: { piece: MarkdownInline }) {
  switch (piece.type) {
    case 'text':
      return <>{piece.text}</>;
    case 'code':
      return <code>{piece.text}</code>;
    case 'bold':
      return (
        <strong>
          <Line text={piece.text} />
        </strong>
      );
    case 'italic':
      return (
        <em>
          <Line text={piece.text} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Line text={piece.text} />
        </s>
      );
    case 'link': {
      const url = safeUrl(piece.url);
      return url === undefined ? piece.text : <SlackLink url={url}>{piece.text}</SlackLink>;
    }
  }
}
