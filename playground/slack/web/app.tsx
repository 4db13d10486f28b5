import { useCallback, useEffect, useMemo, useState } from 'react';
import { AppView } from './app-view.js';
import { DraftsProvider } from './composer/drafts.js';
import { useLink, useMaybeWorkspace, useWorkspace } from './connection/connection.js';
import { presentOf } from './connection/workspace.js';
import { ChannelHead } from './conversation/channel-head.js';
import { Conversation, ThreadPanel } from './conversation/conversation.js';
import { RefusalBanner } from './conversation/refusals.js';
import { Inspector } from './inspector.js';
import { ConfirmProvider } from './modal/confirm.js';
import { ModalStack } from './modal/modal.js';
import {
  inspectorIsOpen,
  locationHash,
  type Place,
  parseLocationHash,
  storeInspectorOpen,
  useTheme,
} from './parts/settings.js';
import { ToastProvider } from './parts/toasts.js';
import { Sidebar } from './sidebar.js';
import { type Directory, DirectoryProvider } from './text/directory.js';
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
  const link = useLink();
  return (
    <p className="connecting" role="status">
      {link === 'lost' ? 'The playground is not answering. Trying again…' : 'Opening the playground…'}
    </p>
  );
}

interface Thread {
  readonly channel: string;
  readonly ts: string;
}

function Shell({ theme, switchTheme }: Pick<React.ComponentProps<typeof TopBar>, 'theme' | 'switchTheme'>) {
  const workspace = useWorkspace();
  const [chosen, setChosen] = useState<Place | undefined>(() => parseLocationHash(location.hash.slice(1)));
  const [thread, setThread] = useState<Thread>();
  const [inspecting, setInspecting] = useState(inspectorIsOpen);
  const go = useCallback((next: Place) => {
    setChosen(next);
    setThread(undefined);
    history.replaceState(null, '', `#${locationHash(next)}`);
  }, []);
  const openThread = useCallback((channel: string, ts: string) => setThread({ channel, ts }), []);
  const closeThread = useCallback(() => setThread(undefined), []);
  const toggleInspector = useCallback(() => {
    setInspecting((open) => {
      storeInspectorOpen(!open);
      return !open;
    });
  }, []);
  const directory = useDirectoryOf(go);

  // A person who cannot see the chosen channel looks at the first one instead.
  const visible = chosen?.kind === 'channel' && !workspace.channels.has(chosen.channel) ? undefined : chosen;
  const place: Place = visible ?? { kind: 'channel', channel: workspace.openChannel };
  const channel = place.kind === 'channel' ? workspace.channels.get(place.channel) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person has other threads.
  useEffect(closeThread, [workspace.me]);
  return (
    <DirectoryProvider value={directory}>
      <ConfirmProvider>
        <div className="shell">
          <TopBar
            theme={theme}
            switchTheme={switchTheme}
            inspecting={inspecting}
            toggleInspector={toggleInspector}
          />
          <LinkLost />
          <div className="columns">
            <Sidebar place={place} go={go} />
            {place.kind === 'app' ? (
              <AppView key={workspace.me} tab={place.tab} go={go} openThread={openThread} />
            ) : (
              <main className="conversation" aria-label={channel?.name ?? 'Channel'}>
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
              <div className="side">
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

function LinkLost() {
  const link = useLink();
  if (link !== 'lost') return null;
  return (
    <p className="link-lost" role="alert">
      The playground is not answering. The page tries again by itself.
    </p>
  );
}

function useDirectoryOf(go: (place: Place) => void): Directory {
  const { me, users, channels, clock, clockCameAt } = useWorkspace();
  return useMemo(() => {
    const myself = users.get(me);
    if (!myself) throw new Error(`The server speaks for ${me}, whom it does not list.`);
    return {
      me: myself,
      users,
      channels,
      zone: myself.zone,
      now: () => presentOf({ clock, clockCameAt }, Date.now()),
      openChannel: (channel) => go({ kind: 'channel', channel }),
    };
  }, [me, users, channels, clock, clockCameAt, go]);
}
