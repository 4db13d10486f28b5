import type {
  ActionsBlock,
  AlertBlock,
  ContextActionsBlock,
  ContextBlock,
  InputBlock,
  SectionBlock,
} from '@slack/types';
import { useId } from 'react';
import { FeedbackButtonsElement, IconButtonElement } from '../elements/buttons.js';
import { BlockElement } from '../elements/element.js';
import { inOrder } from '../parts/hooks.js';
import { PlainText, SlackText } from '../text/text-object.js';
import { ImageElementView } from './image.js';
import { useSurface } from './surface.js';

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

/** A labelled input with its hint, and the error that the bot found with it. */
export function Input({ block }: { block: InputBlock }) {
  const { errors } = useSurface();
  const id = useId();
  const blockId = block.block_id ?? '';
  const error = errors[blockId];
  const described = [block.hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={`input-block${error ? ' has-error' : ''}`} data-block={blockId}>
      <label className="input-label" id={`${id}-label`} htmlFor={`${id}-control`}>
        <PlainText of={block.label} />
        {block.optional ? <span className="input-optional"> (optional)</span> : null}
      </label>
      <BlockElement
        element={block.element}
        place={{
          blockId,
          tells: block.dispatch_action === true,
          labelId: `${id}-label`,
          controlId: `${id}-control`,
          describedBy: described || undefined,
          invalid: error !== undefined,
          optional: block.optional === true,
        }}
      />
      {error ? (
        <p className="input-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
      {block.hint ? (
        <p className="input-hint" id={`${id}-hint`}>
          <PlainText of={block.hint} />
        </p>
      ) : null}
    </div>
  );
}

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

const signs = { default: 'i', info: 'i', success: '✓', warning: '!', error: '!' };
const words = { default: 'Note', info: 'Note', success: 'Success', warning: 'Warning', error: 'Error' };

export function Alert({ block }: { block: AlertBlock }) {
  const level = block.level ?? 'default';
  return (
    <div className={`alert alert-${level}`} role="note">
      <span className="alert-sign" role="img" aria-label={words[level]}>
        {signs[level]}
      </span>
      <div>
        <SlackText of={block.text} />
      </div>
    </div>
  );
}
