import type { AddressInfo } from 'node:net';
import { yieldToEventLoop } from './event-loop.js';
import { type Faults, noFaults } from './faults.js';
import { exportFolder } from './files/export-folder.js';
import { loadFolder } from './files/load-folder.js';
import { generateWorld, type WorldSize } from './generator/generate.js';
import type { CastMember } from './generator/people.js';
import { type AuthScheme, reportServer } from './server.js';
import type { FilterBy } from './sql/statement.js';
import { type FillWorld, openSavedWorld, temporaryWorld, type World, writeWorldSize } from './world/world.js';
import { worldWriter } from './world/writer.js';

/** The default token. It protects only made-up data on this machine. */
export const defaultToken = 'rollcall-sandbox-token';

/** Milliseconds that answers in flight have to end when the service stops. */
const stopTimeoutMs = 1000;

export interface ReportingServiceOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly token?: string;
  readonly auth?: AuthScheme;
  /** People in the generated organization. Default: 400. */
  readonly learners?: number;
  /** Another seed generates another organization. Default: 1. */
  readonly seed?: number;
  /** People with known names in the generated organization. Not for an organization in `keep`. */
  readonly cast?: readonly CastMember[];
  /** Milliseconds since the epoch. It may advance. Answers contain nothing later, except plans. */
  readonly now?: () => number;
  readonly filterBy?: FilterBy;
  /** A folder of CSV files to load instead of generating. */
  readonly data?: string;
  /** A folder for an export of the organization as CSV files. */
  readonly exportTo?: string;
  /** A file that stores the generated organization for the next start. */
  readonly keep?: string;
  /** Days that a stored organization is reused after its own day. Default: 0. */
  readonly keepDays?: number;
  /** Injected failures. The object may be changed while the service runs. */
  readonly faults?: Faults;
  /** Called with unexpected errors. Their requests get a 500. */
  readonly onFailure?: (error: unknown) => void;
  /** True: the start does not wait for the data. Requests do, and `onFailure` gets what goes wrong. */
  readonly inBackground?: boolean;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
}

export interface RunningReportingService {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * Listens on loopback, and generates or loads the data. Resolves when the service can answer, or, in the
 * background, when it listens.
 *
 * @throws NotASavedWorld, InvalidData, FolderNotEmpty, and errors of listening such as EADDRINUSE
 */
export async function startReportingService(
  options: ReportingServiceOptions = {},
): Promise<RunningReportingService> {
  const { port = 0, token = defaultToken, auth = 'raw', now = Date.now } = options;
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  let making: Promise<World> | undefined;
  let world: World | undefined;
  const { server, idle } = reportServer({
    world: () => world ?? (options.inBackground ? making : undefined),
    token,
    scheme: auth,
    filterBy: options.filterBy ?? 'names',
    now,
    faults: options.faults ?? noFaults(),
    onFailure: options.onFailure ?? (() => {}),
  });
  // Listen first, so that a port in use is reported before the long work.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  async function stop(): Promise<void> {
    stopping.abort();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const forceClose = setTimeout(() => server.closeAllConnections(), stopTimeoutMs);
    await closed;
    clearTimeout(forceClose);
    await idle();
    await making?.catch(() => {});
    await world?.remove();
  }
  async function makeAndExport(): Promise<World> {
    world = await makeWorld({ ...options, signal }, Math.floor(now() / 1000));
    if (options.exportTo !== undefined) await exportFolder(options.exportTo, world, signal);
    return world;
  }
  making = makeAndExport();
  if (options.inBackground) {
    making.catch((error: unknown) => {
      if (!signal.aborted) options.onFailure?.(error);
    });
  } else {
    try {
      await making;
    } catch (error) {
      await stop();
      throw error;
    }
  }
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function makeWorld(options: ReportingServiceOptions, now: number): Promise<World> {
  const { data, keep, keepDays = 0, signal } = options;
  const size: WorldSize = { seed: options.seed ?? 1, learners: options.learners ?? 400, now };
  const eventLoop = yieldToEventLoop(signal);
  if (data !== undefined) return temporaryWorld((db) => loadFolder(data, db, eventLoop));
  const generate: FillWorld = async (db) => {
    const writer = worldWriter(db);
    await generateWorld(size, writer, eventLoop, options.cast);
    writer.finish();
    writeWorldSize(db, size);
  };
  return keep === undefined
    ? temporaryWorld(generate)
    : openSavedWorld({ path: keep, size, maxAge: keepDays, fill: generate });
}
