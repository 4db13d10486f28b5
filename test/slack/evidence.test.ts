import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkEvidence } from '../../src/evidence/verify-evidence.js';
import { randomId } from '../../src/logging/logger.js';
import { minFreeBytes } from '../../src/reporting-api/answer/answer-file.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { type AnswerParts, answerRequest } from '../../src/slack/answers/answer-request.js';
import { editBudget } from '../../src/slack/answers/progress.js';
import { runningRequests } from '../../src/slack/answers/running-requests.js';
import { notifyInterrupted } from '../../src/slack/answers/take-over.js';
import { openAnswerFiles } from '../../src/slack/delivery/upload.js';
import { ada, type DigestTestWorkspace, learning, openTestWorkspace } from '../digests/test-workspace.js';
import { answer } from '../reporting-api/fault-server.js';
import { smallDisk } from '../small-disk.js';

const request: ReportRequest = {
  ...plainRequest('engagement'),
  range: 'last-month',
  file: 'evidence',
  toMe: true,
};
const member = { id: ada, zone: 'Europe/Berlin', email: 'ada@example.com' };

const rowsOf = (...managers: readonly string[]) =>
  JSON.stringify(
    managers.map((manager, n) => ({
      userid: `u${n}`,
      email: `learner${n}@example.com`,
      manager_email: manager,
      sessions: 1,
    })),
  );

/** A workspace whose service has these rows, and the parts that answer in it. */
async function open(rows = rowsOf('ada@example.com'), more: Partial<AnswerParts> = {}) {
  const work = await openTestWorkspace({ usual: answer(rows) });
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-evidence-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const parts: AnswerParts = {
    ...work.parts,
    files: await openAnswerFiles(folder),
    edits: editBudget(30, () => performance.now()),
    running: runningRequests(),
    asksPurpose: false,
    log: { info() {}, warn() {}, error() {} },
    requestsChanged() {},
    handOver: async () => false,
    ended() {},
    ...more,
  };
  return { work, parts, folder };
}

const ask = (parts: AnswerParts, asked: ReportRequest = request, requestId = randomId()) =>
  answerRequest(asked, { channel: learning, asker: ada, member, requestId }, parts);

/** The parts, where something happens once the record has the first event, before anything more is written. */
function atFirstEvent(parts: AnswerParts, happens: () => unknown): AnswerParts {
  const { evidence } = parts.store;
  const linkAt: typeof evidence.linkAt = async (seq) => {
    await happens();
    return evidence.linkAt(seq);
  };
  return { ...parts, store: { ...parts.store, evidence: { ...evidence, linkAt } } };
}

const kindsIn = async ({ store }: DigestTestWorkspace) =>
  (await store.events.oldest({}, 50)).map(({ kind }) => kind);
const filesIn = ({ slack }: DigestTestWorkspace) => slack.posts.flatMap(({ files }) => files);
const wordsToAda = ({ slack }: DigestTestWorkspace) =>
  [...slack.messages('@ada'), ...slack.messages('#learning')].map(({ words }) => words).join('\n');
/** Without what equal questions share for some seconds. */
const spooled = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.rows(?!.*\.shared)/.test(name),
  );

describe('evidence that does not become whole', () => {
  it('is recorded as failed where it is cancelled after its first event, and nothing is sent or left', async () => {
    const { work, parts, folder } = await open();
    const id = randomId();
    await ask(
      atFirstEvent(parts, () => expect(parts.running.cancel(id, ada)).toBeTruthy()),
      request,
      id,
    );
    expect(await kindsIn(work)).toEqual(['asked', 'evidence-made', 'upload-failed']);
    expect(filesIn(work)).toEqual([]);
    expect(spooled(folder)).toEqual([]);
  });

  it('is recorded as failed at the next start where its process was killed, once, and told', async () => {
    const { work, parts, folder } = await open();
    // The process ends there: nothing after it is ever done.
    let reached = () => {};
    const killed = new Promise<void>((resolve) => {
      reached = resolve;
    });
    let end = () => {};
    const ended = new Promise<void>((_resolve, reject) => {
      end = () => reject(new Error('The test has ended'));
    });
    const asking = ask(
      atFirstEvent(parts, () => {
        reached();
        return ended;
      }),
    );
    await killed;
    expect(await kindsIn(work)).toEqual(['asked', 'evidence-made']);
    expect(spooled(folder).some((name) => name.endsWith('.zip'))).toBe(true);

    const left = await work.store.requestLog.interrupted();
    await notifyInterrupted(left, parts);
    await notifyInterrupted(left, parts);
    expect(await kindsIn(work)).toEqual(['asked', 'evidence-made', 'upload-failed']);
    expect(filesIn(work)).toEqual([]);
    const words = wordsToAda(work);
    expect(words).toContain('I restarted before sending the file of');
    expect(words).toContain('Run it now');
    expect(words).not.toContain('press CSV');
    expect((await work.store.events.verify()).problems).toEqual([]);
    // This process lives on, so it closes what is open.
    end();
    await asking;
  });

  const disk = smallDisk(minFreeBytes + 8 * 1024 * 1024);
  it.skipIf(!disk)('is recorded as failed where the disk fills up, and leaves no file', async () => {
    const at = disk?.path('answers') ?? '';
    onTestFinished(() => disk?.remove());
    const { work, parts } = await open(rowsOf('ada@example.com'), { files: await openAnswerFiles(at) });
    await ask(atFirstEvent(parts, () => disk?.fill()));
    expect(await kindsIn(work)).toEqual(['asked', 'evidence-made', 'upload-failed']);
    expect(filesIn(work)).toEqual([]);
    expect(wordsToAda(work)).toMatch(/disk|space|full/i);
    expect(spooled(at)).toEqual([]);
  });
});

describe('evidence at the level “team”', () => {
  const accessOf = async () => ({ level: 'team', address: 'ada@example.com' }) as const;
  const team = { access: { accessOf } };

  it('is about direct reports alone, and says so', async () => {
    const { work, parts, folder } = await open(rowsOf('ada@example.com', 'ada@example.com'), team);
    await ask(parts);
    const [file] = filesIn(work);
    const path = join(folder, 'sent.zip');
    writeFileSync(path, await work.slack.fileBytes(file ?? ''));
    expect(await checkEvidence(path)).toMatchObject({ container: 'as-made' });
    const files = unzipSync(await work.slack.fileBytes(file ?? ''));
    const text = (name: string) => Buffer.from(files[name] ?? []).toString('utf8');
    expect(JSON.parse(text('request.json'))).toMatchObject({
      level: 'team',
      rowsOf: 'their team',
      people: 2,
      queries: [{ body: { user_filter: { manager_email: 'ada@example.com' } } }],
    });
    expect(text('exceptions.txt')).toContain('Limited to the team of the person who asked.');
  });

  it('is refused, and not recorded, where a row is of others', async () => {
    const { work, parts } = await open(rowsOf('ada@example.com', 'noah@example.com'), team);
    await ask(parts);
    expect(await kindsIn(work)).toEqual(['asked']);
    expect(filesIn(work)).toEqual([]);
    expect(wordsToAda(work)).not.toContain('learner');
  });
});

it('asks for the purpose of evidence before it makes any', async () => {
  const { work, parts, folder } = await open(rowsOf('ada@example.com'), { asksPurpose: true });
  await ask(parts);
  expect(filesIn(work)).toEqual([]);
  expect(await kindsIn(work)).not.toContain('evidence-made');
  expect(existsSync(folder) && spooled(folder)).toEqual([]);
  await ask(parts, { ...request, purpose: 'Audit of Q3' });
  const [file] = filesIn(work);
  const files = unzipSync(await work.slack.fileBytes(file ?? ''));
  expect(JSON.parse(Buffer.from(files['request.json'] ?? []).toString('utf8'))).toMatchObject({
    purpose: 'Audit of Q3',
  });
});
