import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the CSV of a run lies while it is written and uploaded. Only the account that runs the bot can read it. */
export interface AnswerFiles {
  pathFor(askId: string): string;
  remove(askId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a folder of this process's own inside `folder`, and clears away those of processes that are gone.
 *
 * @param isAlive whether a process of that number is running
 */
export async function openAnswerFiles(
  folder: string,
  pid: number,
  isAlive: (pid: number) => boolean,
): Promise<AnswerFiles> {
  const own = join(folder, String(pid));
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const other = Number(name);
    if (Number.isSafeInteger(other) && other !== pid && !isAlive(other)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
  return {
    pathFor: (askId) => join(own, `${askId}.csv`),
    remove: (askId) => rm(join(own, `${askId}.csv`), { force: true }),
    close: () => rm(own, { recursive: true, force: true }),
  };
}
