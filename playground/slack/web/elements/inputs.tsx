import type {
  Datepicker,
  DateTimepicker,
  EmailInput,
  NumberInput,
  PlainTextInput,
  RichTextBlock,
  RichTextInput,
  Timepicker,
  URLInput,
} from '@slack/types';
import { useState } from 'react';
import { useSurface } from '../blocks/surface.js';
import { useDirectory } from '../connection/connection.js';
import { secondsOf, wallClock } from '../text/dates.js';
import { asJson } from './element-state.js';
import { ariaProps, type ElementContext, useElement } from './use-element.js';

type TextInput = PlainTextInput | NumberInput | EmailInput | URLInput;
type DispatchingInput = Pick<PlainTextInput, 'dispatch_action_config'>;

const kinds = {
  plain_text_input: 'text',
  // A text field, so that invalid input reaches the bot's validation. A number field would drop it.
  number_input: 'text',
  email_text_input: 'email',
  url_text_input: 'url',
} as const;

export function TextInputElement({ element, context }: { element: TextInput; context: ElementContext }) {
  const surface = useSurface();
  const { state, setValue, dispatch } = useElement(element, context);
  const text = (state?.value as string | null | undefined) ?? '';
  const multiline = element.type === 'plain_text_input' && element.multiline === true;
  const maxLength = element.type === 'plain_text_input' ? element.max_length : undefined;
  const shared = {
    className: `field${context.invalid ? ' invalid' : ''}`,
    placeholder: element.placeholder?.text,
    autoFocus: element.focus_on_load,
    maxLength: maxLength,
    value: text,
    ...ariaProps(context, element.placeholder?.text ?? 'Text'),
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const value = event.target.value === '' ? null : event.target.value;
      setValue({ value });
      if (context.dispatches && dispatchesOn(element, 'on_character_entered')) void dispatch({ value });
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (
        event.key !== 'Enter' ||
        event.nativeEvent.isComposing ||
        (multiline && !event.metaKey && !event.ctrlKey)
      ) {
        return;
      }
      event.preventDefault();
      if (context.dispatches && dispatchesOn(element, 'on_enter_pressed'))
        void dispatch({ value: text === '' ? null : text });
      else surface.submit?.();
    },
  };
  return (
    <>
      {multiline ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input
          {...shared}
          type={kinds[element.type]}
          inputMode={element.type === 'number_input' ? 'decimal' : undefined}
        />
      )}
      {maxLength !== undefined && text.length > maxLength * 0.8 ? (
        <span className="field-note">{maxLength - text.length} left</span>
      ) : null}
    </>
  );
}

function dispatchesOn(
  element: DispatchingInput,
  moment: 'on_enter_pressed' | 'on_character_entered',
): boolean {
  const moments = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  return moments.includes(moment);
}

/** The rich text input, without a toolbar. Typed text becomes a plain `rich_text` block. */
export function RichTextInputElement({
  element,
  context,
}: {
  element: RichTextInput;
  context: ElementContext;
}) {
  const { state, setValue } = useElement(element, context);
  const value = state?.rich_text_value as unknown as RichTextBlock | null | undefined;
  return (
    <textarea
      className={`field${context.invalid ? ' invalid' : ''}`}
      rows={element.min_lines ?? 3}
      placeholder={element.placeholder?.text}
      // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
      autoFocus={element.focus_on_load}
      {...ariaProps(context, element.placeholder?.text ?? 'Text')}
      value={typedText(value)}
      onChange={(event) => {
        const text = event.target.value;
        setValue({ rich_text_value: text === '' ? null : asJson(richTextOf(text)) });
      }}
    />
  );
}

/** The `rich_text` block that Slack would send for typed text: one section with the line breaks. */
function richTextOf(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

/** The plain text of a `rich_text` block. */
function typedText(block: RichTextBlock | null | undefined): string {
  return (block?.elements ?? [])
    .map((part) =>
      part.type === 'rich_text_list'
        ? part.elements.map((item) => leafText(item.elements)).join('\n')
        : leafText(part.elements),
    )
    .join('\n');
}

function leafText(leaves: readonly { type: string; text?: string; url?: string }[]): string {
  return leaves.map((leaf) => leaf.text ?? leaf.url ?? '').join('');
}

/** While a year is typed, the field has values such as `0002` and `0020`. */
const completeDate = /^[1-9]\d{3}-\d{2}-\d{2}$/;

export function DatepickerElement({ element, context }: { element: Datepicker; context: ElementContext }) {
  const { state, change } = useElement(element, context);
  const value = (state?.selected_date as string | null | undefined) ?? '';
  const [draft, setDraft] = useDraft(value);
  return (
    <input
      type="date"
      className={fieldClass(context)}
      // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
      autoFocus={element.focus_on_load}
      {...ariaProps(context, element.placeholder?.text ?? 'Date')}
      value={draft}
      onChange={(event) => {
        const date = event.target.value;
        setDraft(date);
        if (completeDate.test(date)) void change({ selected_date: date });
        else if (date === '' && context.optional) void change({ selected_date: null });
      }}
    />
  );
}

export function TimepickerElement({ element, context }: { element: Timepicker; context: ElementContext }) {
  const { state, change } = useElement(element, context);
  const value = (state?.selected_time as string | null | undefined) ?? '';
  return (
    <span className="time-field">
      <input
        type="time"
        className={fieldClass(context)}
        // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
        autoFocus={element.focus_on_load}
        {...ariaProps(context, element.placeholder?.text ?? 'Time')}
        value={value}
        onChange={(event) => {
          const time = event.target.value;
          if (time !== '' || context.optional) void change({ selected_time: time === '' ? null : time });
        }}
      />
      {element.timezone ? <span className="field-note">{element.timezone}</span> : null}
    </span>
  );
}

/** A date and a time in the person's time zone. */
export function DateTimepickerElement({
  element,
  context,
}: {
  element: DateTimepicker;
  context: ElementContext;
}) {
  const { zone } = useDirectory();
  const { state, change } = useElement(element, context);
  const seconds = state?.selected_date_time as number | null | undefined;
  const [draft, setDraft] = useDraft(seconds ? wallClock(seconds, zone) : '');
  return (
    <span className="time-field">
      <input
        type="datetime-local"
        className={fieldClass(context)}
        // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
        autoFocus={element.focus_on_load}
        {...ariaProps(context, 'Date and time')}
        value={draft}
        onChange={(event) => {
          const typed = event.target.value;
          setDraft(typed);
          const [date = '', time = ''] = typed.split('T');
          if (completeDate.test(date) && time !== '')
            void change({ selected_date_time: secondsOf(typed, zone) });
          else if (typed === '' && context.optional) void change({ selected_date_time: null });
        }}
      />
      <span className="field-note">{zone}</span>
    </span>
  );
}

function fieldClass(context: ElementContext): string {
  return `field field-date${context.invalid ? ' invalid' : ''}`;
}

/** The typed text, until the value changes from outside. */
function useDraft(value: string): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setDraft(value);
  }
  return [draft, setDraft];
}
