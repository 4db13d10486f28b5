import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import type { TestWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

/** What people do with digests, and what they see of it. */
export function schedulingAt(work: () => TestWorkspace) {
  const as = (who: string) => work().slack.as(who);

  /** What the bot tells somebody alone about their command, or the first message that is as wanted. */
  function say(line: string, channel = '#learning', who = 'ada', wanted = isPrivate) {
    return newIn(work(), channel, () => as(who).command(line, channel), wanted);
  }

  /** Presses Confirm under a preview, and waits until it says so. */
  async function confirmed(preview: SeenMessage, words: string, channel = '#learning', who = 'ada') {
    await as(who).click(preview, 'Confirm');
    return work().slack.waitForMessage(channel, (one) => one.ts === preview.ts && one.says(words));
  }

  return {
    as,
    say,
    confirmed,
    async scheduled(line: string, channel = '#learning', who = 'ada') {
      return confirmed(await say(line, channel, who), 'Scheduled.', channel, who);
    },
  };
}

/** Two presses of Send now within two seconds are one. */
export function beforeNextPress(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 2_100));
}

/** What a digest posts, for everybody to see. */
export function isDigest(message: SeenMessage): boolean {
  return message.visibleTo === undefined && message.words.includes('Set up by');
}
