import { reportNamed } from '../catalogue/index.js';
import { startCounting } from '../figures/count-report.js';
import { openAnswerStream } from './answer/read-answer.js';
import { createLocalReader } from './answer-reader.js';
import { buildHttpCall } from './http-request.js';
import { openDispatcher, type ReportingSettings } from './settings.js';

/**
 * Checks the settings with one small request, without limits and retries. It asks for the workshops of one second, of
 * which there are hardly ever any.
 *
 * @param now milliseconds since the epoch
 * @returns when the service accepted the token and answered with a list of records
 * @throws the error that a report would fail with
 */
export async function checkService(
  settings: ReportingSettings,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const dispatcher = openDispatcher(settings.proxies);
  const until = Math.floor(now / 1000);
  const { operation } = reportNamed('workshops');
  const query = {
    operation,
    range: { from: until - 1, until },
    addsUp: false,
    body: { workshop_id: true },
  };
  const reading = createLocalReader((each) => openAnswerStream(each, startCounting), dispatcher).open({
    fields: ['workshop_id'],
  });
  try {
    await reading.add(buildHttpCall(query, settings), signal, {});
    await reading.finish();
  } finally {
    await dispatcher.destroy();
  }
}
