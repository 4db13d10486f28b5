import { createContext, useContext, useSyncExternalStore } from 'react';
import type {
  ActionResult,
  PageAction,
  PageChannel,
  PageUser,
  ServerMessage,
  StateValue,
  Surface,
} from '../../server/page-protocol.js';
import { applyUpdate, fromSnapshot, type Workspace, withTyped } from './workspace.js';

export type ConnectionStatus = 'connecting' | 'open' | 'lost';

/** The page's connection to the local Slack. It reconnects by itself. */
export interface Connection {
  subscribe(listener: () => void): () => void;
  /** Undefined until the first snapshot. */
  workspace(): Workspace | undefined;
  status(): ConnectionStatus;
  /** Never rejects. Without a connection, the result is `ok: false` with a message. */
  send(action: PageAction): Promise<ActionResult>;
  setTypedValue(surface: Surface, blockId: string, actionId: string, value: StateValue): void;
}

const retryDelaysMs = [300, 600, 1200, 2500, 5000];

/** `preferredUser` is read at each connect: the ID of the person to act as. Default: the server's choice. */
export function connect(address: string, preferredUser: () => string | undefined): Connection {
  const listeners = new Set<() => void>();
  const pendingResults = new Map<number, (done: ActionResult) => void>();
  let workspace: Workspace | undefined;
  let status: ConnectionStatus = 'connecting';
  let socket: WebSocket;
  let failedAttempts = 0;
  let lastId = 0;

  function notify() {
    for (const listener of listeners) listener();
  }

  function open() {
    socket = new WebSocket(address);
    // False until the snapshot of the right person arrives. Earlier updates are about another person.
    let hasSnapshot = false;
    let requestedUser = false;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as ServerMessage;
      if (message.type === 'result') {
        pendingResults.get(message.id)?.(message);
        pendingResults.delete(message.id);
        return;
      }
      if (message.type === 'snapshot') {
        const wantedUser = requestedUser ? undefined : preferredUser();
        if (
          wantedUser !== undefined &&
          wantedUser !== message.me &&
          message.users.some(({ id }) => id === wantedUser)
        ) {
          requestedUser = true;
          lastId += 1;
          socket.send(JSON.stringify({ type: 'switch-user', user: wantedUser, id: lastId }));
          return;
        }
        requestedUser = true;
        hasSnapshot = true;
        failedAttempts = 0;
        status = 'open';
        workspace = fromSnapshot(message, Date.now(), workspace);
      } else if (workspace && hasSnapshot) {
        workspace = applyUpdate(workspace, message, Date.now());
      }
      notify();
    });
    socket.addEventListener('close', () => {
      status = 'lost';
      for (const [id, answer] of pendingResults) answer(notConnectedResult(id));
      pendingResults.clear();
      notify();
      const wait = retryDelaysMs[Math.min(failedAttempts, retryDelaysMs.length - 1)];
      failedAttempts += 1;
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
    status: () => status,
    send: (action) => {
      lastId += 1;
      const id = lastId;
      if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(notConnectedResult(id));
      return new Promise((resolve) => {
        pendingResults.set(id, resolve);
        socket.send(JSON.stringify({ ...action, id }));
      });
    },
    setTypedValue: (surface, blockId, actionId, value) => {
      if (!workspace) return;
      workspace = withTyped(workspace, surface, blockId, actionId, value);
      notify();
    },
  };
}

function notConnectedResult(id: number): ActionResult {
  return {
    type: 'result',
    id,
    ok: false,
    problem: 'The playground is not answering. Check that it is running; the page reconnects by itself.',
  };
}

const ConnectionContext = createContext<Connection | undefined>(undefined);

export const ConnectionProvider = ConnectionContext.Provider;

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error('Rendered outside of a ConnectionProvider.');
  return connection;
}

export function useMaybeWorkspace(): Workspace | undefined {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, connection.workspace);
}

/** The state, for components that render only after the first snapshot. */
export function useWorkspace(): Workspace {
  const workspace = useMaybeWorkspace();
  if (!workspace) throw new Error('Rendered before the first snapshot.');
  return workspace;
}

/** A part of the state. The component renders again only when that part changes. */
export function useWorkspacePart<Part>(select: (workspace: Workspace) => Part): Part {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, () => {
    const workspace = connection.workspace();
    if (!workspace) throw new Error('Rendered before the first snapshot.');
    return select(workspace);
  });
}

export function useConnectionStatus(): ConnectionStatus {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, connection.status);
}

/** The users and channels that texts mention, and the reader. */
export interface Directory {
  readonly me: PageUser;
  readonly users: ReadonlyMap<string, PageUser>;
  readonly channels: ReadonlyMap<string, PageChannel>;
  /** IANA time zone of the reader. */
  readonly zone: string;
  /** The workspace's time now, in milliseconds since the epoch. */
  now(): number;
  /** Shows a channel or a direct message. */
  openChannel(id: string): void;
}

const DirectoryContext = createContext<Directory | undefined>(undefined);

export const DirectoryProvider = DirectoryContext.Provider;

export function useDirectory(): Directory {
  const directory = useContext(DirectoryContext);
  if (!directory) throw new Error('Rendered outside of a DirectoryProvider.');
  return directory;
}
