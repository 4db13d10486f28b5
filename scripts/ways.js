// Counts the files and functions of `src` that a request enters, by precise coverage of the main thread:
//
//     npm run build && node scripts/ways.js [--files | --functions]
//
// `--files` and `--functions` list them. What the bot enters while nobody asks it anything does not count.
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPlayground } from '../dist/playground/start-playground.js';
import { createLogger } from '../dist/src/logging/logger.js';

const sourceFolder = new URL('../dist/src/', import.meta.url).href;
const pageFolder = fileURLToPath(new URL('../dist/page', import.meta.url));
const quietMs = 3000;
/** What the bot does from time to time, it does at least once within this. */
const idleMs = 33_000;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const log = createLogger({ level: 'error', destination: process.stderr });
const playground = await startPlayground({ port: 0, log, pageFolder });
const { slack } = playground;
const ada = slack.as('ada');
const channel = '#people-team';

/** Acts, waits for the message that this leads to, and for what follows it. */
async function answerTo(act, isAnswer) {
  const before = new Set(slack.messages(channel).map(({ ts }) => ts));
  await act();
  const answer = await slack.waitForMessage(
    channel,
    (message) => !before.has(message.ts) && isAnswer(message),
  );
  await slack.settled();
  await sleep(quietMs);
  return answer;
}

const isPublic = ({ visibleTo }) => visibleTo === undefined;
const isSummary = (message) => isPublic(message) && message.text.startsWith('Completions');

try {
  // Caches are filled and the daily look has ended.
  await sleep(quietMs);
  let answer = await answerTo(() => ada.command('/report completions last-week', channel), isSummary);
  await enteredFunctions();
  await sleep(idleMs);
  const idle = await enteredFunctions();
  const ways = [];
  const measure = async (name, act, isAnswer) => {
    await enteredFunctions();
    const found = await answerTo(act, isAnswer);
    const entered = (await enteredFunctions()).filter((each) => !idle.includes(each));
    ways.push({ name, entered });
    return found;
  };
  answer = await measure(
    'A command',
    () => ada.command('/report completions last-month', channel),
    isSummary,
  );
  await measure(
    'A press on CSV',
    () => ada.click(answer, 'CSV'),
    ({ files }) => files.length > 0,
  );
  await measure(
    'A press on Details',
    () => ada.click(answer, 'Details'),
    ({ threadTs }) => threadTs === answer.ts,
  );
  await measure(
    'Help',
    () => ada.command('/report help', channel),
    () => true,
  );
  // An hour later the bot also cleans up, which is not the way of a digest.
  await enteredFunctions();
  await slack.clock.moveBy(3_600_000);
  await sleep(idleMs);
  idle.push(...(await enteredFunctions()));
  const preview = await answerTo(
    () => ada.command('/report schedule completions last-month hourly', channel),
    ({ words }) => words.includes('Schedule this?'),
  );
  await ada.click(preview, 'Confirm');
  await slack.settled();
  await sleep(quietMs);
  const anHourLater = async () => slack.clock.moveBy(3_600_000);
  await answerTo(anHourLater, isSummary);
  await measure('A due digest', anHourLater, isSummary);

  console.log('| Way | Files | Functions |\n| --- | ---: | ---: |');
  for (const { name, entered } of ways)
    console.log(`| ${name} | ${filesOf(entered).length} | ${entered.length} |`);
  for (const { name, entered } of ways) {
    if (process.argv.includes('--files')) console.log(`\n${name}\n${filesOf(entered).join('\n')}`);
    if (process.argv.includes('--functions')) console.log(`\n${name}\n${entered.sort().join('\n')}`);
  }
} finally {
  await playground.stop();
}

/** `path name offset` of each function that was entered since the last call. */
async function enteredFunctions() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith(sourceFolder))
    .flatMap(({ url, functions }) =>
      functions
        // A nameless function at the start of a file is the module itself.
        .filter(
          ({ functionName, ranges: [range] }) =>
            range.count > 0 && (functionName !== '' || range.startOffset > 0),
        )
        .map(
          ({ functionName, ranges: [range] }) =>
            `${url.slice(sourceFolder.length)} ${functionName} ${range.startOffset}`,
        ),
    );
}

function filesOf(entered) {
  return [...new Set(entered.map((each) => each.split(' ')[0]))].sort();
}
