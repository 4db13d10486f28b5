import { WebClient } from '@slack/web-api';
import { Agent } from 'undici';
import { skipWasmOptimization } from '../../src/reporting-api/wasm-tiers.js';
import { shareFile } from '../../src/slack/delivery/upload.js';
import { serveSide } from '../harness/side.js';
import type { UploadJob } from './jobs.js';

/* Rollcall's upload in three steps, streamed from disk. */

// As the bot does when it starts.
skipWasmOptimization();
const dispatcher = new Agent();

serveSide<UploadJob>(async ({ apiUrl, path, bytes }) => {
  const client = new WebClient('xoxb-bench', { slackApiUrl: apiUrl, retryConfig: { retries: 0 } });
  const share = await shareFile(client, dispatcher)({ path, bytes, name: 'bench.csv' });
  await share({ channel: 'C1' });
  return {};
});
