import { reportNamed } from '../catalogue/index.js';
import { startCounting } from '../figures/reports/count-report.js';
import { AnswerStream } from './answer/read-answer.js';
import { createLocalReader } from './answer-reader.js';
import { buildHttpCall } from './client.js';
import { openDispatcher, type ReportingSettings } from './settings.js';

const daySeconds = 24 * 60 * 60;

/**
 * Checks the settings with one small request, without limits and retries. It asks for the identifiers of the
 * workshops of the last 24 hours, which are few.
 *
 * @param now milliseconds since the epoch
 * @returns how many records the service answered with
 * @throws the error that a report would fail with
 */
export async function checkService(
  settings: ReportingSettings,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const dispatcher = openDispatcher(settings.proxies);
  const until = Math.floor(now / 1000);
  const { operation } = reportNamed('workshops');
  const query = {
    operation,
    range: { from: until - daySeconds, until },
    addsUp: false,
    body: { workshop_id: true },
  };
  const reading = createLocalReader((each) => new AnswerStream(each, startCounting), dispatcher).open({
    fields: ['workshop_id'],
  });
  try {
    const read = await reading.read(buildHttpCall(query, settings), true, signal);
    return read?.records ?? 0;
  } finally {
    await dispatcher.destroy();
  }
}
