import type { AnyBlock, Button } from '@slack/types';
import { hasLearners } from '../../catalogue/index.js';
import type { ResultWithFigures } from '../../figures/summary/request.js';
import { compact, displayText } from '../../requests/text.js';
import type { AssistantFigures } from '../context/request-context.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { button, buttons, commandActions, limits, section } from '../messages/blocks.js';
import { breakdownTable } from '../messages/details.js';
import { summaryVariants } from '../messages/summary.js';
import { withinLimit } from '../messages/summary-parts.js';

/** The blocks that Slackbot takes of a tool. One of another type drops all. */
const takenTypes: ReadonlySet<string> = new Set([
  'actions',
  'card',
  'carousel',
  'container',
  'context',
  'data_table',
  'data_visualization',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'markdown',
  'rich_text',
  'section',
  'table',
  'video',
]);

/** An answer as a message without the buttons of messages, with its table, and with buttons that call tools. */
export function answerBlocks(
  result: ResultWithFigures,
  { command }: Pick<AssistantFigures, 'command'>,
  zone: string,
): readonly AnyBlock[] {
  const [full] = summaryVariants({ result, command, remarks: [], isDirect: false, zone, buttons: [] });
  const { breakdown, counted } = result.figures;
  const table = breakdown?.kind === 'groups' && counted > 1 ? breakdownTable(breakdown, true) : undefined;
  const words = command.replace(/^\/report /, '');
  const canBreakDown = result.request.by === undefined && hasLearners(result.report) && counted > 0;
  const row = compact(
    canBreakDown && toolButton('ask', 'By department', { question: `${words} by:departments` }),
    toolButton('send_rows', 'Send me the rows', { question: words }),
  );
  const blocks = withinLimit([
    { blocks: knownBlocks(full.blocks) },
    { blocks: [], table },
    { blocks: row.length > 0 ? [buttons(row)] : [] },
  ]);
  return blocks.filter(({ type }) => takenTypes.has(type));
}

function knownBlocks(blocks: OutgoingMessage['blocks']): readonly AnyBlock[] {
  return (blocks ?? []).filter((block): block is AnyBlock => takenTypes.has(block.type));
}

/** A sentence, and a button for each command that could be asked instead. */
export function offerBlocks(sentence: string, commands: readonly string[]): readonly AnyBlock[] {
  return [
    section(displayText(sentence, limits.textObjectCharacters)),
    ...commands.map((command) =>
      section(
        displayText(`/report ${command}`, maxShownCommand),
        toolButton('ask', 'Ask this', { question: command }),
      ),
    ),
  ];
}

const maxShownCommand = 1_000;

/** A press calls the tool, and its blocks replace those with the button. Undefined where the value is too long. */
function toolButton(tool: string, label: string, input: object): Button | undefined {
  const value = JSON.stringify(input);
  return value.length > limits.buttonValueCharacters ? undefined : button(`tool:${tool}`, label, value);
}

/** The commands that the buttons of a message run. */
export function commandsIn({ blocks = [] }: OutgoingMessage): readonly string[] {
  const commands = blocks.flatMap((block) => {
    const pressable = compact(
      'accessory' in block ? block.accessory : undefined,
      'elements' in block && block.type === 'actions' ? block.elements : [],
    );
    return pressable.flatMap((element) => {
      const { action_id: id = '', value } = element as Partial<Button>;
      return value !== undefined && runActions.has(id) ? value : [];
    });
  });
  return [...new Set(commands)];
}

const runActions: ReadonlySet<string> = new Set([commandActions.runWords, commandActions.runAsTyped]);
