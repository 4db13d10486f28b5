import type { AddressInfo } from 'node:net';
import type { AuthScheme } from './authorization.js';
import { generateWorld } from './generator/generate.js';
import { reportServer } from './server.js';
import type { FilterBy } from './sql/filters.js';
import { startTurns } from './turns.js';
import { temporaryWorld } from './world/world.js';

/** The token when none is chosen: it guards made-up data on this machine. */
export const defaultToken = 'rollcall-sandbox-token';

export interface ReportingServiceOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly token?: string;
  readonly auth?: AuthScheme;
  /** People in the generated world. */
  readonly learners?: number;
  readonly seed?: number;
  /** Milliseconds since the epoch. It may move on: nothing later shows in an answer, but plans. */
  readonly now?: () => number;
  readonly filterBy?: FilterBy;
}

export interface RunningReportingService {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** Makes the world and listens on loopback. The world is anchored to the day on which it is made. */
export async function startReportingService(
  options: ReportingServiceOptions = {},
): Promise<RunningReportingService> {
  const { port = 0, token = defaultToken, auth = 'raw', learners = 400, seed = 1, now = Date.now } = options;
  const anchor = Math.floor(now() / 1000);
  const world = await temporaryWorld((writer) =>
    generateWorld({ seed, learners, now: anchor }, writer, startTurns()),
  );
  const server = reportServer({ world, token, scheme: auth, filterBy: options.filterBy ?? 'names', now });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    await world.remove();
    throw error;
  }
  const address = server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await world.remove();
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    token,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
