import { useEffect, useState } from 'react';
import { BlockList } from './blocks/block-list.js';
import { pageBlocks } from './blocks/page-block.js';
import { SurfaceOfBlocks } from './blocks/surface.js';
import { useConnection, useWorkspace } from './connection/connection.js';
import { Conversation } from './conversation/conversation.js';
import { RefusalBanner } from './conversation/refusals.js';
import { Avatar } from './parts/icons.js';
import type { Place } from './parts/settings.js';

type Tab = 'home' | 'messages';

interface AppViewProps {
  tab: Tab;
  go(place: Place): void;
  openThread(channel: string, ts: string): void;
}

const titles = { home: 'Home', messages: 'Messages' };

/** The app itself: its Home tab, and the direct messages with it. */
export function AppView({ tab, go, openThread }: AppViewProps) {
  const { bot, users, me, channels } = useWorkspace();
  const connection = useConnection();
  const [problem, setProblem] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened anew for each person who looks.
  useEffect(() => {
    let left = false;
    void connection.send({ type: 'open-app', tab }).then((done) => {
      if (!left) setProblem(done.problem);
    });
    return () => {
      left = true;
    };
  }, [connection, tab, me]);
  const direct = [...channels.values()].find(
    (channel) => channel.kind === 'im' && channel.members.includes(bot.user),
  );
  return (
    <main className="conversation" aria-label={bot.name}>
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
              onClick={() => go({ kind: 'app', tab: name })}
              onKeyDown={(event) => {
                if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
                const other = name === 'home' ? 'messages' : 'home';
                go({ kind: 'app', tab: other });
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
        <p>{problem ?? `${bot.name} has published no Home tab for you yet.`}</p>
      </div>
    );
  }
  return (
    <div className="home-tab">
      <SurfaceOfBlocks surface={{ kind: 'view', view: home.id }} blocks={home.blocks} state={home.state}>
        <div className="blocks">
          <BlockList blocks={pageBlocks(home.blocks)} />
        </div>
      </SurfaceOfBlocks>
      {home.failed ? (
        <p className="message-failed" role="alert">
          {home.failed}
        </p>
      ) : null}
    </div>
  );
}
