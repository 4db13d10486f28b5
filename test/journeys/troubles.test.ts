import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  answer,
  cut,
  type FaultServer,
  openFaultServer,
  pieces,
  silent,
  status,
} from '../reporting-api/fault-server.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

let service: FaultServer;
const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: '*', REPORTING_TIMEOUT_SECONDS: '1' },
  service: async () => {
    service = await openFaultServer();
    return { url: service.url, token: 'a-token' };
  },
}));
afterAll(() => service.close());

const records = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, i) => ({ sessions: i % 3, departments: ['Sales'], email: `p${i}@x` })),
  );

function ask(command = '/report engagement last-week csv', who = 'ada') {
  return newIn(
    work(),
    '#learning',
    () => work().slack.as(who).command(command, '#learning'),
    isPrivate,
    15_000,
  );
}

let asked = 0;

/** A command with a range that no test has asked for: equal queries within ten seconds are sent once. */
function engagement(): string {
  asked += 1;
  return `/report engagement last-${100 + asked}-days`;
}

/** Everything that the bot keeps of answers on disk, but for what equal queries may still get. */
function filesLeft(): readonly string[] {
  return readdirSync(join(work().folder, 'answers'), { recursive: true })
    .map(String)
    .filter((name) => name.includes('.') && !name.endsWith('.lock') && !name.endsWith('.shared'));
}

describe('a service that fails', () => {
  it.each([
    ['an error with JSON', status(400, { message: 'unknown member: departmints' }), 'departmints'],
    ['an error with HTML', status(500, '<html><b>Oops</b></html>'), 'status 500'],
    ['a refused token', status(401), 'REPORTING_API_TOKEN'],
    ['a wrong address', status(404, 'nope'), 'REPORTING_BASE_URL'],
    ['a redirect', status(302, '', { location: 'http://127.0.0.1:1/' }), 'redirected me'],
    ['an object instead of an array', answer('{"error":"no"}'), 'not a list of records'],
    ['elements that are not objects', answer('[{"sessions":1},2]'), 'record 2'],
    ['no JSON at all', answer('<html>'), 'not JSON'],
    ['an answer followed by more', answer(`${records(3)} and more`), 'continues after its end'],
    ['silence before the first byte', silent, 'sent no data for 1 second'],
    ['silence within the answer', pieces('[{"sessions":1},'), 'sent no data for 1 second'],
  ])('%s: one clear sentence to the asker, and nothing else', async (_what, behaviour, words) => {
    service.behave(behaviour);
    const seenByAll = () =>
      work()
        .slack.messages('#learning')
        .filter((message) => !isPrivate(message)).length;
    const before = seenByAll();
    const reply = await ask();
    expect(reply.words).toContain(words);
    expect(reply.words).not.toMatch(/<html|Oops|a-token/);
    await work().slack.settled();
    expect(seenByAll()).toBe(before);
    await work().slack.waitFor(() => filesLeft().length === 0);
  });

  it('an answer cut short is asked for again, and then told', async () => {
    service.behave(cut('[{"sessions":1},{"sess'), answer(records(3)), answer(records(2)));
    const summary = await newIn(
      work(),
      '#learning',
      () => work().slack.as('ada').command(engagement(), '#learning'),
      isSummary('Engagement'),
      10_000,
    );
    expect(summary.text).toContain('3 people');
  });

  it('a period before that fails leaves the answer as it is, and says so', async () => {
    service.behave(answer(records(5)), status(500));
    const summary = await newIn(
      work(),
      '#learning',
      () => work().slack.as('ada').command(engagement(), '#learning'),
      isSummary('Engagement'),
      10_000,
    );
    expect(summary.words).toMatch(/before/i);
  });
});

describe('a run that takes long', () => {
  /** Sends records for as long as it is let, then the end. */
  function slowly(until: Promise<void>) {
    return async (response: Parameters<ReturnType<typeof answer>>[0]) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('[{"sessions":1,"departments":"Sales"}');
      const pulse = setInterval(() => response.write(',{"sessions":2,"departments":"Sales"}'), 200);
      response.on('close', () => clearInterval(pulse));
      await until;
      clearInterval(pulse);
      if (response.writable) response.end(']');
    };
  }

  it('shows how far it is, and the answer takes its place', async () => {
    let finish = () => {};
    service.behave(
      slowly(
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
      ),
      answer(records(2)),
    );
    const { slack } = work();
    const progress = await newIn(
      work(),
      '#learning',
      () => slack.as('ada').command(engagement(), '#learning'),
      (message) => message.says('records so far') || message.says('Waiting for the Reporting Service'),
      8000,
    );
    await slack.waitFor(
      () =>
        slack
          .messages('#learning')
          .find(({ ts, text }) => ts === progress.ts && /\d+ records so far/.test(text)),
      8000,
    );
    finish();
    const summary = await slack.waitFor(
      () =>
        slack.messages('#learning').find((message) => message.ts === progress.ts && message.says('% active')),
      8000,
    );
    expect(summary.words).not.toContain('Cancel');
  }, 30_000);

  it('stops when Cancel is pressed by the one who asked, and nobody else', async () => {
    service.behave(slowly(new Promise<void>(() => {})));
    const { slack } = work();
    const progress = await newIn(
      work(),
      '#learning',
      () => slack.as('ada').command(`${engagement()} csv`, '#learning'),
      (message) => message.says('Cancel'),
      8000,
    );
    const refused = await newIn(
      work(),
      '#learning',
      () => slack.as('noah').click(progress, 'Cancel'),
      isPrivate,
    );
    expect(refused.words).toContain('Only the person who asked');
    const told = await newIn(work(), '#learning', () => slack.as('ada').click(progress, 'Cancel'), isPrivate);
    expect(told.words).toContain('Cancelled');
    await service.seen.at(-1)?.disconnected;
    await slack.waitFor(() => !slack.messages('#learning').some(({ ts }) => ts === progress.ts));
    await slack.waitFor(() => filesLeft().length === 0);
  }, 30_000);

  it('shows one ephemeral reply where the bot cannot enter, and answers through the same way', async () => {
    let finish = () => {};
    service.behave(
      slowly(
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
      ),
      answer(records(2)),
    );
    const { slack } = work();
    const progress = await newIn(
      work(),
      '#watercooler',
      () => slack.as('ada').command(engagement(), '#watercooler'),
      isPrivate,
      8000,
    );
    expect(progress.words).toContain('Cancel');
    finish();
    await newIn(work(), '#watercooler', async () => {}, isSummary('Engagement'), 8000);
    expect(slack.messages('#watercooler').find(({ ts }) => ts === progress.ts)?.edited).toBe(false);
  }, 30_000);
});

describe('a Slack that fails', () => {
  const post = (command = engagement()) => work().slack.as('ada').command(command, '#learning');
  const summaries = () => work().slack.messages('#learning').filter(isSummary('Engagement'));

  it('is asked again when it is busy', async () => {
    service.behave(answer(records(2)), answer(records(1)));
    work().slack.faults.set('chat.postMessage', { kind: 'ratelimited', retryAfter: 1 });
    const before = summaries().length;
    await newIn(work(), '#learning', () => post(), isSummary('Engagement'), 8000);
    expect(summaries().length).toBe(before + 1);
  });

  it('is not posted to twice when nobody knows whether it took the answer: a person decides', async () => {
    service.behave(answer(records(2)), answer(records(1)));
    work().slack.faults.set('chat.postMessage', { kind: 'done, then cut' });
    const before = summaries().length;
    const told = await newIn(work(), '#learning', () => post(), isPrivate, 8000);
    expect(told.words).toContain('is unconfirmed');
    expect(told.words).toContain('Send again');
    await work().slack.settled();
    expect(summaries().length).toBe(before + 1);
  });

  it('gets a plainer message when it refuses the blocks', async () => {
    service.behave(answer(records(2)), answer(records(1)));
    work().slack.faults.set('chat.postMessage', { kind: 'error', error: 'invalid_blocks' });
    const summary = await newIn(work(), '#learning', () => post(), isSummary('Engagement'), 8000);
    expect(JSON.stringify(summary.blocks)).not.toContain('data_visualization');
  });

  it('keeps the summary when only the file fails, and says so', async () => {
    service.behave(answer(records(2)), answer(records(1)));
    work().slack.faults.set('upload', { kind: 'status', status: 500 });
    const before = summaries().length;
    const told = await newIn(work(), '#learning', () => post(`${engagement()} csv`), isPrivate, 8000);
    expect(told.words).toContain('file could not be uploaded to Slack');
    expect(summaries().length).toBe(before + 1);
    await work().slack.waitFor(() => filesLeft().length === 0);
  });
});
