import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { createEmulator, type Emulator } from 'emulate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { botScopes } from '../../src/slack/manifest.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { answer, type FaultServer, openFaultServer } from '../reporting-api/fault-server.js';
import { botSettings, eventsUrl, startReadyBot } from './bot-process.js';

/*
 * The same bot against a Slack that somebody else wrote, so that a misreading of Slack that our own one shares shows.
 * It has tokens, scopes, members, triggers and uploads; it delivers nothing by itself, so that commands are signed here.
 */

const botToken = 'xoxb-rollcall';
/** Looks at what the bot did; the bot itself may not. */
const readerToken = 'xoxb-reader';
const secret = 'emulated-signing-secret';
const records = JSON.stringify(
  Array.from({ length: 12 }, (_, i) => ({
    email: `p${i}@example.com`,
    sessions: i,
    views: 2 * i,
    departments: ['Sales'],
  })),
);

let folder: string;
let emulator: Emulator;
let service: FaultServer;
let responses: { server: Server; url: string; heard: Record<string, unknown>[] };
let bot: StartedProcess;
let botUrl: string;
let team: string;
let asker: string;
let channel: string;
let outside: string;
const slack = (token = botToken) =>
  new WebClient(token, { slackApiUrl: `${emulator.url}/api/`, retryConfig: { retries: 0 } });

async function freePort(): Promise<number> {
  const probe = createNetServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-emulated-'));
  const port = await freePort();
  emulator = await createEmulator({
    service: 'slack',
    port,
    hostname: '127.0.0.1',
    baseUrl: `http://127.0.0.1:${port}`,
    seed: {
      slack: {
        users: [{ name: 'ada', real_name: 'Ada Moreau', email: 'ada@example.com' }],
        channels: [{ name: 'learning' }, { name: 'elsewhere' }],
        oauth_apps: [
          {
            client_id: 'rollcall',
            client_secret: 'rollcall',
            name: 'Rollcall',
            redirect_uris: [],
            scopes: [...botScopes],
            bot_id: 'B0ROLLCALL',
            bot_user_id: 'U0ROLLCALL',
            bot_name: 'rollcall',
          },
        ],
        tokens: [
          { token: botToken, user_id: 'U0ROLLCALL', scopes: [...botScopes] },
          { token: readerToken, user_id: 'U0ROLLCALL', scopes: ['channels:history', 'files:read'] },
        ],
        strict_scopes: true,
      },
    },
  });
  const all = await slack().conversations.list({ types: 'public_channel' });
  const idOf = (name: string) => all.channels?.find((each) => each.name === name)?.id ?? '';
  [channel, outside] = [idOf('learning'), idOf('elsewhere')];
  await slack().conversations.join({ channel });
  const found = await slack().users.lookupByEmail({ email: 'ada@example.com' });
  asker = found.user?.id ?? '';
  team = (await slack().auth.test()).team_id ?? '';

  service = await openFaultServer();
  const heard: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      heard.push(JSON.parse(body));
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  responses = { server, heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };

  bot = await startReadyBot(
    {
      ...botSettings(
        { botToken, appToken: '', signingSecret: secret, apiUrl: `${emulator.url}/api/` },
        service,
        join(folder, 'rollcall.db'),
        'http',
      ),
      PERSON_LEVEL_CHANNELS: '*',
    },
    folder,
  );
  botUrl = await eventsUrl(bot);
});

afterAll(async () => {
  bot?.signal('SIGTERM');
  await bot?.ended;
  await endEveryProcess();
  await emulator?.close();
  await service?.close();
  responses?.server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function command(text: string, where: string, trigger = '1.2.3'): Promise<Response> {
  const body = new URLSearchParams({
    command: '/report',
    text,
    user_id: asker,
    user_name: 'ada',
    team_id: team,
    team_domain: 'emulated',
    channel_id: where,
    channel_name: 'somewhere',
    api_app_id: 'A1',
    token: 'old',
    trigger_id: trigger,
    response_url: responses.url,
  }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return fetch(botUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  });
}

async function waitFor<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a Slack that somebody else wrote', () => {
  it('acknowledges at once, posts the summary and puts the file into its thread, byte for byte', async () => {
    service.behave(answer(records), answer('[]'));
    const acknowledged = await command('engagement last-week fields:email,views csv', channel);
    expect(acknowledged.status).toBe(200);
    const summary = await waitFor(async () => {
      const { messages } = await slack(readerToken).conversations.history({ channel });
      return messages?.find(({ text }) => text?.startsWith('Engagement'));
    });
    expect(summary.text).toContain('12 people');
    const file = await waitFor(async () => {
      const { messages } = await slack(readerToken).conversations.replies({ channel, ts: summary.ts ?? '' });
      return messages?.flatMap(({ files }) => files ?? [])[0];
    });
    expect(file.name).toMatch(/^engagement_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv$/);
    const bytes = await fetch(file.url_private ?? '', {
      headers: { authorization: `Bearer ${readerToken}` },
    });
    const lines = (await bytes.text()).split('\r\n');
    expect(lines[0]?.replace('\ufeff', '')).toBe('Email,Views');
    expect(lines.slice(1)).toEqual([
      ...Array.from({ length: 12 }, (_, i) => `p${i}@example.com,${2 * i}`),
      '',
    ]);
  });

  it('gets answers through the response_url where the bot is not a member', async () => {
    service.behave(answer(records), answer('[]'));
    await command('engagement', outside);
    const said = await waitFor(async () =>
      responses.heard.find(({ response_type: type }) => type === 'in_channel'),
    );
    expect(said.text).toMatch(/^Engagement/);
  });

  it('gets the reply to words that are not understood with the acknowledgement', async () => {
    const acknowledged = await command('engagment', channel);
    expect(await acknowledged.json()).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringContaining('engagement'),
    });
  });

  it('opens the form with the trigger of the command, which works once', async () => {
    const made: object = await slack().apiCall('views.generateTriggerId', { user_id: asker });
    const trigger = 'trigger_id' in made ? String(made.trigger_id) : '';
    await command('', channel, trigger);
    // Nothing tells from outside that a view is open, but that its trigger is used up.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const late = slack().views.open({
      trigger_id: trigger,
      view: { type: 'modal', title: { type: 'plain_text', text: 'Late' }, blocks: [] },
    });
    await expect(late).rejects.toThrow(/exchanged_trigger_id/);
  });
});
