import type { Datepicker, DateTimepicker, Timepicker } from '@slack/types';
import { useState } from 'react';
import { secondsOf, wallClock } from '../text/dates.js';
import { useDirectory } from '../text/directory.js';
import { type ElementPlace, namesOf, useElement } from './use-element.js';

/** While a year is being typed, `0002` and `0020` are dates too. */
const complete = /^[1-9]\d{3}-\d{2}-\d{2}$/;

export function DatepickerElement({ element, place }: { element: Datepicker; place: ElementPlace }) {
  const { state, change } = useElement(element, place);
  const held = (state?.selected_date as string | null | undefined) ?? '';
  const [draft, setDraft] = useDraft(held);
  return (
    <input
      type="date"
      className={fieldClass(place)}
      // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
      autoFocus={element.focus_on_load}
      {...namesOf(place, element.placeholder?.text ?? 'Date')}
      value={draft}
      onChange={(event) => {
        const date = event.target.value;
        setDraft(date);
        if (complete.test(date)) void change({ selected_date: date });
        else if (date === '' && place.optional) void change({ selected_date: null });
      }}
    />
  );
}

export function TimepickerElement({ element, place }: { element: Timepicker; place: ElementPlace }) {
  const { state, change } = useElement(element, place);
  const held = (state?.selected_time as string | null | undefined) ?? '';
  return (
    <span className="time-field">
      <input
        type="time"
        className={fieldClass(place)}
        // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
        autoFocus={element.focus_on_load}
        {...namesOf(place, element.placeholder?.text ?? 'Time')}
        value={held}
        onChange={(event) => {
          const time = event.target.value;
          if (time !== '' || place.optional) void change({ selected_time: time === '' ? null : time });
        }}
      />
      {element.timezone ? <span className="field-note">{element.timezone}</span> : null}
    </span>
  );
}

/** A date and a time in the person's own zone, as one moment. */
export function DateTimepickerElement({ element, place }: { element: DateTimepicker; place: ElementPlace }) {
  const { zone } = useDirectory();
  const { state, change } = useElement(element, place);
  const seconds = state?.selected_date_time as number | null | undefined;
  const [draft, setDraft] = useDraft(seconds ? wallClock(seconds, zone) : '');
  return (
    <span className="time-field">
      <input
        type="datetime-local"
        className={fieldClass(place)}
        // biome-ignore lint/a11y/noAutofocus: the bot asked for it with focus_on_load.
        autoFocus={element.focus_on_load}
        {...namesOf(place, 'Date and time')}
        value={draft}
        onChange={(event) => {
          const typed = event.target.value;
          setDraft(typed);
          const [date = '', time = ''] = typed.split('T');
          if (complete.test(date) && time !== '') void change({ selected_date_time: secondsOf(typed, zone) });
          else if (typed === '' && place.optional) void change({ selected_date_time: null });
        }}
      />
      <span className="field-note">{zone}</span>
    </span>
  );
}

function fieldClass(place: ElementPlace): string {
  return `field field-date${place.invalid ? ' invalid' : ''}`;
}

/** What is being typed, until the held value changes from outside. */
function useDraft(held: string): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(held);
  const [seen, setSeen] = useState(held);
  if (seen !== held) {
    setSeen(held);
    setDraft(held);
  }
  return [draft, setDraft];
}
