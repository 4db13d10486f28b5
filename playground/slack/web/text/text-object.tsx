import type { TextObject } from '@slack/types';
import { MrkdwnText } from './mrkdwn-text.js';
import { PlainText } from './plain-text.js';

/** A text object of either kind. */
export function SlackText({ of: text }: { of: TextObject }) {
  return text.type === 'mrkdwn' ? (
    <MrkdwnText text={text.text} verbatim={text.verbatim} />
  ) : (
    <PlainText of={text} />
  );
}
