// A process in which several bots of a test run, one after the other or at once. To start Node and to load the bot takes
// most of the time of a short test.
import { runBot } from '../../dist/bot/bot.js';

/** How to stop each bot that runs. */
const stops = new Map();

/** One bot starts after the other: each waits in this thread for the lock on the folder of answers, which the other holds. */
let lastStart = Promise.resolve();

process.on('message', ({ id, start }) => {
  if (!start) {
    stops.get(id)?.abort();
    return;
  }
  stops.set(id, new AbortController());
  lastStart = lastStart.then(() => new Promise((started) => run(id, start, started)));
});
process.on('disconnect', () => process.exit());

async function run(id, start, started) {
  const teller = (stream) => ({
    write(text) {
      process.send({ id, stream, text });
      if (/^(?:Rollcall ready|Standing by)$/m.test(text)) started();
    },
  });
  const stdout = teller('stdout');
  const stop = stops.get(id);
  const exitCode = await runBot({ ...start, stdout, stderr: teller('stderr'), logTo: stdout, stop });
  stops.delete(id);
  process.send({ id, exitCode });
  started();
}
