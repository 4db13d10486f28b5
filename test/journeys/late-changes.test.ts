import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { answer, type Behaviour, openFaultServer } from '../reporting-api/fault-server.js';
import { sqlOn } from '../store/fresh-folder.js';
import { testWorkspace } from './test-workspace.js';
import { isSummary, newIn } from './watching.js';

const token = 'a-token';
const people = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => ({ sessions: 1, email: `p${i}@example.com` })));

/** Resolves once the period before may be read. */
let mayRead: Promise<void> = Promise.resolve();
let open = () => {};
/** How often it was asked for. */
let asked = 0;

function holdPeriodBefore(): void {
  mayRead = new Promise((resolve) => {
    open = resolve;
  });
}

/** Requests are about a fixed day, at any hour of any day. What begins earlier is the period before. */
const day = '2026-03-05';
const dayBegins = Date.parse('2026-03-04T23:00Z');

const slowly: Behaviour = async (response, socket) => {
  const [, from = ''] = /\/(\d+)\/\d+$/.exec(response.req.url ?? '') ?? [];
  const isBefore = Number(from) * 1000 < dayBegins;
  if (isBefore) {
    asked += 1;
    await mayRead;
  }
  await answer(people(isBefore ? 4 : 6))(response, socket);
};

async function slowService() {
  const service = await openFaultServer();
  service.always(slowly);
  return { url: service.url, token };
}

describe('an answer whose period before takes long', () => {
  const work = testWorkspace(() => ({
    ownProcess: true,
    service: slowService,
    environment: { REPORTING_PARALLEL: '2' },
  }));
  const buttonsOf = ({ blocks }: SeenMessage) =>
    blocks.flatMap(({ elements = [], type }) => (type === 'actions' ? elements : []));
  const summary = isSummary('Engagement');
  const summaries = () => work().slack.messages('#learning').filter(summary);

  it('is there without changes, and has them once they are known, like its details', async () => {
    const { slack } = work();
    holdPeriodBefore();
    const ask = () => slack.as('ada').command(`/report engagement ${day}`, '#learning');
    const first = await newIn(work(), '#learning', ask, summary);
    expect(asked).toBe(1);
    expect(first.text).not.toMatch(/compared|coming|changes/i);
    expect(first.text).toContain(`/report engagement ${day}`);
    await slack.as('ada').click(first, 'Details');
    open();
    const edited = await slack.waitForMessage(
      '#learning',
      ({ ts, text }) => ts === first.ts && /Compared with/.test(text),
    );
    expect(edited.text).toContain('up 2 from 4');
    expect(buttonsOf(edited)).toEqual(buttonsOf(first));
    const details = await slack.waitForMessage('#learning', ({ threadTs }) => threadTs === first.ts);
    expect(details.words).toContain('up 2 from 4');
    expect(summaries()).toHaveLength(1);
  });

  it.each([
    ['killed', 'SIGKILL', 'Sales'],
    ['stopped', 'SIGTERM', 'Support'],
  ] as const)('stays as it is if its process is %s before that', async (_how, signal, department) => {
    const { slack } = work();
    holdPeriodBefore();
    const before = asked;
    const earlier = summaries().length;
    const words = `/report engagement ${day} departments:${department}`;
    const ask = () => slack.as('ada').command(words, '#learning');
    const first = await newIn(work(), '#learning', ask, summary);
    await expect.poll(() => asked).toBe(before + 1);
    const posted = `SELECT id FROM posts WHERE state = 'posted' AND message_ts = '${first.ts}'`;
    await expect.poll(() => sqlOn(join(work().folder, 'rollcall.db'), posted)).toHaveLength(1);
    work().bot.signal(signal);
    await work().bot.ended;
    open();
    await work().restart();
    await newIn(work(), '#learning', ask, summary);
    expect(summaries()).toHaveLength(earlier + 2);
    expect(summaries().find(({ ts }) => ts === first.ts)?.text).toBe(first.text);
    // Nobody is told about an answer that arrived.
    expect(slack.messages('@ada')).toEqual([]);
  });
});
