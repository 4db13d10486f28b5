import { describe, expect, test } from 'vitest';
import { clientOf, openSlack } from './test-bot.js';

const post = { channel: 'C00LEARN01', text: 'Hello' };

describe('faults of calls', () => {
  test.each([
    ['done, then cut', { kind: 'done, then cut' }, 1, { code: 'slack_webapi_request_error' }],
    ['cut before', { kind: 'cut' }, 0, { code: 'slack_webapi_request_error' }],
    ['503, nothing done', { kind: 'status', status: 503 }, 0, { statusCode: 503 }],
    ['500, but done', { kind: 'status', status: 500, done: true }, 1, { statusCode: 500 }],
    ['429', { kind: 'ratelimited', retryAfter: 7 }, 0, { retryAfter: 7 }],
    ['an error', { kind: 'error', error: 'fatal_error' }, 0, { data: { error: 'fatal_error' } }],
    [
      'an error, but done',
      { kind: 'error', error: 'internal_error', done: true },
      1,
      { data: { error: 'internal_error' } },
    ],
  ] as const)('%s', async (_what, fault, recorded, thrown) => {
    const slack = await openSlack();
    slack.faults.set('chat.postMessage', fault);
    await expect(clientOf(slack).chat.postMessage(post)).rejects.toMatchObject(thrown);
    expect(slack.posts).toHaveLength(recorded);
    expect(slack.posts.map((one) => one.answered)).toEqual(Array(recorded).fill(false));
    await clientOf(slack).chat.postMessage(post);
    expect(slack.posts).toHaveLength(recorded + 1);
    expect(slack.posts.at(-1)?.answered).toBe(true);
  });

  test('slow, or never answered', async () => {
    const slack = await openSlack();
    slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 60 });
    const before = performance.now();
    await clientOf(slack).chat.postMessage(post);
    expect(performance.now() - before).toBeGreaterThan(55);
    slack.faults.set('chat.postMessage', { kind: 'done, then silent' });
    const giveUp = new AbortController();
    const answer = fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${slack.botToken}` },
      body: JSON.stringify(post),
      signal: giveUp.signal,
    });
    const ending = expect(answer).rejects.toThrow('aborted');
    await slack.waitFor(() => slack.posts.length === 2);
    giveUp.abort();
    await ending;
    expect(slack.posts.map((one) => one.answered)).toEqual([true, false]);
  });

  test('several times, and only for some calls', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    slack.faults.set('users.info', { kind: 'cut' }, { times: 2, when: (args) => args.user === 'U00ADA0001' });
    await client.users.info({ user: 'U00NOAH001' });
    for (let index = 0; index < 2; index += 1)
      await expect(client.users.info({ user: 'U00ADA0001' })).rejects.toThrow();
    await client.users.info({ user: 'U00ADA0001' });
    slack.faults.set('users.info', { kind: 'cut' });
    slack.faults.clear();
    await client.users.info({ user: 'U00ADA0001' });
  });

  test('an upload that is cut or refused', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { upload_url: url } = await client.files.getUploadURLExternal({ filename: 'a.csv', length: 1 });
    slack.faults.set('upload', { kind: 'status', status: 500 });
    expect((await fetch(String(url), { method: 'POST', body: 'x' })).status).toBe(500);
    slack.faults.set('upload', { kind: 'cut' });
    await expect(fetch(String(url), { method: 'POST', body: 'x' })).rejects.toThrow();
    expect((await fetch(String(url), { method: 'POST', body: 'x' })).status).toBe(200);
  });
});
