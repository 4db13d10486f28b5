import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { AppView } from './app-view.js';
import { DraftsProvider } from './composer/composer.js';
import {
  type Directory,
  DirectoryProvider,
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
import { Icon } from './parts/icons.js';
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
import { Slackbot } from './slackbot.js';
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
            {route.kind === 'slackbot' && <Slackbot key={workspace.me} inert={drawer.state === 'open'} />}
            {route.kind === 'app' && (
              <AppView
                key={workspace.me}
                tab={route.tab}
                navigate={navigate}
                openThread={openThread}
                inert={drawer.state === 'open'}
              />
            )}
            {route.kind === 'channel' && (
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
