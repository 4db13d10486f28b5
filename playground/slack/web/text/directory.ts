import { createContext, useContext } from 'react';
import type { PageChannel, PageUser } from '../../server/page-protocol.js';

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

/** Slack's own voice is nobody that one can pick. */
export function isSomebody(user: PageUser): boolean {
  return user.handle !== 'slackbot';
}

export function useDirectory(): Directory {
  const directory = useContext(DirectoryContext);
  if (!directory) throw new Error('Drawn outside of a DirectoryProvider.');
  return directory;
}
