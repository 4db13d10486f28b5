import type {
  EmailInput,
  NumberInput,
  PlainTextInput,
  RichTextBlock,
  RichTextInput,
  URLInput,
} from '@slack/types';
import { useSurface } from '../blocks/surface.js';
import { asJson } from './element-state.js';
import { type ElementPlace, namesOf, useElement } from './use-element.js';

type OneLine = PlainTextInput | NumberInput | EmailInput | URLInput;
type Dispatching = Pick<PlainTextInput, 'dispatch_action_config'>;

const kinds = {
  plain_text_input: 'text',
  // A text field, so that what is typed reaches the bot's own check instead of being swallowed.
  number_input: 'text',
  email_text_input: 'email',
  url_text_input: 'url',
} as const;

export function TextInputElement({ element, place }: { element: OneLine; place: ElementPlace }) {
  const surface = useSurface();
  const { state, keep, tell } = useElement(element, place);
  const text = (state?.value as string | null | undefined) ?? '';
  const multiline = element.type === 'plain_text_input' && element.multiline === true;
  const most = element.type === 'plain_text_input' ? element.max_length : undefined;
  const shared = {
    className: `field${place.invalid ? ' invalid' : ''}`,
    placeholder: element.placeholder?.text,
    autoFocus: element.focus_on_load,
    maxLength: most,
    value: text,
    ...namesOf(place, element.placeholder?.text ?? 'Text'),
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const value = event.target.value === '' ? null : event.target.value;
      keep({ value });
      if (place.tells && tellsOn(element, 'on_character_entered')) void tell({ value });
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
      if (place.tells && tellsOn(element, 'on_enter_pressed'))
        void tell({ value: text === '' ? null : text });
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
      {most !== undefined && text.length > most * 0.8 ? (
        <span className="field-note">{most - text.length} left</span>
      ) : null}
    </>
  );
}

function tellsOn(element: Dispatching, moment: 'on_enter_pressed' | 'on_character_entered'): boolean {
  const moments = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  return moments.includes(moment);
}

/** The rich text input, without its toolbar: what is typed becomes plain paragraphs of a `rich_text` block. */
export function RichTextInputElement({ element, place }: { element: RichTextInput; place: ElementPlace }) {
  const { state, keep } = useElement(element, place);
  const held = state?.rich_text_value as unknown as RichTextBlock | null | undefined;
  return (
    <textarea
      className={`field${place.invalid ? ' invalid' : ''}`}
      rows={element.min_lines ?? 3}
      placeholder={element.placeholder?.text}
      // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
      autoFocus={element.focus_on_load}
      {...namesOf(place, element.placeholder?.text ?? 'Text')}
      value={typedText(held)}
      onChange={(event) => {
        const text = event.target.value;
        keep({ rich_text_value: text === '' ? null : asJson(richTextOf(text)) });
      }}
    />
  );
}

/** Typed text as the `rich_text` block that Slack would send: one section that holds the line breaks. */
function richTextOf(text: string): RichTextBlock {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

/** The text in such a block, without its dress. */
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
