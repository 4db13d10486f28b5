// Runs tests at other hours and days, in other zones: `npm run build && node scripts/test-at-hours.js test/digests …`.
// `--at="2027-10-31 02:30" --zone=Europe/Berlin` takes one time in place of those below, and `--stress` keeps all cores
// busy meanwhile. Needs libfaketime (Debian: apt-get install faketime), and `stress` for --stress.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Auckland'];

/**
 * Six hours of a day, among them a Sunday, the end of a month and of a year, and days on which clocks change. All lie
 * ahead: where they lie behind, the time limits of PostgreSQL end at once, since its signal handlers see the real time.
 */
const times = [
  '2026-12-31 00:50',
  '2027-01-31 18:00',
  '2027-04-04 12:00',
  '2027-10-31 06:00',
  '2027-11-21 23:55',
  '2027-11-22 00:10',
];

const { values, positionals } = parseArgs({
  options: { at: { type: 'string' }, zone: { type: 'string' }, stress: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const library = fakeTimeLibrary();
if (library === undefined) {
  console.log('Skipped: libfaketime was not found. Debian: apt-get install faketime.');
} else {
  const load = values.stress ? startLoad() : undefined;
  const failed = [];
  for (const at of values.at === undefined ? times : [values.at]) {
    for (const zone of values.zone === undefined ? zones : [values.zone]) {
      console.log(`\n== ${at}, ${zone}`);
      if (!(await runTests(at, zone))) failed.push(`${at}, ${zone}`);
    }
  }
  load?.kill();
  console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed:\n${failed.join('\n')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** The one for programs with threads. Without threads, Node.js stops. */
function fakeTimeLibrary() {
  const folders = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime`)
    : [];
  return [...folders, '/usr/local/lib/faketime']
    .map((folder) => `${folder}/libfaketimeMT.so.1`)
    .find((path) => existsSync(path));
}

/** An offset, so that all processes agree: with an instant, each begins at it again. */
async function runTests(at, zone) {
  const offset = Math.round((epochMsOf(at, zone) - Date.now()) / 1000);
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...positionals];
  const env = {
    ...process.env,
    TZ: zone,
    LD_PRELOAD: library,
    FAKETIME: `${offset < 0 ? '' : '+'}${offset}`,
    // Timers measure how long something takes.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Processes that are killed leave their shared memory, which later ones of another account cannot open.
    FAKETIME_DISABLE_SHM: '1',
  };
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit', env });
  const [status] = await once(child, 'close');
  return status === 0;
}

/** Wall-clock time in a zone, as milliseconds since the epoch. */
function epochMsOf(at, zone) {
  const wanted = Date.parse(`${at.replace(' ', 'T')}Z`);
  if (Number.isNaN(wanted)) throw new Error(`--at needs a time such as "2026-10-25 02:30", not "${at}"`);
  const shown = (ms) =>
    Date.parse(`${new Date(ms).toLocaleString('sv', { timeZone: zone }).replace(' ', 'T')}Z`);
  let ms = wanted;
  // The second step is right where the first one crossed a change of the clock.
  for (let step = 0; step < 2; step += 1) ms += wanted - shown(ms);
  return ms;
}

function startLoad() {
  const load = spawn('stress', ['-c', String(availableParallelism())], { stdio: 'ignore' });
  load.on('error', ({ message }) => console.log(`Without load, since stress did not start: ${message}`));
  return load;
}
