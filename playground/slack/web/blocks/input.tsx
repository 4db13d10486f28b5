import type { InputBlock } from '@slack/types';
import { useId } from 'react';
import { BlockElement } from '../elements/element.js';
import { PlainText } from '../text/plain-text.js';
import { useSurface } from './surface.js';

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
