import type { SectionBlock } from '@slack/types';
import { BlockElement } from '../elements/element.js';
import { inOrder } from '../parts/in-order.js';
import { SlackText } from '../text/text-object.js';

export function Section({ block }: { block: SectionBlock }) {
  return (
    <div className="section">
      <div className="section-body">
        {block.text ? (
          <div className="section-text">
            <SlackText of={block.text} />
          </div>
        ) : null}
        {block.fields ? (
          <div className="fields">
            {inOrder(block.fields, (field) => (
              <div className="field-cell">
                <SlackText of={field} />
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {block.accessory ? (
        <div className="accessory">
          <BlockElement element={block.accessory} place={{ blockId: block.block_id ?? '', tells: true }} />
        </div>
      ) : null}
    </div>
  );
}
