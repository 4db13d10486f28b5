import type { ImageBlock, ImageElement } from '@slack/types';
import { useState } from 'react';
import { PlainText } from '../text/text-object.js';

/** An image; where it cannot be loaded, its words. */
export function ImageElementView({
  element,
  className,
}: {
  element: ImageElement | ImageBlock;
  className: string;
}) {
  const [failed, setFailed] = useState(false);
  const url = sourceOf(element);
  if (url === undefined || failed) return <span className="image-missing">{element.alt_text}</span>;
  return <img className={className} src={url} alt={element.alt_text} onError={() => setFailed(true)} />;
}

function sourceOf(element: ImageElement | ImageBlock): string | undefined {
  const url = 'image_url' in element ? element.image_url : undefined;
  return url !== undefined && /^(https?:|\/)/.test(url) ? url : undefined;
}

export function ImageBlockView({ block }: { block: ImageBlock }) {
  return (
    <figure className="image-block">
      {block.title ? (
        <figcaption className="image-title">
          <PlainText of={block.title} />
        </figcaption>
      ) : null}
      <ImageElementView element={block} className="image" />
    </figure>
  );
}

/** Said plainly, so that whoever adds a block or an element to the bot adds it here too. */
export function Unknown({ kind }: { kind: string }) {
  return (
    <div className="unknown" role="note">
      The playground does not draw <code>{kind}</code>.
    </div>
  );
}
