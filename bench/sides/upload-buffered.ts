import { WebClient } from '@slack/web-api';
import { serveSide } from '../harness/side.js';
import type { UploadJob } from './jobs.js';

/* The upload function of Slack's SDK. */

serveSide<UploadJob>(async ({ apiUrl, path }) => {
  const client = new WebClient('xoxb-bench', { slackApiUrl: apiUrl, retryConfig: { retries: 0 } });
  await client.filesUploadV2({ file: path, filename: 'bench.csv', channel_id: 'C1' });
  return {};
});
