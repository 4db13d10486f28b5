import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import type { TestWorkspace } from './test-workspace.js';

/** The first matching message in a channel after an action. */
export async function newIn(
  { slack }: TestWorkspace,
  channel: string,
  act: () => Promise<unknown>,
  wanted: (message: SeenMessage) => boolean,
  withinMs = 20_000,
): Promise<SeenMessage> {
  const before = new Set(slack.messages(channel).map(({ ts }) => ts));
  await act();
  return slack.waitForMessage(channel, (message) => !before.has(message.ts) && wanted(message), withinMs);
}

/** Matches a summary that everybody sees. */
export function isSummary(title: string) {
  return (message: SeenMessage) => message.visibleTo === undefined && message.text.startsWith(title);
}

/** True for a message that only one person sees. */
export function isPrivate(message: SeenMessage): boolean {
  return message.visibleTo !== undefined;
}
