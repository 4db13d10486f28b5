import type { ActionsBlockElement, InputBlockElement, SectionBlockAccessory } from '@slack/types';
import { ImageElementView, Unknown } from '../blocks/image.js';
import { ButtonElement, OverflowElement } from './buttons.js';
import { CheckboxesElement, RadioButtonsElement } from './choice-lists.js';
import { DatepickerElement, DateTimepickerElement, TimepickerElement } from './date-and-time.js';
import {
  ConversationSelectElement,
  ExternalSelectElement,
  MultiExternalSelectElement,
  MultiStaticSelectElement,
  PeopleSelectElement,
  StaticSelectElement,
} from './select/selects.js';
import { RichTextInputElement, TextInputElement } from './text-inputs.js';
import type { ElementPlace } from './use-element.js';

interface ElementProps {
  element: ActionsBlockElement | InputBlockElement | SectionBlockAccessory;
  place: ElementPlace;
}

/** Any element that stands in an actions block, beside a section or in an input block. */
export function BlockElement({ element, place }: ElementProps) {
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return <ButtonElement element={element} place={place} />;
    case 'overflow':
      return <OverflowElement element={element} place={place} />;
    case 'static_select':
      return <StaticSelectElement element={element} place={place} />;
    case 'multi_static_select':
      return <MultiStaticSelectElement element={element} place={place} />;
    case 'external_select':
      return <ExternalSelectElement element={element} place={place} />;
    case 'multi_external_select':
      return <MultiExternalSelectElement element={element} place={place} />;
    case 'users_select':
    case 'multi_users_select':
      return <PeopleSelectElement element={element} place={place} />;
    case 'channels_select':
    case 'multi_channels_select':
    case 'conversations_select':
    case 'multi_conversations_select':
      return <ConversationSelectElement element={element} place={place} />;
    case 'datepicker':
      return <DatepickerElement element={element} place={place} />;
    case 'timepicker':
      return <TimepickerElement element={element} place={place} />;
    case 'datetimepicker':
      return <DateTimepickerElement element={element} place={place} />;
    case 'radio_buttons':
      return <RadioButtonsElement element={element} place={place} />;
    case 'checkboxes':
      return <CheckboxesElement element={element} place={place} />;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return <TextInputElement element={element} place={place} />;
    case 'rich_text_input':
      return <RichTextInputElement element={element} place={place} />;
    case 'image':
      return <ImageElementView element={element} className="accessory-image" />;
    default:
      return <Unknown kind={element.type} />;
  }
}
