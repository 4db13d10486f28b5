import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import type { TestWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

/** Actions of people on digests, and what they see afterwards. */
export function schedulingAt(work: () => TestWorkspace) {
  const as = (who: string) => work().slack.as(who);

  /** Runs a command. Returns the first matching message, by default one that only the person sees. */
  function say(line: string, channel = '#learning', who = 'ada', wanted = isPrivate) {
    return newIn(work(), channel, () => as(who).command(line, channel), wanted);
  }

  /** Presses Confirm under a preview, and waits until the preview has these words. */
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

/** Waits, because two presses of Send now within two seconds count as one. */
export function beforeNextPress(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, 2_100));
}

/** True for the message of a digest that everybody sees. */
export function isDigest(message: SeenMessage): boolean {
  return message.visibleTo === undefined && message.words.includes('Set up by');
}
