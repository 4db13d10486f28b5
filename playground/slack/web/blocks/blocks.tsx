import type {
  ActionsBlock,
  ActionsBlockElement,
  AlertBlock,
  ContextActionsBlock,
  ContextBlock,
  ImageBlock,
  ImageElement,
  InputBlock,
  InputBlockElement,
  SectionBlock,
  SectionBlockAccessory,
} from '@slack/types';
import { useId, useState } from 'react';
import {
  ButtonElement,
  CheckboxesElement,
  FeedbackButtonsElement,
  IconButtonElement,
  OverflowElement,
  RadioButtonsElement,
} from '../elements/buttons.js';
import {
  DatepickerElement,
  DateTimepickerElement,
  RichTextInputElement,
  TextInputElement,
  TimepickerElement,
} from '../elements/inputs.js';
import {
  ConversationSelectElement,
  ExternalSelectElement,
  MultiExternalSelectElement,
  MultiStaticSelectElement,
  PeopleSelectElement,
  StaticSelectElement,
} from '../elements/selects.js';
import type { ElementContext } from '../elements/use-element.js';
import { renderList } from '../parts/hooks.js';
import { PlainText, SlackText } from '../text/text.js';
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
            {renderList(block.fields, (field) => (
              <div className="field-cell">
                <SlackText of={field} />
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {block.accessory ? (
        <div className="accessory">
          <BlockElement
            element={block.accessory}
            context={{ blockId: block.block_id ?? '', dispatches: true }}
          />
        </div>
      ) : null}
    </div>
  );
}

/** An input with its label, hint and error. */
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
        context={{
          blockId,
          dispatches: block.dispatch_action === true,
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
      {renderList(block.elements, (element, index) => (
        <>
          {index > 0 ? ' ' : null}
          {element.type === 'image' ? (
            <ImageElementView element={element} className="context-image" />
          ) : (
            <span className="context-text">
              <SlackText of={element} />
            </span>
          )}
        </>
      ))}
    </div>
  );
}

export function ContextActions({ block }: { block: ContextActionsBlock }) {
  const context = { blockId: block.block_id ?? '', dispatches: true };
  return (
    <div className="actions">
      {block.elements.map((element) => {
        const key = element.action_id;
        return element.type === 'feedback_buttons' ? (
          <FeedbackButtonsElement key={key} element={element} context={context} />
        ) : (
          <IconButtonElement key={key} element={element} context={context} />
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
          context={{ blockId: block.block_id ?? '', dispatches: true }}
        />
      ))}
    </div>
  );
}

const alertSigns = { default: 'i', info: 'i', success: '✓', warning: '!', error: '!' };
const alertLabels = { default: 'Note', info: 'Note', success: 'Success', warning: 'Warning', error: 'Error' };

export function Alert({ block }: { block: AlertBlock }) {
  const level = block.level ?? 'default';
  return (
    <div className={`alert alert-${level}`} role="note">
      <span className="alert-sign" role="img" aria-label={alertLabels[level]}>
        {alertSigns[level]}
      </span>
      <div>
        <SlackText of={block.text} />
      </div>
    </div>
  );
}

interface ElementProps {
  element: ActionsBlockElement | InputBlockElement | SectionBlockAccessory;
  context: ElementContext;
}

/** An element of an actions, section or input block. */
function BlockElement({ element, context }: ElementProps) {
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return <ButtonElement element={element} context={context} />;
    case 'overflow':
      return <OverflowElement element={element} context={context} />;
    case 'static_select':
      return <StaticSelectElement element={element} context={context} />;
    case 'multi_static_select':
      return <MultiStaticSelectElement element={element} context={context} />;
    case 'external_select':
      return <ExternalSelectElement element={element} context={context} />;
    case 'multi_external_select':
      return <MultiExternalSelectElement element={element} context={context} />;
    case 'users_select':
    case 'multi_users_select':
      return <PeopleSelectElement element={element} context={context} />;
    case 'channels_select':
    case 'multi_channels_select':
    case 'conversations_select':
    case 'multi_conversations_select':
      return <ConversationSelectElement element={element} context={context} />;
    case 'datepicker':
      return <DatepickerElement element={element} context={context} />;
    case 'timepicker':
      return <TimepickerElement element={element} context={context} />;
    case 'datetimepicker':
      return <DateTimepickerElement element={element} context={context} />;
    case 'radio_buttons':
      return <RadioButtonsElement element={element} context={context} />;
    case 'checkboxes':
      return <CheckboxesElement element={element} context={context} />;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return <TextInputElement element={element} context={context} />;
    case 'rich_text_input':
      return <RichTextInputElement element={element} context={context} />;
    case 'image':
      return <ImageElementView element={element} className="accessory-image" />;
    default:
      return <UnsupportedBlock kind={element.type} />;
  }
}

/** An image, or its alternative text if it cannot be loaded. */
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

/** A visible note, so that developers who add a block to the bot add it here too. */
export function UnsupportedBlock({ kind }: { kind: string }) {
  return (
    <div className="unknown" role="note">
      The playground does not support <code>{kind}</code>.
    </div>
  );
}
