import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchLine } from './harness/line.js';
import { machine } from './harness/machine.js';
import { type LineResult, minutesOf, resultsPage, tableText } from './harness/results.js';
import { benchLines } from './lines/index.js';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !benchLines.some((line) => line.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no line named ${unknown.join(', ')}. There are: ${benchLines.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

console.log(machine().join('\n'));
const results: LineResult[] = [];
for (const line of benchLines) {
  if (names.length === 0 || names.includes(line.name)) results.push(await runLine(line));
}
console.log(`\n${tableText(results)}`);
for (const { line, seconds } of results) console.log(`${line.name} took ${seconds} s`);
console.log(`All lines took ${minutesOf(results)} minutes.`);
if (names.length === 0) {
  const page = new URL('../../bench/results.md', import.meta.url);
  await writeFile(page, resultsPage(results, new Date().toISOString().slice(0, 10)));
}
const missed = results.some(
  ({ failure, measured }) => failure !== undefined || measured.some(({ verdict }) => verdict === 'missed'),
);
process.exitCode = missed ? 1 : 0;

async function runLine(line: BenchLine): Promise<LineResult> {
  console.log(`\n${line.name}: ${line.title}`);
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-bench-'));
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  const say = (words: string) => console.log(`  ${String(seconds()).padStart(3)} s  ${words}`);
  try {
    const measured = await line.run({ folder, say });
    for (const { what, found, verdict } of measured) console.log(`  ${what}: ${found}, ${verdict}`);
    return { line, measured, seconds: seconds() };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    console.error(`  ${failure}`);
    return { line, measured: [], failure, seconds: seconds() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
