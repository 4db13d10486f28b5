import { spawnSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { tempFolder } from './read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());

const built = new URL('../../../dist/src/reporting-api/answer/read-answer.js', import.meta.url).href;

/** Makes a workbook in a process of its own, as built, and prints the most memory that the process had, in MB. */
const program = (records: number) => `
  import { AnswerStream } from '${built}';
  const columns = ['email', 'content_title', 'departments', 'due_date'].map((flag, place) => (
    { flag, label: flag, group: '', kind: ['email', 'text', 'list', 'date'][place], personLevel: false }
  ));
  const file = { path: '${folder.fresh()}', format: 'xlsx', title: 'Rows', zone: 'Europe/Berlin', columns };
  const reading = new AnswerStream({ fields: columns.map(({ flag }) => flag), file });
  const some = Array.from({ length: 100 }, (_, place) => JSON.stringify({
    email: place + '@example.com', content_title: 'Fire safety ' + place, departments: ['Sales', 'Support'],
    due_date: '2026-11-20T12:00:00Z',
  }) + ',').join('');
  await reading.beginAnswer();
  await reading.write(Buffer.from('['));
  for (let done = 0; done < ${records}; done += 100) await reading.write(Buffer.from(some));
  await reading.write(Buffer.from('{}]'));
  await reading.endAnswer();
  const { file: { bytes } } = await reading.finish();
  if (bytes < ${records}) throw new Error('Too small a file');
  console.log(process.resourceUsage().maxRSS / 1024);
`;

function megabytesFor(records: number): number {
  const args = ['--max-semi-space-size=2', '--input-type=module', '--eval', program(records)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

it('takes no more memory for twenty times the rows', () => {
  const few = megabytesFor(20_000);
  const many = megabytesFor(400_000);
  expect(many - few).toBeLessThan(25);
}, 60_000);
