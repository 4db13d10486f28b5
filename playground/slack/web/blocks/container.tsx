import type { ContainerBlock } from '@slack/types';
import { type ReactNode, useId, useState } from 'react';
import { PlainText } from '../text/plain-text.js';
import { RichText } from '../text/rich-text.js';
import { SlackText } from '../text/text-object.js';
import { ImageElementView } from './image.js';

/** A frame with a title around other blocks, which can be folded away where the bot allows it. */
export function Container({ block, children }: { block: ContainerBlock; children: ReactNode }) {
  const [folded, setFolded] = useState(block.is_collapsible === true && block.default_collapsed === true);
  const title = useId();
  const body = useId();
  const heading = (
    <>
      {block.icon ? <ImageElementView element={block.icon} className="container-icon" /> : null}
      <span className="container-titles">
        <span className="container-title" id={title}>
          {block.rich_text_title ? <RichText block={block.rich_text_title} /> : null}
          {block.title ? <PlainText of={block.title} /> : null}
        </span>
        {block.subtitle ? (
          <span className="container-subtitle">
            <SlackText of={block.subtitle} />
          </span>
        ) : null}
      </span>
    </>
  );
  const divided = block.has_header_divider && !folded ? ' container-divided' : '';
  return (
    <section className={`container container-${block.width ?? 'standard'}`} aria-labelledby={title}>
      {block.is_collapsible ? (
        <button
          type="button"
          className={`container-head container-toggle${divided}`}
          aria-expanded={!folded}
          aria-controls={body}
          onClick={() => setFolded(!folded)}
        >
          <svg className="container-arrow" viewBox="0 0 12 12" aria-hidden="true">
            <path d="M4.5 2.5 L8 6 L4.5 9.5" />
          </svg>
          {heading}
        </button>
      ) : (
        <div className={`container-head${divided}`}>{heading}</div>
      )}
      <div id={body} className="container-body" hidden={folded}>
        {children}
      </div>
    </section>
  );
}
