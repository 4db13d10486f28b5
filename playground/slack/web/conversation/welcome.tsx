import type { ActionsBlock } from '@slack/types';
import type { PageMessage } from '../../server/page-protocol.js';
import { BlockList } from '../blocks/block-list.js';
import { type PageBlock, pageBlocks } from '../blocks/page-block.js';
import { useDraft } from '../composer/drafts.js';
import { BrandMark } from '../parts/brand-mark.js';
import { useSendText } from './use-send-text.js';

/** Long enough to see what was typed, short enough not to wait for it. */
const shownBeforeSending = 450;

/** The playground's own greeting: each command on it types itself and goes off. */
export function Welcome({ message }: { message: PageMessage }) {
  const [, setDraft] = useDraft(message.channel);
  const [send] = useSendText({ channel: message.channel });
  function run(line: string) {
    setDraft(line);
    setTimeout(() => {
      send(line);
      setDraft('');
    }, shownBeforeSending);
  }
  return (
    <section className="welcome" aria-label="Welcome">
      <BrandMark />
      <div className="blocks">
        {pageBlocks(message.blocks).map((block) => {
          const lines = commandsOn(block);
          if (lines.length === 0) return <BlockList key={block.block_id} blocks={[block]} />;
          return (
            <ul key={block.block_id} className="welcome-commands">
              {lines.map((line) => (
                <li key={line}>
                  <button type="button" className="welcome-command" onClick={() => run(line)}>
                    <code>{line}</code>
                  </button>
                </li>
              ))}
            </ul>
          );
        })}
      </div>
    </section>
  );
}

/** True for a message of Slack's own voice that offers commands. */
export function isWelcome(message: PageMessage, isSlackItself: boolean): boolean {
  return isSlackItself && pageBlocks(message.blocks).some((block) => commandsOn(block).length > 0);
}

function commandsOn(block: PageBlock): string[] {
  if (block.type !== 'actions') return [];
  return (block as ActionsBlock).elements.flatMap((element) =>
    element.type === 'button' && element.value?.startsWith('/') ? [element.value] : [],
  );
}
