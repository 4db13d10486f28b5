import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { InvalidData } from '../../../playground/reporting-service/files/tables.js';
import { startService } from './service.js';

export type Cells = Record<string, string>;

/** A folder of valid files that a test can make invalid. */
export interface DataFiles {
  /** Restores the valid files. */
  restore(): Promise<void>;
  readonly folder: string;
  pathOf(file: string): string;
  lines(file: string): Promise<string[]>;
  rows(file: string): Promise<Cells[]>;
  write(file: string, rows: readonly Cells[]): Promise<void>;
  /** Changes one cell of one row; the first row after the header is 1. */
  change(file: string, row: number, column: string, value: string): Promise<void>;
  /** The messages of a service that loads the folder. */
  problems(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export async function dataFiles(): Promise<DataFiles> {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-data-'));
  const [good, folder] = [join(root, 'good'), join(root, 'spoilt')];
  const exporting = await startService({ learners: 5, exportTo: good });
  await exporting.stop();
  const pathOf = (file: string) => join(folder, `${file}.csv`);
  const rows = async (file: string): Promise<Cells[]> =>
    parse(await readFile(pathOf(file)), { columns: true });
  const write = (file: string, all: readonly Cells[]) =>
    writeFile(pathOf(file), stringify([...all], { header: true }));
  return {
    folder,
    pathOf,
    rows,
    write,
    async restore() {
      await rm(folder, { recursive: true, force: true });
      await cp(good, folder, { recursive: true });
    },
    async lines(file) {
      return (await readFile(pathOf(file), 'utf8')).trimEnd().split('\n');
    },
    async change(file, row, column, value) {
      const all = await rows(file);
      await write(
        file,
        all.map((cells, index) => (index === row - 1 ? { ...cells, [column]: value } : cells)),
      );
    },
    async problems() {
      try {
        const service = await startService({ data: folder });
        await service.stop();
        return ['not refused'];
      } catch (error) {
        if (error instanceof InvalidData) return error.lines;
        throw error;
      }
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
