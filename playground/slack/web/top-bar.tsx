import type { PageUser } from '../server/page-protocol.js';
import { ClockControl } from './clock-control.js';
import { useWorkspace } from './connection/connection.js';
import { Avatar, BrandMark, Icon } from './parts/icons.js';
import { Menu } from './parts/menu.js';
import { storePerson, type Theme } from './parts/settings.js';
import { useAct } from './parts/toasts.js';

interface TopBarProps {
  theme: Theme;
  switchTheme(): void;
  inspecting: boolean;
  toggleInspector(): void;
}

export function TopBar({ theme, switchTheme, inspecting, toggleInspector }: TopBarProps) {
  const otherTheme = theme === 'light' ? 'Dark theme' : 'Light theme';
  return (
    <header className="top-bar">
      <div className="brand">
        <BrandMark />
        <span>
          Rollcall <span className="brand-kind">playground</span>
        </span>
      </div>
      <ClockControl />
      <div className="top-bar-end">
        <RefusalCount open={() => inspecting || toggleInspector()} />
        <button
          type="button"
          className="bar-button"
          aria-label={otherTheme}
          title={otherTheme}
          onClick={switchTheme}
        >
          <Icon name={theme === 'light' ? 'moon' : 'sun'} />
        </button>
        <button
          type="button"
          className="bar-button"
          aria-pressed={inspecting}
          title="What the bot, Slack and the Reporting Service say to each other"
          onClick={toggleInspector}
        >
          <Icon name="panel" /> Inspector
        </button>
        <UserSwitch />
      </div>
    </header>
  );
}

/** How many payloads Slack would have refused since the page came; nothing while there are none. */
function RefusalCount({ open }: { open(): void }) {
  const { refusals, oldRefusals } = useWorkspace();
  const fresh = refusals.filter((refusal) => refusal.id > oldRefusals).length;
  if (fresh === 0) return null;
  return (
    <button type="button" className="bar-button refusal-count" onClick={open}>
      {fresh} refused
    </button>
  );
}

const kinds = {
  member: '',
  admin: 'admin',
  guest: 'guest',
  stranger: 'other organization',
  bot: '',
  gone: 'has left',
} as const;

/** Whose eyes one looks through, and the way to somebody else's. */
function UserSwitch() {
  const { users, me } = useWorkspace();
  const act = useAct();
  const myself = users.get(me);
  const people = [...users.values()].filter((user) => user.kind !== 'bot' && user.kind !== 'gone');
  async function become(user: string) {
    const done = await act({ type: 'become', user });
    if (done.ok) storePerson(user);
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
