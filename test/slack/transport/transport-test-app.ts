import { afterEach } from 'vitest';
import type { SlackConfig } from '../../../src/config/config.js';
import { createLogger } from '../../../src/logging/logger.js';
import { routeTable } from '../../../src/slack/listeners/router.js';
import { allRoutes } from '../../../src/slack/listeners/routes.js';
import { connectToSlack, type SlackConnection } from '../../../src/slack/transport/connect.js';
import type { Delivery } from '../../../src/slack/transport/deliveries.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { realClock } from '../../../src/time/clock.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { type StubSlack, startStubSlack } from './stub-slack.js';

export interface Surroundings {
  slack(): Promise<StubSlack>;
  store(): Promise<Store>;
  connect(
    slack: StubSlack,
    transport: SlackConfig['transport'],
    prepare?: (connection: SlackConnection) => void,
    store?: Store,
  ): Promise<SlackConnection>;
  readonly logged: Record<string, unknown>[];
}

/** Closes everything that a test opens here, in reverse order. */
export function surroundings(): Surroundings {
  const folder = freshFolder();
  const closers: (() => Promise<void>)[] = [];
  const logged: Record<string, unknown>[] = [];
  const log = createLogger({
    level: 'info',
    forPeople: false,
    destination: { write: (line) => logged.push(JSON.parse(line)) },
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    logged.length = 0;
  });
  async function store(): Promise<Store> {
    const opened = await openStore(folder.path('rollcall.db'), Date.now);
    closers.push(() => opened.close());
    return opened;
  }
  return {
    logged,
    store,
    async slack() {
      const slack = await startStubSlack();
      closers.push(() => slack.close());
      return slack;
    },
    async connect(slack, transport, prepare, withStore) {
      const { seenDeliveries, inbox } = withStore ?? (await store());
      const connection = await connectToSlack(
        {
          botToken: 'xoxb-1',
          apiUrl: slack.apiUrl,
          transport,
          signingSecretUnused: false,
          trustEmail: false,
          proxies: { http: process.env.HTTP_PROXY, except: process.env.NO_PROXY },
        },
        {
          log,
          seenDeliveries,
          inbox,
          find,
          membership: { isLost: false },
          hasOthers: async () => false,
          clock: realClock,
          sleep: realClock.sleep,
        },
      );
      closers.push(() => connection.stop());
      prepare?.(connection);
      await connection.start();
      return connection;
    },
  };
}

const find = routeTable(allRoutes());

interface TestCommand extends Pick<Delivery, 'ack'> {
  readonly command: { readonly text: string };
}

/** Handles every delivery as a command. */
export function onCommand(handle: (command: TestCommand) => Promise<void>) {
  return ({ listen }: SlackConnection) =>
    listen(({ body, ack }) => handle({ command: { text: body.text }, ack }));
}

/** Handles every delivery as an event, and acknowledges it first. */
export function onEvent(handle: (event: { readonly event: { readonly text: string } }) => Promise<void>) {
  return ({ listen }: SlackConnection) =>
    listen(async ({ body, ack }) => {
      await ack();
      await handle({ event: body.event });
    });
}

/** Waits until a condition holds, at most for the timeout of the test. */
export async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise((resolve) => setTimeout(resolve, 5));
}
