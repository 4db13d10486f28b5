import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAnswerFiles } from '../../../src/slack/delivery/upload.js';
import { startScript } from '../../process.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();
const answers = () => folder.path('answers');

/** What is left of answers: everything but the lock for opening. */
const left = () =>
  readdirSync(answers(), { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'opening.lock');

/** Another process that writes an answer and keeps running. Resolves when the answer is on disk. */
async function otherProcess() {
  const driver = import.meta.resolve('better-sqlite3');
  const own = join(answers(), 'other');
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    import Sqlite from ${JSON.stringify(driver)};
    mkdirSync(${JSON.stringify(own)}, { recursive: true });
    globalThis.lock = new Sqlite(${JSON.stringify(`${own}.lock`)});
    globalThis.lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(${JSON.stringify(join(own, 'a.rows'))}, 'Email');
    console.log('written');
    setInterval(() => {}, 1000);
  `;
  const other = startScript(program, '--input-type=module');
  onTestFinished(() => void other.child.kill('SIGKILL'));
  await other.spoke;
  return {
    file: join(own, 'a.rows'),
    async kill() {
      other.child.kill('SIGKILL');
      await other.ended;
    },
  };
}

describe('the files of answers', () => {
  it('are deleted when the bot stops', async () => {
    const files = await openAnswerFiles(answers());
    writeFileSync(files.pathFor('a'), 'Email');
    expect(left().some((name) => name.endsWith('a.rows'))).toBe(true);
    await files.close();
    expect(left()).toEqual([]);
  });

  it('of a process that was killed are deleted at the next start, and those of a running one stay', async () => {
    const other = await otherProcess();
    const meanwhile = await openAnswerFiles(answers());
    expect(existsSync(other.file)).toBe(true);
    await meanwhile.close();
    await other.kill();
    const after = await openAnswerFiles(answers());
    expect(existsSync(other.file)).toBe(false);
    await after.close();
    expect(left()).toEqual([]);
  });

  it('lie in a folder that has nothing beside it but its lock', async () => {
    const files = await openAnswerFiles(answers());
    expect(left().sort()).toEqual([expect.stringMatching(/^[a-z0-9]+$/), expect.stringMatching(/\.lock$/)]);
    await files.close();
  });

  it('that a process with the same ID left are deleted', async () => {
    const own = join(answers(), String(process.pid));
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'a.rows'), 'Email');
    const files = await openAnswerFiles(answers());
    expect(existsSync(own)).toBe(false);
    await files.close();
  });

  it('of two that opened in one process are apart', async () => {
    const one = await openAnswerFiles(answers());
    const other = await openAnswerFiles(answers());
    writeFileSync(one.pathFor('a'), 'Email');
    await other.close();
    expect(existsSync(one.pathFor('a'))).toBe(true);
    await one.close();
  });
});
