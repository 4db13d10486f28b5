import type { ViewOutput } from '@slack/bolt';
import { digestInputs } from '../digest-ids.js';
import { choicesFor } from './cadence-choices.js';
import type { ScheduleFormFacts } from './schedule-form.js';

/** What stands in the light form; what it does not show at the moment is as it is in a new one. */
export function readScheduleForm({ state }: Pick<ViewOutput, 'state'>): ScheduleFormFacts {
  const held = (name: string) => state.values[name]?.[name];
  const usual = choicesFor(undefined, '');
  const days = held(digestInputs.days)?.selected_options?.map(({ value }) => value);
  const channel = held(digestInputs.channel)?.selected_conversation;
  return {
    choices: {
      kind: held(digestInputs.kind)?.selected_option?.value ?? usual.kind,
      days: days ?? usual.days,
      day: held(digestInputs.day)?.selected_option?.value ?? usual.day,
      time: held(digestInputs.time)?.selected_time ?? usual.time,
      zone: held(digestInputs.zone)?.value ?? '',
      words: held(digestInputs.words)?.value ?? '',
    },
    skipEmpty: (held(digestInputs.skipEmpty)?.selected_options ?? []).length > 0,
    ...(channel ? { channel } : {}),
  };
}
