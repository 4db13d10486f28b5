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

/** The page's line to the local Slack. It comes back by itself when it breaks. */
export interface Connection {
  subscribe(listener: () => void): () => void;
  /** Undefined until the first snapshot. */
  workspace(): Workspace | undefined;
  status(): ConnectionStatus;
  /** Never rejects: a line that is down answers `ok: false` with a sentence. */
  send(action: PageAction): Promise<ActionResult>;
  setTypedValue(surface: Surface, blockId: string, actionId: string, value: StateValue): void;
}

const retryDelaysMs = [300, 600, 1200, 2500, 5000];

/** `as` is who to be after connecting, given each time a line is opened; undefined: whoever the server chooses. */
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
    // True once the snapshot of the right person is here; what comes before is about somebody else.
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

export function useConnectionStatus(): ConnectionStatus {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, connection.status);
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
