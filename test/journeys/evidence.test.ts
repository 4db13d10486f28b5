import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { runBuiltRollcall } from '../process.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

const hasFile = ({ files }: SeenMessage) => files.length > 0;

describe.each(['socket', 'http'] as const)('evidence (%s)', (mode) => {
  const work = testWorkspace(() => ({
    mode,
    environment: { ROLLCALL_ADMINS: 'U00ADA0001', DEFAULT_ACCESS: 'team' },
  }));

  const inFolder = (name: string) => join(work().folder, name);
  /** With the database of the bot. */
  const rollcall = (...words: string[]) =>
    runBuiltRollcall(words, { DATABASE_URL: `sqlite:${inFolder('rollcall.db')}` }, work().folder);
  const verify = (file: string) => rollcall('verify', inFolder(file));
  const verifyAlone = (file: string) => {
    mkdirSync(inFolder('elsewhere'), { recursive: true });
    return runBuiltRollcall(['verify', inFolder(file)], {}, inFolder('elsewhere'));
  };

  const { say, scheduled } = schedulingAt(work);

  /** The kinds of all events of the record, oldest first. */
  const kinds = async (): Promise<readonly string[]> => {
    const { stdout } = await rollcall('audit', '--since', '1970-01-01');
    const lines = stdout.trim().split('\n');
    return lines.map((line) => JSON.parse(line).kind).filter((kind) => kind !== 'record-read');
  };

  /** Asks in Ada's direct messages, and saves the file. */
  async function evidenceOf(words: string, as = 'evidence.zip') {
    const { slack } = work();
    const place = '@ada';
    const message = await newIn(
      work(),
      place,
      () => slack.as('ada').command(`/report ${words}`, place),
      hasFile,
    );
    const [file] = message.files;
    const bytes = await slack.fileBytes(file?.id ?? '');
    writeFileSync(inFolder(as), bytes);
    return { name: file?.name, message, parts: unzipSync(bytes) };
  }

  it('is one ZIP that verifies with the database and without', { timeout: 120_000 }, async () => {
    const words = 'assignments last-month evidence purpose:"Audit of Q3"';
    const { name, parts } = await evidenceOf(words);
    expect(name).toMatch(/^evidence_assignments_\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.zip$/);
    expect(Object.keys(parts)).toEqual([
      'README.txt',
      'request.json',
      'figures.csv',
      'exceptions.txt',
      'rows.csv',
      'people.csv',
      'event.json',
      'chain.txt',
      'manifest.txt',
    ]);
    const text = (part: string) => Buffer.from(parts[part] ?? []).toString('utf8');
    const csv = await newIn(
      work(),
      '@ada',
      () => work().slack.as('ada').command('/report assignments last-month csv', '@ada'),
      hasFile,
    );
    expect(text('rows.csv')).toBe((await work().slack.fileBytes(csv.files[0]?.id ?? '')).toString('utf8'));
    expect(JSON.parse(text('request.json'))).toMatchObject({
      askedBy: { slackUser: 'U00ADA0001' },
      level: 'everything',
      purpose: 'Audit of Q3',
      queries: [
        { method: 'POST', path: expect.stringMatching(/^\/api\/v1\/reports\/assignment-summary\/\d+\/\d+$/) },
      ],
    });
    const held = await verify('evidence.zip');
    expect(held).toMatchObject({ status: 0 });
    const alone = await verifyAlone('evidence.zip');
    expect(alone).toMatchObject({ status: 0 });
    // Nothing stays on disk but what an equal question may share for ten seconds.
    const left = readdirSync(inFolder('answers'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((one) => one.includes('.rows') && !one.includes('.shared'))).toEqual([]);
  });

  it('is refused with the reason and the way out', { timeout: 60_000 }, async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const refusedIn = async (place: string, words: string) =>
      (
        await newIn(
          work(),
          place,
          () => ada.command(`/report ${words}`, place),
          (one) => !hasFile(one),
        )
      ).words;
    expect(await refusedIn('#learning', 'assignments last-month evidence')).toContain('direct messages only');
    expect(await refusedIn('@ada', 'assignments evidence')).toContain('assignments evidence last-90-days');
    expect(await refusedIn('@ada', 'assessments evidence')).toContain('csv');
    expect(await refusedIn('@ada', 'assignments last-month evidence xlsx')).toContain('one file');
  });

  it('is recorded as failed where Slack does not take it, and as made where it may have', {
    timeout: 60_000,
  }, async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const fails = async (
      call: Parameters<typeof slack.faults.set>[0],
      fault: Parameters<typeof slack.faults.set>[1],
    ) => {
      slack.faults.set(call, fault, { times: 1 });
      const before = (await kinds()).length;
      const ask = () => ada.command('/report completions last-month evidence', '@ada');
      await newIn(
        work(),
        '@ada',
        ask,
        (one) => one.says(/file (?:could not|may)/i) || one.says('unconfirmed'),
      );
      return (await kinds()).slice(before);
    };
    expect(await fails('upload', { kind: 'status', status: 500 })).toEqual([
      'asked',
      'evidence-made',
      'evidence-zipped',
      'upload-failed',
    ]);
    expect(
      await fails('files.completeUploadExternal', { kind: 'error', error: 'file_uploads_disabled' }),
    ).toEqual(['asked', 'evidence-made', 'evidence-zipped', 'upload-failed']);
    expect(await fails('files.completeUploadExternal', { kind: 'error', error: 'internal_error' })).toEqual([
      'asked',
      'evidence-made',
      'evidence-zipped',
    ]);
    expect(await rollcall('audit', '--verify')).toMatchObject({ status: 0 });
  });

  it('comes by digest, to direct messages alone', { timeout: 60_000 }, async () => {
    const { slack } = work();
    const line = '/report schedule completions last-month evidence monthly 1 09:00';
    expect((await say(line, '#learning')).words).toContain('direct messages only');
    await scheduled(line, '@ada');
    const list = await newIn(
      work(),
      '@ada',
      () => slack.as('ada').command('/report list', '@ada'),
      (one) => one.says('Send now'),
    );
    const message = await newIn(work(), '@ada', () => slack.as('ada').click(list, 'Send now'), hasFile);
    expect(message.files[0]?.name).toMatch(/^evidence_completions_.*\.zip$/);
    writeFileSync(inFolder('digest.zip'), await slack.fileBytes(message.files[0]?.id ?? ''));
    const held = await verify('digest.zip');
    expect(held).toMatchObject({ status: 0 });
    expect(held.stdout).toContain('very file that was sent');
  });
});
