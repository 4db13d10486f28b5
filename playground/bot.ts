/** Everything that the playground uses from the bot. No other file of the playground imports `src`. */
export {
  allReports,
  type Field,
  type FieldKind,
  type FilterMember,
  type FilterObject,
  fieldOf,
  type Report,
  type ReportName,
} from '../src/catalogue/index.js';
export { Failure, ok, type Result, refused } from '../src/errors/failure.js';
export type { Log } from '../src/logging/logger.js';
export type { Clock } from '../src/time/clock.js';

/** Loads the bot on demand. The Reporting Service alone needs neither Slack's libraries nor the store. */
export async function loadBot() {
  const [
    { startApp },
    { configFrom },
    { createLogger },
    { slackManifest },
    { joinProcesses },
    { openStore },
  ] = await Promise.all([
    import('../src/app.js'),
    import('../src/config/config.js'),
    import('../src/logging/logger.js'),
    import('../src/slack/manifest.js'),
    import('../src/store/membership.js'),
    import('../src/store/store.js'),
  ]);
  return { startApp, configFrom, createLogger, slackManifest, joinProcesses, openStore };
}
