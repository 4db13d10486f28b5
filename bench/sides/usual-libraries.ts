import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import StreamArray from 'stream-json/streamers/StreamArray.js';
import { request } from 'undici';
import { serveSide } from '../harness/side.js';
import { columnsOf } from './columns.js';
import { type AnswerJob, urlOf } from './jobs.js';
import { type NaiveColumn, naiveColumns, naiveText, type ParsedRecord } from './naive-cells.js';

/* The two usual libraries, used as their manuals show: stream-json reads, csv-stringify writes. */

serveSide<AnswerJob>(async (job) => {
  const fields = columnsOf(job.kind);
  let columns: readonly NaiveColumn[] | undefined;
  let records = 0;
  const rows = new Transform({
    objectMode: true,
    transform({ value }: { value: ParsedRecord }, _encoding, done) {
      records += 1;
      if (!columns) {
        columns = naiveColumns(fields, [value]);
        this.push(columns.map(({ heading }) => heading));
      }
      done(
        null,
        columns.map((column) => naiveText(value, column)),
      );
    },
  });
  const { body } = await request(urlOf(job), { method: 'POST' });
  await pipeline(
    Readable.from(body),
    StreamArray.withParser(),
    rows,
    stringify({ bom: true, record_delimiter: 'windows', quoted_match: /;/ }),
    createWriteStream(job.csvPath),
  );
  return { records };
});
