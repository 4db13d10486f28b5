import type { Problem } from '../../requests/problem.js';
import { sayProblem } from '../../requests/problem-messages.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { actions } from '../ids.js';
import { escaped } from '../text.js';
import { button, buttons, leaf, lines, plain, section } from './blocks.js';
import { limits } from './limits.js';

/** So much of a command is offered to be copied; a longer one is the asker's own to mend. */
const longestCommand = 1_500;

/**
 * What was not understood, and the whole command with the nearest valid word in it: to press or to copy. The form
 * offers everything without words.
 */
export function problemMessage(problem: Problem): OutgoingMessage {
  const sentence = sayProblem(problem);
  const { corrected } = problem;
  const form = button(actions.openBuilder, 'Open the form', 'report' in problem ? problem.report : '-');
  const offered = corrected !== undefined && corrected.length <= longestCommand ? corrected : undefined;
  if (offered === undefined) {
    return { text: escaped(sentence), blocks: [section(plain(sentence)), buttons(form)] };
  }
  const command = `/report ${offered}`;
  return {
    text: escaped(`${sentence}\n${command}`),
    blocks: [
      section(plain(sentence)),
      lines([leaf(command, { code: true })]),
      buttons(
        ...(offered.length <= limits.buttonValueCharacters
          ? [button(actions.runWords, 'Run that', offered, 'primary')]
          : []),
        form,
      ),
    ],
  };
}
