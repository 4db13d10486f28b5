import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import type { TestWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

/** Actions of people on saved reports, and what they see afterwards. */
export function savingAt(work: () => TestWorkspace) {
  const as = (who: string) => work().slack.as(who);

  function tells(act: () => Promise<unknown>, channel = '#learning', wanted = isPrivate) {
    return newIn(work(), channel, act, wanted);
  }

  const type = (command: string, channel = '#learning', who = 'ada') =>
    tells(() => as(who).command(command, channel), channel);

  return {
    as,
    /** The first message after an action: by default the first one that only the actor sees. */
    tells,
    /** Types a command and returns the reply, which only its author sees. */
    type,
    list: (channel = '#learning', who = 'ada') => type('/report list', channel, who),

    /** The list after an action on it, which replaces the message. */
    listNow({ channel, ts }: SeenMessage, wanted: (message: SeenMessage) => boolean) {
      const look = () =>
        work()
          .slack.messages(channel)
          .find((one) => one.ts === ts && wanted(one));
      return work().slack.waitFor(look, 5000, 'the changed list');
    },

    /** The error under an input of the open form. */
    errorOn(input: string, who = 'ada') {
      const look = () =>
        (as(who).modal() as { errors?: Record<string, string> } | undefined)?.errors?.[input];
      return work().slack.waitFor(look, 5000, `an error on ${input}`);
    },
  };
}
