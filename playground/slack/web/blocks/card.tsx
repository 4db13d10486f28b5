import type { CardBlock, CarouselBlock } from '@slack/types';
import { ButtonElement } from '../elements/button.js';
import { SlackText } from '../text/text-object.js';
import { ImageElementView } from './image.js';

export function Card({ block }: { block: CardBlock }) {
  return (
    <div className="card">
      {block.hero_image ? <ImageElementView element={block.hero_image} className="card-hero" /> : null}
      <div className="card-head">
        {block.icon ? <ImageElementView element={block.icon} className="card-icon" /> : null}
        <div>
          {block.title ? (
            <div className="card-title">
              <SlackText of={block.title} />
            </div>
          ) : null}
          {block.subtitle ? (
            <div className="card-subtitle">
              <SlackText of={block.subtitle} />
            </div>
          ) : null}
        </div>
      </div>
      {block.body ? (
        <div className="card-body">
          <SlackText of={block.body} />
        </div>
      ) : null}
      {block.actions ? (
        <div className="actions">
          {block.actions.map((button, index) => (
            <ButtonElement
              key={button.action_id ?? `${index}`}
              element={button}
              place={{ blockId: block.block_id ?? '', tells: true }}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}

export function Carousel({ block }: { block: CarouselBlock }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a row of cards scrolls sideways, by keyboard too.
    <section className="carousel" aria-label="Cards" tabIndex={0}>
      {block.elements.map((card, index) => (
        <Card key={card.block_id ?? `${index}`} block={card} />
      ))}
    </section>
  );
}
