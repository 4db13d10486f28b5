import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import { StreamingFigures } from '../../src/figures/reports/streaming-figures.js';
import { supportIdOf } from '../../src/logging/logger.js';
import { CompiledCells } from '../../src/reporting-api/answer/compiled-cells.js';
import { CsvCells } from '../../src/reporting-api/answer/csv-cells.js';
import { FileRows } from '../../src/reporting-api/answer/file-rows.js';
import { ObjectReader } from '../../src/reporting-api/answer/object-reader.js';
import { RecordStream } from '../../src/reporting-api/answer/record-stream.js';
import { SheetCells } from '../../src/reporting-api/answer/sheet-cells.js';
import { SlotView } from '../../src/reporting-api/answer/slot-view.js';
import { createThreadReader } from '../../src/reporting-api/answer-reader.js';
import type { FilePlan, ReadPlan } from '../../src/runner/ports.js';
import { describeFailure } from '../../src/slack/messages/failures.js';
import { isFull } from '../property-runs.js';
import { csvPlan } from './answer/read-bytes.js';
import { readWorkbook } from './answer/read-workbook.js';
import { api, engagement, folder, logged, open, server, setUpClient, time } from './client-setup.js';
import { answer } from './fault-server.js';
import { plantFailures, stagesAtEnd, stagesAtRecord } from './planted-failures.js';

setUpClient();

const email = fieldOf(reportNamed('engagement'), 'email');
const figures = {
  report: 'engagement',
  overdueOnly: false,
  people: true,
  smallestGroup: 1,
  now: 0,
  zone: 'UTC',
} as const;
const built = (path: string) => new URL(`../../dist/src/${path}.js`, import.meta.url).href;

/** The built thread, with the same failures planted in it. */
const plantedThread = `
  import { CompiledCells } from '${built('reporting-api/answer/compiled-cells')}';
  import { CsvCells } from '${built('reporting-api/answer/csv-cells')}';
  import { FileRows } from '${built('reporting-api/answer/file-rows')}';
  import { ObjectReader } from '${built('reporting-api/answer/object-reader')}';
  import { RecordStream } from '${built('reporting-api/answer/record-stream')}';
  import { SheetCells } from '${built('reporting-api/answer/sheet-cells')}';
  import { SlotView } from '${built('reporting-api/answer/slot-view')}';
  import { StreamingFigures } from '${built('figures/reports/streaming-figures')}';
  (${plantFailures.toString()})({
    CompiledCells, CsvCells, FileRows, ObjectReader, RecordStream, SheetCells, SlotView, StreamingFigures,
  });
  await import('${built('reporting-api/answer-worker')}');
`;

const places: [string, () => Promise<() => Promise<void>>][] = [
  [
    'in this thread',
    async () => {
      const takeOut = plantFailures({
        CompiledCells,
        CsvCells,
        FileRows,
        ObjectReader,
        RecordStream,
        SheetCells,
        SlotView,
        StreamingFigures,
      });
      open({ maxRequestsPerMinute: 1e9 });
      return async () => takeOut();
    },
  ],
  [
    'in the thread that reads answers',
    async () => {
      const file = join(folder, 'planted-thread.mjs');
      await writeFile(file, plantedThread);
      open({ maxRequestsPerMinute: 1e9 }, createThreadReader({ proxies: {} }, pathToFileURL(file)));
      return async () => {
        await api.close();
        await rm(file);
      };
    },
  ],
];

describe.each(places)('an answer that is read %s', (_, begin) => {
  let end: () => Promise<void>;
  beforeEach(async () => {
    end = await begin();
  });
  afterEach(() => end());

  it.each([
    ['plain', (text: string) => Buffer.from(text), 'csv'],
    ['gzipped', gzipSync, 'csv'],
    ['in a workbook', (text: string) => Buffer.from(text), 'xlsx'],
  ] as const)(
    'is whole, or an error of ours that is not tried again, %s',
    async (_how, wrap, format) => {
      let sent = 0;
      for (const count of counts) {
        server.behave(answer(wrap(records(count))));
        expect(await wholeRows(format)).toBe(count);
        sent += 1;
        for (const [stage, place] of failuresAmong(count)) {
          server.behave(answer(wrap(records(count, place, stage))));
          const failed = await read(format).then(
            (found) => `${found.records} records`,
            (error) => describeFailure(error, 'run-7').sentence,
          );
          expect(failed, `${stage} at ${place} of ${count}`).toMatch(
            new RegExp(`^Something went wrong\\. Try again.*${supportIdOf('run-7')}\\.$`),
          );
          sent += 1;
        }
        expect(server.seen.length).toBe(sent);
      }
      expect(time.waits).toEqual([]);
      // A caller may continue without the answer, as without the period before, so the log must have the failure.
      const told = logged.filter((line) => line.startsWith('Reading an answer failed on our side'));
      expect(told).toHaveLength(sent - counts.length);
      expect(told.every((line) => /"name":"Error","stack":" +at /.test(line))).toBe(true);
      expect(logged.join('\n')).not.toContain('Planted');
    },
    120_000,
  );
});

/** How many records the answers hold. */
const longest = isFull ? 100 : 49;
const counts = Array.from({ length: longest }, (_, index) => index + 1).filter(
  (count) => isFull || count < 4 || count % 3 === 1,
);

/** Every record of the longest answer; of each shorter one the last, and one in the middle. */
function failuresAmong(count: number): [stage: string, place: number][] {
  const all = Array.from({ length: count }, (_, place) => place);
  const chosen = count === longest ? all : [...new Set([Math.floor(count / 2), count - 1])];
  return [
    ...chosen.flatMap((place) => stagesAtRecord.map((stage): [string, number] => [stage, place])),
    ...stagesAtEnd.map((stage): [string, number] => [stage, count - 1]),
  ];
}

function records(count: number, failing = -1, stage = ''): string {
  return JSON.stringify(
    Array.from({ length: count }, (_, place) => ({
      email: place === failing ? `fails-${stage}` : `${place}@b.test`,
      number_of_logins: place,
    })),
  );
}

function read(format: FilePlan['format']) {
  const fields = [...new Set(['email', ...fieldsToCount(figures)])];
  const file = { ...csvPlan, format, path: join(folder, 'answer'), columns: email ? [email] : [] };
  const reading: ReadPlan = { fields, figures, file };
  const { signal } = new AbortController();
  return api.source.read(engagement, reading, { urgency: 'person', asker: 'U1', signal });
}

/** How many rows there are, by each that counts them. */
async function wholeRows(format: FilePlan['format']): Promise<number> {
  const found = await read(format);
  const path = join(folder, 'answer');
  const lines =
    format === 'xlsx'
      ? readWorkbook(path).rows.length
      : (await readFile(path, 'utf8')).trimEnd().split('\r\n').length - 1;
  await rm(path);
  expect([found.figures?.records, lines]).toEqual([found.records, found.records]);
  return found.records;
}
