import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const built = (path: string) => new URL(`../../../dist/src/${path}.js`, import.meta.url).href;

/**
 * Reads the same answer twice in a process of its own, as built, the second time with the rows of the first one known.
 * Prints the most memory that the process had, in MB, and how many rows were new.
 */
const program = (rows: number, isCompared: boolean) => `
  import { startCounting, fieldsToCount } from '${built('figures/reports/count-report')}';
  import { fieldsOfNewRows } from '${built('figures/reports/new-rows')}';
  import { AnswerStream } from '${built('reporting-api/answer/read-answer')}';
  const figures = { report: 'assignments', people: false, smallestGroup: 1, now: 0, zone: 'UTC' };
  const fields = [...new Set([...fieldsOfNewRows('assignments'), ...fieldsToCount(figures)])];
  async function read(known, from, until) {
    const key = [1, 2, 3, 4];
    const reading = new AnswerStream({ fields, figures, newRows: ${isCompared} ? { key, known } : undefined }, startCounting);
    await reading.beginAnswer();
    await reading.write(Buffer.from('['));
    for (let row = from; row < until; row += 100) {
      const some = Array.from({ length: 100 }, (_, place) => JSON.stringify({
        userid: 'user-' + Math.floor((row + place) / 25), email: Math.floor((row + place) / 25) + '@example.com',
        content_id: 'content-' + (place % 25), content_title: 'Title ' + (place % 25),
        assignment_id: 'assignment-' + (row + place), assigned_date: '2026-11-20T12:00:00Z',
      }) + ',').join('');
      await reading.write(Buffer.from(some));
    }
    await reading.write(Buffer.from('{}]'));
    await reading.endAnswer();
    return (await reading.finish()).newRows;
  }
  const first = await read(undefined, 0, ${rows});
  const second = await read(first?.rows, 100, ${rows + 100});
  console.log(JSON.stringify({ megabytes: process.resourceUsage().maxRSS / 1024, count: second?.count ?? null }));
`;

function run(
  rows: number,
  isCompared: boolean,
): { readonly megabytes: number; readonly count: number | null } {
  const args = ['--max-semi-space-size=2', '--input-type=module', '--eval', program(rows, isCompared)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

it('takes a few megabytes more for 300,000 rows that are compared with as many', () => {
  const plain = run(300_000, false);
  const compared = run(300_000, true);
  expect([plain.count, compared.count]).toEqual([null, 100]);
  expect(compared.megabytes - plain.megabytes).toBeLessThan(35);
}, 60_000);
