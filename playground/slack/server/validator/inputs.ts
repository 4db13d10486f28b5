import { type Check, flag, list, number, type Say, type Thing, text, thing } from './checks.js';
import { actionId, confirm, dispatchConfig, placeholder } from './composition.js';
import { richText } from './rich-text.js';

const common = { action_id: actionId, focus_on_load: flag };
const typed = { ...common, placeholder, dispatch_action_config: dispatchConfig };
const numeric = text({ pattern: /^-?\d+(\.\d+)?$/, like: 'a number written as text' });

function lengthsFit(input: Thing, at: string, say: Say) {
  const { min_length: least, max_length: most, initial_value: initial } = input;
  if (typeof least === 'number' && typeof most === 'number' && least > most)
    say({ code: 'reversed', message: 'must not be more than max_length', pointer: `${at}/min_length` });
  if (typeof initial === 'string' && typeof most === 'number' && initial.length > most)
    say({
      code: 'too_long',
      message: `must be less than ${most + 1} characters`,
      pointer: `${at}/initial_value`,
    });
}

function numbersFit(input: Thing, at: string, say: Say) {
  const { min_value: least, max_value: most } = input;
  if (typeof least === 'string' && typeof most === 'string' && Number(least) > Number(most))
    say({ code: 'reversed', message: 'must not be more than max_value', pointer: `${at}/min_value` });
}

function zoneExists(input: Thing, at: string, say: Say) {
  if (typeof input.timezone !== 'string') return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: input.timezone });
  } catch {
    say({ code: 'bad_format', message: 'must be an IANA time zone', pointer: `${at}/timezone` });
  }
}

/** The elements that people type or pick a moment into, by type. */
export const inputs: Readonly<Record<string, Check>> = {
  plain_text_input: thing(
    {
      ...typed,
      initial_value: text({ min: 0, max: 3000 }),
      multiline: flag,
      min_length: number({ whole: true, min: 0, max: 3000 }),
      max_length: number({ whole: true, min: 1, max: 3000 }),
    },
    { also: lengthsFit },
  ),
  rich_text_input: thing(
    {
      ...typed,
      initial_value: richText,
      min_lines: number({ whole: true, min: 1, max: 100 }),
      max_lines: number({ whole: true, min: 1, max: 100 }),
    },
    {
      also: ({ min_lines: least, max_lines: most }, at, say) => {
        if (typeof least === 'number' && typeof most === 'number' && least > most)
          say({ code: 'reversed', message: 'must not be more than max_lines', pointer: `${at}/min_lines` });
      },
    },
  ),
  number_input: thing(
    { ...typed, is_decimal_allowed: flag, initial_value: numeric, min_value: numeric, max_value: numeric },
    { needs: ['is_decimal_allowed'], also: numbersFit },
  ),
  email_text_input: thing({ ...typed, initial_value: text({ min: 0 }) }),
  url_text_input: thing({ ...typed, initial_value: text({ min: 0 }) }),
  file_input: thing({
    action_id: actionId,
    filetypes: list(text(), { min: 1 }),
    max_files: number({ whole: true, min: 1, max: 10 }),
  }),
  datepicker: thing({
    ...common,
    placeholder,
    confirm,
    initial_date: text({ pattern: /^\d{4}-\d{2}-\d{2}$/, like: 'a date such as 2026-11-20' }),
  }),
  timepicker: thing(
    {
      ...common,
      placeholder,
      confirm,
      initial_time: text({ pattern: /^([01]\d|2[0-3]):[0-5]\d$/, like: 'a time such as 09:30' }),
      timezone: text(),
    },
    { also: zoneExists },
  ),
  datetimepicker: thing({
    ...common,
    confirm,
    initial_date_time: number({ whole: true, min: 1_000_000_000, max: 9_999_999_999 }),
  }),
};
