import type { OutgoingMessage } from '../../delivery/outgoing-message.js';
import { actions } from '../../ids.js';
import { button, buttons, plain, section } from '../../messages/blocks.js';

const sentence = 'Open the form to choose a report, or ask in words: “help” shows what can be asked.';

/** The way to the builder where Slack gives no leave to open it at once. */
export const offerBuilder: OutgoingMessage = {
  text: sentence,
  blocks: [section(plain(sentence)), buttons(button(actions.openBuilder, 'Open the form', '-', 'primary'))],
};
