import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { channelId, companyOf, ownerId } from '../digests/company.js';
import { serveSide } from '../harness/side.js';
import type { Acknowledgements, Files, Posts, WorkspaceAddress, WorkspaceJob } from './digest-jobs.js';

/* The local Slack with many channels and Slack's rate limits, except the one for posts in the workspace. */

let slack: LocalSlack | undefined;
/** The posts before the last command. */
let before = 0;
const acknowledgements: number[] = [];
let isAsking = false;
const askedEveryMs = 250;

type Outcome = WorkspaceAddress | Posts | Files | Acknowledgements | undefined;

serveSide<WorkspaceJob>(async (job): Promise<Outcome> => {
  if (job === 'acknowledgements') {
    if (!isAsking) setInterval(() => void askForHelp(), askedEveryMs).unref();
    isAsking = true;
    return acknowledgements.splice(0);
  }
  if (job === 'posts') {
    const posts = (slack?.posts ?? []).slice(before).filter(({ method }) => method === 'chat.postMessage');
    return {
      count: posts.length,
      channels: new Set(posts.map(({ channel }) => channel)).size,
      first: posts[0]?.at ?? 0,
      last: posts.at(-1)?.at ?? 0,
    };
  }
  if (job === 'files') {
    const files = [...(slack?.workspace.files.values() ?? [])].filter(({ state }) => state === 'complete');
    const last = files.at(-1);
    return { count: files.length, lastName: last?.name ?? '', lastSize: last?.size ?? 0 };
  }
  if ('command' in job) return actAsFirst(job);
  const seed = companyOf(job.channels, job.owners);
  slack = await startLocalSlack({ seed, postsPerMinute: job.postsPerMinute });
  const { apiUrl, botToken, appToken } = slack;
  return { apiUrl, botToken, appToken };
});

async function actAsFirst(job: Extract<WorkspaceJob, { command: string }>): Promise<undefined> {
  const { command, press } = job;
  if (!slack) throw new Error('There is no workspace');
  const [channel, person] = [channelId(0), slack.as(ownerId(0, 1))];
  const seen = new Set(slack.messages(channel).map(({ ts }) => ts));
  await person.command(command, channel);
  for (const button of press) {
    const message = await slack.waitForMessage(
      channel,
      (one) => !seen.has(one.ts) && JSON.stringify(one.blocks).includes(`"${button}"`),
    );
    before = slack.posts.length;
    await person.click(message, button);
  }
}

/** Asks for help all the time, which the bot answers in its acknowledgement. */
async function askForHelp(): Promise<void> {
  if (!slack) throw new Error('There is no workspace');
  const begun = performance.now();
  await slack.as(ownerId(0, 1)).command('/report help', channelId(0));
  acknowledgements.push(performance.now() - begun);
}
