import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isValidSlackRequest } from '@slack/bolt';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSlack, startHttpBot } from './test-bot.js';

/** A bot by hand, which keeps what it hears and answers as the test says. */
async function listen(
  answer: (
    request: IncomingMessage,
    body: string,
  ) => { status: number; body?: string; headers?: Record<string, string> } | undefined,
) {
  const heard: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    if (body.includes('url_verification')) return response.end(JSON.parse(body).challenge);
    heard.push({ headers: request.headers, body });
    const said = answer(request, body);
    if (said) response.writeHead(said.status, said.headers).end(said.body ?? '');
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

describe('signed HTTP', () => {
  test('a real receiver gets commands, clicks and events, and its answers arrive', async () => {
    const slack = await openSlack();
    const events: string[] = [];
    await startHttpBot(slack, (app) => {
      app.command('/report', async ({ ack }) =>
        ack({
          text: 'Pick',
          blocks: [
            {
              type: 'actions',
              elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }],
            },
          ],
        }),
      );
      app.action('go', async ({ ack, respond }) => {
        await ack();
        await respond({ text: 'Gone', replace_original: true });
      });
      app.event('app_mention', async ({ event }) => void events.push(event.text));
    });
    const ada = slack.as('ada');
    await ada.command('/report', '#learning');
    await ada.click(await slack.waitForMessage('#learning', 'Pick'), 'Go');
    expect(await slack.waitForMessage('#learning', 'Gone')).toMatchObject({
      visibleTo: 'U00ADA0001',
      blocks: [],
    });
    ada.message('@rollcall help', '#learning');
    await slack.waitFor(() => events.length === 1);
    expect(events).toEqual(['<@U00ROLLCAL> help']);
  });

  test('a URL that does not answer the challenge is refused', async () => {
    const slack = await openSlack();
    await startHttpBot(slack, () => {});
    await expect(slack.deliverTo(`${slack.url}/nowhere`)).rejects.toThrow('challenge');
  });

  test('the bot refuses a wrong secret', async () => {
    const slack = await openSlack({ signingSecret: 'one' });
    const bot = await listen(() => ({ status: 200 }));
    await slack.deliverTo(bot.url);
    await slack.as('ada').command('/report', '#learning');
    const [{ headers, body } = { headers: {}, body: '' }] = bot.heard;
    const signed = {
      'x-slack-signature': String(headers['x-slack-signature']),
      'x-slack-request-timestamp': Number(headers['x-slack-request-timestamp']),
    };
    expect(isValidSlackRequest({ signingSecret: 'one', body, headers: signed })).toBe(true);
    expect(isValidSlackRequest({ signingSecret: 'two', body, headers: signed })).toBe(false);
  });

  test.each([
    ['a status that is not 200', 500, 3000, 'dispatch_failed'],
    ['silence', undefined, 100, 'operation_timeout'],
  ])('%s is told to the person', async (_what, status, ackMs, error) => {
    const bot = await listen(() => (status ? { status } : undefined));
    const slack = await openSlack({ ackMs });
    await slack.deliverTo(bot.url);
    await slack.as('ada').command('/report', '#learning');
    expect(slack.messages('#learning').map((one) => one.text)).toEqual([
      `/report failed with the error "${error}"`,
    ]);
    expect(bot.heard).toHaveLength(1);
  });

  test('events are retried with their headers, unless the bot forbids it', async () => {
    const bot = await listen((request) => {
      const last = request.headers['x-slack-retry-num'] === '2';
      return { status: 503, ...(last && { headers: { 'x-slack-no-retry': '1' } }) };
    });
    const slack = await openSlack({ eventRetryDelays: [0, 10, 10] });
    await slack.deliverTo(bot.url);
    slack.as('ada').message('@rollcall help', '#learning');
    await slack.waitFor(() => bot.heard.length === 3);
    await slack.settled();
    expect(
      bot.heard.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']]),
    ).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
    ]);
  });
});
