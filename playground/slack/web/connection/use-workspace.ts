import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Connection, Link } from './connection.js';
import type { Workspace } from './workspace.js';

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
