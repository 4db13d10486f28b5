import {
  type RunningReportingService,
  startReportingService,
} from '../../src/sandbox/reporting-service/reporting-service.js';
import { serveSide } from '../harness/side.js';
import type { KeptWorld } from './service-jobs.js';

/*
 * The reporting service over a kept world, which it makes where it is not there. The outcome is its address and token.
 */

let running: RunningReportingService | undefined;

serveSide<KeptWorld>(async ({ path, learners, now }) => {
  await running?.stop();
  running = await startReportingService({ keep: path, learners, now: () => now * 1000 });
  return { url: running.url, token: running.token };
});
