import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { bareEnvironment } from '../process.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

const bin = fileURLToPath(new URL('../../bin/rollcall.js', import.meta.url));
const hasFile = ({ files }: SeenMessage) => files.length > 0;

describe.each(['socket', 'http'] as const)('evidence (%s)', (mode) => {
  const work = testWorkspace(() => ({ mode, environment: { ROLLCALL_ADMINS: 'U00ADA0001' } }));

  const inFolder = (name: string) => join(work().folder, name);
  const environment = () => ({ ...bareEnvironment(), DATABASE_URL: `sqlite:${inFolder('rollcall.db')}` });
  const rollcall = (
    words: readonly string[],
    env: Record<string, string | undefined>,
    cwd = work().folder,
  ) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...words], {
      cwd,
      env,
      encoding: 'utf8',
    });
    return { text: stdout + stderr, status };
  };
  const verify = (file: string) => rollcall(['verify', inFolder(file)], environment());
  const verifyAlone = (file: string) => {
    mkdirSync(inFolder('elsewhere'), { recursive: true });
    return rollcall(['verify', inFolder(file)], bareEnvironment(), inFolder('elsewhere'));
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
    const held = verify('evidence.zip');
    expect(held).toMatchObject({ status: 0 });
    const alone = verifyAlone('evidence.zip');
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
});
