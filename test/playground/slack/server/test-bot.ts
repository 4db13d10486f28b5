import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import {
  type LocalSlack,
  type LocalSlackOptions,
  startLocalSlack,
} from '../../../../playground/slack/server/local-slack.js';

/** A local Slack that stops with the test. */
export async function openSlack(options: LocalSlackOptions = {}): Promise<LocalSlack> {
  const slack = await startLocalSlack({ rateLimits: 'off', ...options });
  onTestFinished(() => slack.stop());
  return slack;
}

/** A real WebClient that never retries. */
export function clientOf(slack: LocalSlack, token = slack.botToken): WebClient {
  return new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
    logger: quiet,
  });
}

const nothing = () => {};
export const quiet = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => LogLevel.ERROR,
  setName: nothing,
};

/** A real Bolt app over Socket Mode, with the listeners that the test gives it. */
export async function startBot(
  slack: LocalSlack,
  listen: (app: App) => void,
  { clientPingTimeout = 5000 }: { clientPingTimeout?: number } = {},
) {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    clientPingTimeout,
    logger: quiet,
    installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
  });
  const app = new App({
    token: slack.botToken,
    receiver,
    logger: quiet,
    convoStore: false,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
  listen(app);
  await app.start();
  onTestFinished(async () => void (await app.stop()));
  await slack.waitForBot();
  return { app, receiver };
}

/** A real Bolt app behind signed HTTP. */
export async function startHttpBot(slack: LocalSlack, listen: (app: App) => void) {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: quiet });
  const app = new App({
    token: slack.botToken,
    receiver,
    logger: quiet,
    convoStore: false,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } },
  });
  listen(app);
  const server = await app.start({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => void (await app.stop()));
  const address = server && 'address' in server ? server.address() : null;
  if (typeof address !== 'object' || address === null) throw new Error('The bot does not listen.');
  await slack.deliverTo(`http://127.0.0.1:${address.port}/slack/events`);
  return app;
}

/** The error of a call that Slack refuses. */
export async function refusal(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'data' in error)
      return error.data as Record<string, unknown>;
    throw error;
  }
  throw new Error('Slack did not refuse it.');
}
