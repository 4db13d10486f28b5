import type { PageUser } from '../server/page-protocol.js';
import { ClockControl } from './clock-control.js';
import { useWorkspace } from './connection/connection.js';
import { Avatar, BrandMark, Icon } from './parts/icons.js';
import { Menu } from './parts/menu.js';
import { storePerson, type Theme } from './parts/settings.js';
import { useRunAction } from './parts/toasts.js';

interface TopBarProps {
  theme: Theme;
  switchTheme(): void;
  inspectorOpen: boolean;
  toggleInspector(): void;
  /** The button that opens the sidebar as a drawer; absent where the sidebar is always visible. */
  drawerButton?: React.ReactNode;
}

export function TopBar(props: TopBarProps) {
  const { theme, switchTheme, inspectorOpen, toggleInspector, drawerButton } = props;
  const otherTheme = theme === 'light' ? 'Dark theme' : 'Light theme';
  return (
    <header className="top-bar">
      <div className="brand">
        {drawerButton}
        <BrandMark />
        <span className="brand-name">
          Rollcall <span className="brand-kind">playground</span>
        </span>
      </div>
      <ClockControl />
      <div className="top-bar-end">
        <ProcessControl />
        <RefusalCount open={() => inspectorOpen || toggleInspector()} />
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
          aria-label="Inspector"
          aria-pressed={inspectorOpen}
          title="Requests between the bot, Slack and the Reporting Service"
          onClick={toggleInspector}
        >
          <Icon name="panel" /> <span className="bar-label">Inspector</span>
        </button>
        <UserSwitch />
      </div>
    </header>
  );
}

/** The number of refused payloads since the page was opened; hidden while it is 0. */
function RefusalCount({ open }: { open(): void }) {
  const { refusals, lastOldRefusalId } = useWorkspace();
  const fresh = refusals.filter((refusal) => refusal.id > lastOldRefusalId).length;
  if (fresh === 0) return null;
  return (
    <button type="button" className="bar-button refusal-count" onClick={open}>
      {fresh} refused
    </button>
  );
}

/** The processes of the bot, where there are several, and a way to kill the one that leads. */
function ProcessControl() {
  const { processes } = useWorkspace();
  const runAction = useRunAction();
  if (!processes) return null;
  const running = processes.filter(({ state }) => state === 'running').length;
  const leader = processes.find(({ leads }) => leads);
  const label = `${running} of ${processes.length} processes`;
  return (
    <Menu
      label={`${label} of Rollcall run`}
      buttonClass="bar-button"
      align="end"
      button={
        <>
          <span className="bar-label">{label}</span>
          <Icon name="chevron" />
        </>
      }
      items={[
        ...processes.map(({ number, state, leads }) => ({
          id: String(number),
          checked: leads,
          content: (
            <span>
              Process {number} <span className="option-description">{describeProcess(state, leads)}</span>
            </span>
          ),
          choose: () => {},
        })),
        {
          id: 'kill',
          content: (
            <span>{leader ? `Kill process ${leader.number}, which leads` : 'No process leads now'}</span>
          ),
          choose: () => void runAction({ type: 'kill-leader' }),
        },
      ]}
    />
  );
}

function describeProcess(state: 'starting' | 'running', leads: boolean): string {
  if (state === 'starting') return 'not running, starts again in a moment';
  return leads ? 'leads: it runs the digests' : 'takes commands and presses';
}

const kindLabels = {
  member: '',
  admin: 'admin',
  guest: 'guest',
  external: 'other organization',
  bot: '',
  deactivated: 'deactivated',
} as const;

/** Shows the current user, and switches to another one. */
function UserSwitch() {
  const { users, me: myId } = useWorkspace();
  const runAction = useRunAction();
  const me = users.get(myId);
  const people = [...users.values()].filter((user) => user.kind !== 'bot' && user.kind !== 'deactivated');
  async function switchUser(user: string) {
    const result = await runAction({ type: 'switch-user', user });
    if (result.ok) storePerson(user);
  }
  return (
    <Menu
      label={`You are ${me?.name ?? myId}. Switch user`}
      buttonClass="bar-button user-button"
      align="end"
      button={
        <>
          <Avatar user={me} size={24} />
          <span className="bar-label">{me?.name}</span>
          <Icon name="chevron" />
        </>
      }
      items={people.map((user) => ({
        id: user.id,
        checked: user.id === myId,
        content: <Person user={user} />,
        choose: () => void switchUser(user.id),
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
          {kindLabels[user.kind] ? (
            <span className={`tag tag-${user.kind}`}>{kindLabels[user.kind]}</span>
          ) : null}
        </span>
        <span className="option-description">
          {user.title} · {user.zone.replaceAll('_', ' ')}
        </span>
        {user.note ? <span className="option-description">{user.note}</span> : null}
      </span>
    </>
  );
}
