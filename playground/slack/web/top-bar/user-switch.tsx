import type { PageUser } from '../../server/page-protocol.js';
import { useWorkspace } from '../connection/use-workspace.js';
import { Avatar } from '../parts/avatar.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { rememberPerson } from '../parts/remembered.js';
import { useAct } from '../parts/toasts.js';

const kinds = {
  member: '',
  admin: 'admin',
  guest: 'guest',
  stranger: 'other organization',
  bot: '',
  gone: 'has left',
} as const;

/** Whose eyes one looks through, and the way to somebody else's. */
export function UserSwitch() {
  const { users, me } = useWorkspace();
  const act = useAct();
  const myself = users.get(me);
  const people = [...users.values()].filter((user) => user.kind !== 'bot' && user.kind !== 'gone');
  async function become(user: string) {
    const done = await act({ type: 'become', user });
    if (done.ok) rememberPerson(user);
  }
  return (
    <Menu
      label={`You are ${myself?.name ?? me}. Switch to somebody else`}
      buttonClass="bar-button user-button"
      align="end"
      button={
        <>
          <Avatar user={myself} size={24} />
          <span>{myself?.name}</span>
          <Icon name="chevron" />
        </>
      }
      items={people.map((user) => ({
        id: user.id,
        checked: user.id === me,
        content: <Person user={user} />,
        choose: () => void become(user.id),
      }))}
    />
  );
}

function Person({ user }: { user: PageUser }) {
  return (
    <>
      <Avatar user={user} size={24} />
      <span className="person">
        <span>
          {user.name}
          {kinds[user.kind] ? <span className={`tag tag-${user.kind}`}>{kinds[user.kind]}</span> : null}
        </span>
        <span className="option-description">
          {user.title} · {user.zone.replaceAll('_', ' ')}
        </span>
      </span>
    </>
  );
}
