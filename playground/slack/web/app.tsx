import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { BlockList } from './blocks/block-list.js';
import { pageBlocks } from './blocks/page-block.js';
import { BlockSurface } from './blocks/surface.js';
import { DraftsProvider } from './composer/composer.js';
import {
  type Directory,
  DirectoryProvider,
  useConnection,
  useConnectionStatus,
  useMaybeWorkspace,
  useWorkspace,
} from './connection/connection.js';
import { workspaceNow } from './connection/workspace.js';
import { ChannelHead, Conversation, ThreadPanel } from './conversation/conversation.js';
import { RefusalBanner } from './conversation/message-list.js';
import { Inspector } from './inspector.js';
import { ConfirmProvider } from './modal/confirm.js';
import { ModalStack } from './modal/modal.js';
import { Avatar, Icon } from './parts/icons.js';
import {
  inspectorIsOpen,
  locationHash,
  parseLocationHash,
  type Route,
  storeInspectorOpen,
  useIsNarrow,
  useTheme,
} from './parts/settings.js';
import { ToastProvider } from './parts/toasts.js';
import { Sidebar, sidebarId } from './sidebar.js';
import { TopBar } from './top-bar.js';

/** The whole page. */
export function App() {
  const workspace = useMaybeWorkspace();
  const [theme, switchTheme] = useTheme();
  if (!workspace) return <Connecting />;
  return (
    <ToastProvider>
      <DraftsProvider>
        <Shell theme={theme} switchTheme={switchTheme} />
      </DraftsProvider>
    </ToastProvider>
  );
}

function Connecting() {
  const status = useConnectionStatus();
  return (
    <p className="connecting" role="status">
      {status === 'lost' ? 'The playground is not answering. Trying again…' : 'Opening the playground…'}
    </p>
  );
}

interface Thread {
  readonly channel: string;
  readonly ts: string;
}

function Shell({ theme, switchTheme }: Pick<React.ComponentProps<typeof TopBar>, 'theme' | 'switchTheme'>) {
  const workspace = useWorkspace();
  const [chosen, setChosen] = useState<Route | undefined>(() => parseLocationHash(location.hash.slice(1)));
  const [thread, setThread] = useState<Thread>();
  const [inspecting, setInspecting] = useState(inspectorIsOpen);
  const drawer = useDrawer();
  const { close: closeDrawer } = drawer;
  const navigate = useCallback(
    (next: Route) => {
      closeDrawer();
      setChosen(next);
      setThread(undefined);
      history.replaceState(null, '', `#${locationHash(next)}`);
    },
    [closeDrawer],
  );
  const openThread = useCallback((channel: string, ts: string) => setThread({ channel, ts }), []);
  const closeThread = useCallback(() => setThread(undefined), []);
  const toggleInspector = useCallback(() => {
    setInspecting((open) => {
      storeInspectorOpen(!open);
      return !open;
    });
  }, []);
  const directory = useDirectoryFor(navigate);

  // A user who cannot see the chosen channel gets the first channel.
  const visible = chosen?.kind === 'channel' && !workspace.channels.has(chosen.channel) ? undefined : chosen;
  const route: Route = visible ?? { kind: 'channel', channel: workspace.openChannel };
  const channel = route.kind === 'channel' ? workspace.channels.get(route.channel) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user has other threads.
  useEffect(closeThread, [workspace.me]);
  return (
    <DirectoryProvider value={directory}>
      <ConfirmProvider>
        <div className="shell">
          <TopBar
            theme={theme}
            switchTheme={switchTheme}
            inspectorOpen={inspecting}
            toggleInspector={toggleInspector}
            drawerButton={drawer.button}
          />
          <ConnectionLost />
          <div className="columns">
            <Sidebar route={route} navigate={navigate} drawer={drawer.state} />
            {drawer.state === 'open' ? (
              <button
                type="button"
                className="drawer-backdrop"
                tabIndex={-1}
                aria-label="Close channels"
                onClick={closeDrawer}
              />
            ) : null}
            {route.kind === 'app' ? (
              <AppView
                key={workspace.me}
                tab={route.tab}
                navigate={navigate}
                openThread={openThread}
                inert={drawer.state === 'open'}
              />
            ) : (
              <main
                className="conversation"
                aria-label={channel?.name ?? 'Channel'}
                inert={drawer.state === 'open'}
              >
                {channel ? (
                  <>
                    <ChannelHead channel={channel} />
                    <RefusalBanner />
                    <Conversation
                      key={`${workspace.me}/${channel.id}`}
                      channel={channel}
                      openThread={openThread}
                    />
                  </>
                ) : null}
              </main>
            )}
            {thread || inspecting ? (
              <div className="side" inert={drawer.state === 'open'}>
                {thread ? <ThreadPanel key={thread.ts} {...thread} close={closeThread} /> : null}
                {inspecting ? <Inspector close={toggleInspector} /> : null}
              </div>
            ) : null}
          </div>
        </div>
        <ModalStack />
      </ConfirmProvider>
    </DirectoryProvider>
  );
}

interface Drawer {
  /** undefined: the window is wide enough for the sidebar beside the conversation. */
  readonly state: 'open' | 'closed' | undefined;
  readonly button: React.ReactNode;
  /** Gives the focus back to the button. Does nothing if the drawer is closed. */
  close(): void;
}

/** The sidebar of a narrow window. The page beside it can't be used while it is open. */
function useDrawer(): Drawer {
  const isNarrow = useIsNarrow();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = isNarrow && open;
  const close = useCallback(() => {
    if (!isOpen) return;
    setOpen(false);
    button.current?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) close();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen, close]);
  if (!isNarrow) return { state: undefined, button: undefined, close };
  return {
    state: isOpen ? 'open' : 'closed',
    close,
    button: (
      <button
        ref={button}
        type="button"
        className="bar-button"
        aria-label="Channels"
        aria-expanded={isOpen}
        aria-controls={sidebarId}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <Icon name="menu" />
      </button>
    ),
  };
}

function ConnectionLost() {
  const status = useConnectionStatus();
  if (status !== 'lost') return null;
  return (
    <p className="link-lost" role="alert">
      The playground is not answering. The page reconnects by itself.
    </p>
  );
}

function useDirectoryFor(navigate: (route: Route) => void): Directory {
  const { me, users, channels, clock, clockReceivedAt } = useWorkspace();
  return useMemo(() => {
    const myself = users.get(me);
    if (!myself) throw new Error(`The snapshot lacks its own user ${me}.`);
    return {
      me: myself,
      users,
      channels,
      zone: myself.zone,
      now: () => workspaceNow({ clock, clockReceivedAt }, Date.now()),
      openChannel: (channel) => navigate({ kind: 'channel', channel }),
    };
  }, [me, users, channels, clock, clockReceivedAt, navigate]);
}

type Tab = 'home' | 'messages';

interface AppViewProps {
  tab: Tab;
  navigate(route: Route): void;
  openThread(channel: string, ts: string): void;
  /** True while the drawer covers it. */
  inert: boolean;
}

const titles = { home: 'Home', messages: 'Messages' };

/** The app: its Home tab and its Messages tab. */
function AppView({ tab, navigate, openThread, inert }: AppViewProps) {
  const { bot, users, me, channels } = useWorkspace();
  const connection = useConnection();
  const [problem, setProblem] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened again for each user.
  useEffect(() => {
    let isUnmounted = false;
    void connection.send({ type: 'open-app', tab }).then((result) => {
      if (!isUnmounted) setProblem(result.problem);
    });
    return () => {
      isUnmounted = true;
    };
  }, [connection, tab, me]);
  const direct = [...channels.values()].find(
    (channel) => channel.kind === 'im' && channel.members.includes(bot.user),
  );
  return (
    <main className="conversation" aria-label={bot.name} inert={inert}>
      <header className="conversation-head">
        <Avatar user={users.get(bot.user)} size={24} />
        <h2 className="conversation-title">{bot.name}</h2>
        <div className="tabs" role="tablist" aria-label={bot.name}>
          {(['home', 'messages'] as const).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              className="tab"
              id={`tab-${name}`}
              aria-selected={tab === name}
              aria-controls="app-tab"
              tabIndex={tab === name ? 0 : -1}
              onClick={() => navigate({ kind: 'app', tab: name })}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
                const other = name === 'home' ? 'messages' : 'home';
                navigate({ kind: 'app', tab: other });
                document.getElementById(`tab-${other}`)?.focus();
              }}
            >
              {titles[name]}
            </button>
          ))}
        </div>
      </header>
      <RefusalBanner />
      <div id="app-tab" role="tabpanel" aria-labelledby={`tab-${tab}`} className="app-tab">
        {tab === 'home' ? (
          <HomeTab problem={problem} />
        ) : direct ? (
          <Conversation key={direct.id} channel={direct} openThread={openThread} />
        ) : (
          <p className="panel-empty">{problem ?? 'Opening…'}</p>
        )}
      </div>
    </main>
  );
}

function HomeTab({ problem }: { problem: string | undefined }) {
  const { home, bot } = useWorkspace();
  if (!home) {
    return (
      <div className="panel-empty">
        <p>{problem ?? `${bot.name} has not published a Home tab for you.`}</p>
      </div>
    );
  }
  return (
    <div className="home-tab">
      <BlockSurface surface={{ kind: 'view', view: home.id }} blocks={home.blocks} state={home.state}>
        <div className="blocks">
          <BlockList blocks={pageBlocks(home.blocks)} />
        </div>
      </BlockSurface>
      {home.failed ? (
        <p className="message-failed" role="alert">
          {home.failed}
        </p>
      ) : null}
    </div>
  );
}
