import { useWorkspace } from '../connection/use-workspace.js';
import { Avatar } from '../parts/avatar.js';
import { Menu } from '../parts/menu.js';
import { useAct } from '../parts/toasts.js';
import type { Place } from '../place.js';
import { isSomebody } from '../text/directory.js';

/** Opens a direct message with somebody. */
export function NewMessage({ go }: { go(place: Place): void }) {
  const { users, me, bot } = useWorkspace();
  const act = useAct();
  async function open(user: string) {
    const done = await act({ type: 'open-dm', user });
    if (done.ok && done.channel) go({ kind: 'channel', channel: done.channel });
  }
  return (
    <Menu
      label="Message somebody"
      buttonClass="place place-add"
      button={
        <>
          <span className="place-plus" aria-hidden="true">
            +
          </span>
          <span className="place-name">Message somebody</span>
        </>
      }
      items={[...users.values()]
        .filter((user) => isSomebody(user) && user.id !== me && user.id !== bot.user)
        .map((user) => ({
          id: user.id,
          content: (
            <>
              <Avatar user={user} size={24} />
              <span className="person">
                {user.name}
                <span className="option-description">{user.title}</span>
              </span>
            </>
          ),
          choose: () => void open(user.id),
        }))}
    />
  );
}
