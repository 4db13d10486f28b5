import { useEffect, useState } from 'react';
import { BlockList } from './blocks/block-list.js';
import { pageBlocks } from './blocks/page-block.js';
import { BlockSurface } from './blocks/surface.js';
import { useConnection, useWorkspace } from './connection/connection.js';
import { Conversation } from './conversation/conversation.js';
import { RefusalBanner } from './conversation/message-list.js';
import { Avatar } from './parts/icons.js';
import type { Route } from './parts/settings.js';

type Tab = 'home' | 'messages';

interface AppViewProps {
  tab: Tab;
  navigate(route: Route): void;
  openThread(channel: string, ts: string): void;
  /** True while the drawer covers it. */
  inert: boolean;
}

const titles = { home: 'Home', messages: 'Messages' };

/** Rollcall's own place: its Home tab and its Messages tab. */
export function AppView({ tab, navigate, openThread, inert }: AppViewProps) {
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
        {tab === 'home' && <HomeTab problem={problem} />}
        {tab !== 'home' && direct && (
          <Conversation key={direct.id} channel={direct} openThread={openThread} />
        )}
        {tab !== 'home' && !direct && <p className="panel-empty">{problem ?? 'Opening…'}</p>}
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
