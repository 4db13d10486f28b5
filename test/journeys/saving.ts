import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import type { TestWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

/** What people do with saved reports, and what they see of it. */
export function savingAt(work: () => TestWorkspace) {
  const as = (who: string) => work().slack.as(who);

  function tells(act: () => Promise<unknown>, channel = '#learning', wanted = isPrivate) {
    return newIn(work(), channel, act, wanted);
  }

  const type = (command: string, channel = '#learning', who = 'ada') =>
    tells(() => as(who).command(command, channel), channel);

  return {
    as,
    /** The first message that a channel gets because of what somebody does; else their alone. */
    tells,
    /** What the bot tells somebody alone about their command. */
    type,
    list: (channel = '#learning', who = 'ada') => type('/report list', channel, who),

    /** The list as it stands after an action on it: Slack replaces the message in its place. */
    listNow({ channel, ts }: SeenMessage, wanted: (message: SeenMessage) => boolean) {
      const look = () =>
        work()
          .slack.messages(channel)
          .find((one) => one.ts === ts && wanted(one));
      return work().slack.waitFor(look, 5000, 'the changed list');
    },

    /** What the topmost form says under an input. */
    errorOn(input: string, who = 'ada') {
      const look = () =>
        (as(who).modal() as { errors?: Record<string, string> } | undefined)?.errors?.[input];
      return work().slack.waitFor(look, 5000, `an error on ${input}`);
    },
  };
}
