import type { Problem } from '../../language/index.js';
import { sayProblem } from '../../language/words-for-problems.js';
import { actions } from '../ids.js';
import type { OutgoingMessage } from '../outgoing-message.js';
import { button, buttons, leaf, lines, plain, section } from './parts/blocks.js';
import { limits } from './parts/limits.js';
import { escaped } from './parts/text.js';

/** So much of a command is offered to be copied; a longer one is the asker's own to mend. */
const longestCommand = 1_500;

/** What was not understood, and the whole command with the nearest valid word in it: to press or to copy. */
export function problemMessage(problem: Problem): OutgoingMessage {
  const sentence = sayProblem(problem);
  const { corrected } = problem;
  const offered = corrected !== undefined && corrected.length <= longestCommand ? corrected : undefined;
  if (offered === undefined) return { text: escaped(sentence), blocks: [section(plain(sentence))] };
  const command = `/report ${offered}`;
  return {
    text: escaped(`${sentence}\n${command}`),
    blocks: [
      section(plain(sentence)),
      lines([leaf(command, { code: true })]),
      ...(offered.length <= limits.buttonValueCharacters
        ? [buttons(button(actions.runWords, 'Run that', offered, 'primary'))]
        : []),
    ],
  };
}
