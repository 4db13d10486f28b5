import { readFileSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { AnswerFile } from '../../../src/reporting-api/answer/answer-file.js';
import { padRows } from '../../../src/reporting-api/answer/row-order.js';
import { tempFolder } from './read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());

/** A file on a disk that takes so many bytes and then is full. */
async function onASmallDisk(bytes: number): Promise<AnswerFile> {
  const path = folder.path('small.csv');
  const handle = await open(path, 'wx+');
  let left = bytes;
  return new AnswerFile(path, {
    write: async (from, offset, length, place) => {
      if (left === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      const taken = Math.min(left, length, 1000);
      left -= taken;
      return handle.write(from, offset, taken, place);
    },
    read: handle.read.bind(handle),
    truncate: handle.truncate.bind(handle),
    close: handle.close.bind(handle),
  });
}

describe('the file of a CSV', () => {
  it('writes on where the disk took only a part', async () => {
    const file = await onASmallDisk(Number.POSITIVE_INFINITY);
    const bytes = Buffer.from('0123456789'.repeat(60_000));
    file.write(bytes);
    file.write(bytes);
    await file.flush();
    await file.close();
    expect(readFileSync(file.path).equals(Buffer.concat([bytes, bytes]))).toBe(true);
    await file.closeAndRemove();
  });

  it('fails on a full disk with every call, and then deletes its file', async () => {
    const file = await onASmallDisk(100_000);
    for (let block = 0; block < 10; block += 1) file.write(Buffer.alloc(200_000));
    await expect(file.drain()).rejects.toMatchObject({
      code: 'file-not-written',
      details: { reason: 'ENOSPC' },
    });
    expect(file.isBacklogged).toBe(true);
    await expect(file.flush()).rejects.toMatchObject({ details: { reason: 'ENOSPC' } });
    await file.closeAndRemove();
    expect(folder.files()).toEqual([]);
  });

  it('fails if its content is lost, and if it cannot replace the file', async () => {
    const file = await AnswerFile.create(folder.path('short.csv'));
    file.write(Buffer.from('One\r\n'.repeat(100)));
    await file.flush();
    truncateSync(file.path, 50);
    const other = await AnswerFile.create(folder.path('other.csv'));
    await expect(padRows(file, other, [{ from: 5, cells: 1 }], 2)).rejects.toThrow('shorter');
    await expect(other.moveTo(folder.path('nowhere/other.csv'))).rejects.toMatchObject({
      code: 'file-not-written',
      details: { reason: 'ENOENT' },
    });
    await file.closeAndRemove();
    await other.closeAndRemove();
  });

  it('will not write over a file that is there', async () => {
    const file = await AnswerFile.create(folder.path('one.csv'));
    await expect(AnswerFile.create(folder.path('one.csv'))).rejects.toMatchObject({
      details: { reason: 'EEXIST' },
    });
    await file.closeAndRemove();
  });
});
