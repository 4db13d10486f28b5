import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { companyOf } from '../digests/company.js';
import { serveSide } from '../harness/side.js';
import type { Posts, WorkspaceAddress, WorkspaceJob } from './digest-jobs.js';

/* The local Slack with many channels and Slack's rate limits, except the one for posts in the workspace. */

let slack: LocalSlack | undefined;

serveSide<WorkspaceJob>(async (job): Promise<WorkspaceAddress | Posts> => {
  if (job !== 'posts') {
    const seed = companyOf(job.channels, job.owners);
    slack = await startLocalSlack({ seed, postsPerMinute: job.postsPerMinute });
    const { apiUrl, botToken, appToken } = slack;
    return { apiUrl, botToken, appToken };
  }
  const posts = slack?.posts ?? [];
  return {
    count: posts.length,
    channels: new Set(posts.map(({ channel }) => channel)).size,
    first: posts[0]?.at ?? 0,
    last: posts.at(-1)?.at ?? 0,
  };
});
