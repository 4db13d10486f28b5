import { createContext, useContext, useSyncExternalStore } from 'react';
import type {
  Act,
  Done,
  PageChannel,
  PageUser,
  ServerToPage,
  StateValue,
  Surface,
} from '../../server/page-protocol.js';
import { applyUpdate, fromSnapshot, type Workspace, withTyped } from './workspace.js';

export type Link = 'connecting' | 'open' | 'lost';

/** The page's line to the local Slack. It comes back by itself when it breaks. */
export interface Connection {
  subscribe(listener: () => void): () => void;
  /** Undefined until the first snapshot. */
  workspace(): Workspace | undefined;
  link(): Link;
  /** Never rejects: a line that is down answers `ok: false` with a sentence. */
  send(act: Act): Promise<Done>;
  keep(surface: Surface, blockId: string, actionId: string, value: StateValue): void;
}

const waits = [300, 600, 1200, 2500, 5000];

/** `as` is who to be after connecting, given each time a line is opened; undefined: whoever the server chooses. */
export function connect(address: string, as: () => string | undefined): Connection {
  const listeners = new Set<() => void>();
  const waiting = new Map<number, (done: Done) => void>();
  let workspace: Workspace | undefined;
  let link: Link = 'connecting';
  let socket: WebSocket;
  let failures = 0;
  let lastId = 0;

  function changed() {
    for (const listener of listeners) listener();
  }

  function open() {
    socket = new WebSocket(address);
    // True once the snapshot of the right person is here; what comes before is about somebody else.
    let settled = false;
    let asked = false;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as ServerToPage;
      if (message.type === 'done') {
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
        return;
      }
      if (message.type === 'snapshot') {
        const wished = asked ? undefined : as();
        if (wished !== undefined && wished !== message.me && message.users.some(({ id }) => id === wished)) {
          asked = true;
          lastId += 1;
          socket.send(JSON.stringify({ type: 'become', user: wished, id: lastId }));
          return;
        }
        asked = true;
        settled = true;
        failures = 0;
        link = 'open';
        workspace = fromSnapshot(message, Date.now(), workspace);
      } else if (workspace && settled) {
        workspace = applyUpdate(workspace, message, Date.now());
      }
      changed();
    });
    socket.addEventListener('close', () => {
      link = 'lost';
      for (const [id, answer] of waiting) answer(lineIsDown(id));
      waiting.clear();
      changed();
      const wait = waits[Math.min(failures, waits.length - 1)];
      failures += 1;
      setTimeout(open, wait);
    });
  }

  open();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    workspace: () => workspace,
    link: () => link,
    send: (act) => {
      lastId += 1;
      const id = lastId;
      if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(lineIsDown(id));
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ ...act, id }));
      });
    },
    keep: (surface, blockId, actionId, value) => {
      if (!workspace) return;
      workspace = withTyped(workspace, surface, blockId, actionId, value);
      changed();
    },
  };
}

function lineIsDown(id: number): Done {
  return {
    type: 'done',
    id,
    ok: false,
    problem: 'The playground is not answering. Is it still running? The page tries again by itself.',
  };
}

const ConnectionContext = createContext<Connection | undefined>(undefined);

export const ConnectionProvider = ConnectionContext.Provider;

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error('Drawn outside of a ConnectionProvider.');
  return connection;
}

export function useMaybeWorkspace(): Workspace | undefined {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, connection.workspace);
}

/** For everything that is drawn only once there is a workspace. */
export function useWorkspace(): Workspace {
  const workspace = useMaybeWorkspace();
  if (!workspace) throw new Error('Drawn before there was a workspace.');
  return workspace;
}

/** One part of the workspace; what is drawn from it is drawn anew only when that part is another one. */
export function useWorkspacePart<Part>(select: (workspace: Workspace) => Part): Part {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, () => {
    const workspace = connection.workspace();
    if (!workspace) throw new Error('Drawn before there was a workspace.');
    return select(workspace);
  });
}

export function useLink(): Link {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, connection.link);
}

/** Who and what can be named in a text, and whose eyes read it. */
export interface Directory {
  readonly me: PageUser;
  readonly users: ReadonlyMap<string, PageUser>;
  readonly channels: ReadonlyMap<string, PageChannel>;
  /** IANA zone of the one who reads. */
  readonly zone: string;
  /** The workspace's present, in milliseconds since the epoch. */
  now(): number;
  /** Shows a channel or a direct message. */
  openChannel(id: string): void;
}

const DirectoryContext = createContext<Directory | undefined>(undefined);

export const DirectoryProvider = DirectoryContext.Provider;

export function useDirectory(): Directory {
  const directory = useContext(DirectoryContext);
  if (!directory) throw new Error('Drawn outside of a DirectoryProvider.');
  return directory;
}
