import { reportNamed } from '../catalogue/index.js';
import { startCounting } from '../figures/count-report.js';
import { openAnswerStream } from './answer/read-answer.js';
import { createLocalReader } from './answer-reader.js';
import { buildHttpCall } from './http-request.js';
import { openDispatcher, type ReportingSettings } from './settings.js';

/**
 * Finds out whether the service can be asked with these settings, with one small request, past limits and without a
 * second try: workshops of the second before, which are hardly ever any.
 *
 * @param now milliseconds since the epoch
 * @returns when the service took the token and answered with a list of records
 * @throws the error that a report would end with
 */
export async function checkService(
  settings: ReportingSettings,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const dispatcher = openDispatcher(settings.proxies);
  const until = Math.floor(now / 1000);
  const { operation } = reportNamed('workshops');
  const question = {
    operation,
    range: { from: until - 1, until },
    addsUp: false,
    body: { workshop_id: true },
  };
  const reading = createLocalReader((each) => openAnswerStream(each, startCounting), dispatcher).open({
    fields: ['workshop_id'],
  });
  try {
    await reading.add(buildHttpCall(question, settings), signal, {});
    await reading.finish();
  } finally {
    await dispatcher.destroy();
  }
}
