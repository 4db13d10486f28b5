import type { AnyBlock } from '@slack/types';
import { actions } from '../ids.js';
import { button, buttons } from './blocks.js';
import type { SummaryButton } from './summary-input.js';

const faces: Readonly<Record<SummaryButton['kind'], { readonly action: string; readonly text: string }>> = {
  csv: { action: actions.csv, text: 'CSV' },
  change: { action: actions.change, text: 'Change' },
  save: { action: actions.save, text: 'Save' },
  schedule: { action: actions.schedule, text: 'Schedule' },
  share: { action: actions.share, text: 'Share to channel' },
  meanings: { action: actions.meanings, text: 'What do these mean?' },
  again: { action: actions.again, text: 'Run again' },
};

/** The buttons under a summary, each kind once. */
export function buttonRow(wanted: readonly SummaryButton[]): AnyBlock[] {
  const once = wanted.filter(({ kind }, i) => wanted.findIndex((other) => other.kind === kind) === i);
  if (once.length === 0) return [];
  return [buttons(...once.map(({ kind, value }) => button(faces[kind].action, faces[kind].text, value)))];
}
