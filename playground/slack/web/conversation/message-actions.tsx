import type { PageMessage } from '../../server/page-protocol.js';
import { useWorkspacePart } from '../connection/use-workspace.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { useAct } from '../parts/toasts.js';

interface MessageActionsProps {
  message: PageMessage;
  openThread: ((ts: string) => void) | undefined;
}

/** What one can do with a message; shown when it is pointed at or has the focus. */
export function MessageActions({ message, openThread }: MessageActionsProps) {
  const shortcuts = useWorkspacePart((workspace) => workspace.shortcuts);
  const act = useAct();
  const ofMessages = shortcuts.filter((shortcut) => shortcut.type === 'message');
  if (!openThread && ofMessages.length === 0) return null;
  return (
    <div className="message-actions">
      {openThread ? (
        <button
          type="button"
          className="icon-button"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => openThread(message.threadTs ?? message.ts)}
        >
          <Icon name="reply" />
        </button>
      ) : null}
      {ofMessages.length > 0 ? (
        <Menu
          label="Message shortcuts"
          buttonClass="icon-button"
          align="end"
          button={<Icon name="bolt" />}
          items={ofMessages.map((shortcut) => ({
            id: shortcut.callbackId,
            content: shortcut.name,
            choose: () =>
              void act({
                type: 'message-shortcut',
                callbackId: shortcut.callbackId,
                channel: message.channel,
                ts: message.ts,
              }),
          }))}
        />
      ) : null}
    </div>
  );
}
