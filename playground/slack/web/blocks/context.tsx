import type { ActionsBlock, ContextActionsBlock, ContextBlock } from '@slack/types';
import { FeedbackButtonsElement, IconButtonElement } from '../elements/context-action-elements.js';
import { BlockElement } from '../elements/element.js';
import { inOrder } from '../parts/in-order.js';
import { SlackText } from '../text/text-object.js';
import { ImageElementView } from './image.js';

export function Context({ block }: { block: ContextBlock }) {
  return (
    <div className="context">
      {inOrder(block.elements, (element) =>
        element.type === 'image' ? (
          <ImageElementView element={element} className="context-image" />
        ) : (
          <span className="context-text">
            <SlackText of={element} />
          </span>
        ),
      )}
    </div>
  );
}

export function ContextActions({ block }: { block: ContextActionsBlock }) {
  const place = { blockId: block.block_id ?? '', tells: true };
  return (
    <div className="actions">
      {block.elements.map((element) => {
        const key = element.action_id;
        return element.type === 'feedback_buttons' ? (
          <FeedbackButtonsElement key={key} element={element} place={place} />
        ) : (
          <IconButtonElement key={key} element={element} place={place} />
        );
      })}
    </div>
  );
}

export function Actions({ block }: { block: ActionsBlock }) {
  return (
    <div className="actions">
      {block.elements.map((element) => (
        <BlockElement
          key={element.action_id}
          element={element}
          place={{ blockId: block.block_id ?? '', tells: true }}
        />
      ))}
    </div>
  );
}
