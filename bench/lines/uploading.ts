import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, BenchLine } from '../harness/line.js';
import { atMost, type Measured, type Pair, ratioAtLeast } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import type { UploadJob } from '../sides/jobs.js';
import { startUploadSink, type UploadSink } from '../slack/upload-sink.js';
import { same } from './readings.js';

const megabyte = 2 ** 20;

/** A file from disk into Slack. */
export const uploading: BenchLine = {
  name: 'uploading',
  title: 'A file uploaded from disk, against the SDK’s filesUploadV2, and the memory it takes above idle',
  async run(bench) {
    const sink = await startUploadSink();
    try {
      const hundred = await fileOf(bench, 100);
      const pairs: Pair[] = [];
      for (let pair = 0; pair < 7; pair += 1) {
        const theirs = await upload('upload-buffered', hundred, sink);
        const ours = await upload('upload-streamed', hundred, sink);
        pairs.push({ theirs: theirs.seconds, ours: ours.seconds });
        bench.say(`100 MB: ${theirs.seconds.toFixed(2)} s and ${ours.seconds.toFixed(2)} s`);
      }
      const measured: Measured[] = [ratioAtLeast('100 MB', pairs, { atLeast: 2 })];
      for (const size of [10, 100, 1000]) {
        const path = size === 100 ? hundred : await fileOf(bench, size);
        const grown: number[] = [];
        for (let run = 0; run < 3; run += 1) grown.push((await upload('upload-streamed', path, sink)).grown);
        measured.push(atMost(`memory for ${size} MB`, grown, { limit: 20, unit: 'MB' }));
      }
      return measured;
    } finally {
      await sink.stop();
    }
  },
};

/** One upload in a fresh process. */
async function upload(side: string, path: string, sink: UploadSink) {
  const { size } = await stat(path);
  const started = await startSide<UploadJob>(side);
  try {
    const { milliseconds } = await started.run({ apiUrl: sink.apiUrl, path, bytes: size });
    same('The bytes that arrived', sink.received(), size);
    const { idle, peak } = await started.memory();
    return { seconds: milliseconds / 1000, grown: peak - idle };
  } finally {
    await started.stop();
  }
}

async function fileOf(bench: Bench, megabytes: number): Promise<string> {
  const path = join(bench.folder, `${megabytes}.csv`);
  const file = await open(path, 'w');
  const piece = Buffer.alloc(megabyte, 'Ada,Moreau,ada@example.com,Sales,12,34\r\n');
  for (let written = 0; written < megabytes; written += 1) await file.write(piece);
  await file.close();
  return path;
}
