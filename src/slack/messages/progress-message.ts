import { sayCount } from '../../figures/format/values.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { actions } from '../ids.js';
import { escaped } from '../text.js';
import { button, buttons, plain, section } from './blocks.js';

export interface ProgressFacts {
  readonly askId: string;
  /** What is being run, in words: `Engagement, last week (…)`. */
  readonly title: string;
  readonly records: number;
  /** How long the service still makes it wait; 0: it does not. */
  readonly waitSeconds: number;
}

/** What is shown while an answer is on its way, with a way to stop it. */
export function progressMessage({ askId, title, records, waitSeconds }: ProgressFacts): OutgoingMessage {
  const line = `Running ${title}. ${standing(records, waitSeconds)}`;
  return {
    text: escaped(line),
    blocks: [section(plain(line)), buttons(button(actions.cancel, 'Cancel', askId))],
  };
}

/** Said once where nothing can be edited: the service asks to wait. */
export function waitMessage(waitSeconds: number): OutgoingMessage {
  return { text: sayWait(waitSeconds) };
}

function standing(records: number, waitSeconds: number): string {
  if (waitSeconds > 60) return sayWait(waitSeconds);
  return records === 0 ? 'Waiting for the first records.' : `${sayCount(records)} records so far.`;
}

function sayWait(seconds: number): string {
  return `The Reporting Service lets us ask again in about ${Math.ceil(seconds / 60)} minutes.`;
}
