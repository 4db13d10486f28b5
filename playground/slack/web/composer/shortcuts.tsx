import { useWorkspace } from '../connection/use-workspace.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { useAct } from '../parts/toasts.js';

/** The bot's global shortcuts, where it has some. */
export function Shortcuts() {
  const { shortcuts } = useWorkspace();
  const act = useAct();
  const global = shortcuts.filter((shortcut) => shortcut.type === 'global');
  if (global.length === 0) return null;
  return (
    <Menu
      label="Shortcuts"
      buttonClass="icon-button composer-shortcuts"
      button={<Icon name="bolt" />}
      items={global.map((shortcut) => ({
        id: shortcut.callbackId,
        content: (
          <span className="person">
            {shortcut.name}
            <span className="option-description">{shortcut.description}</span>
          </span>
        ),
        choose: () => void act({ type: 'shortcut', callbackId: shortcut.callbackId }),
      }))}
    />
  );
}
