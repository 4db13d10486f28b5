import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import type { TestWorkspace } from './test-workspace.js';

/** The first message that a channel gets because of what somebody does. */
export async function newIn(
  { slack }: TestWorkspace,
  channel: string,
  act: () => Promise<unknown>,
  wanted: (message: SeenMessage) => boolean,
  withinMs = 5000,
): Promise<SeenMessage> {
  const before = new Set(slack.messages(channel).map(({ ts }) => ts));
  await act();
  return slack.waitForMessage(channel, (message) => !before.has(message.ts) && wanted(message), withinMs);
}

/** A summary that everybody sees. */
export function isSummary(title: string) {
  return (message: SeenMessage) => message.visibleTo === undefined && message.text.startsWith(title);
}

/** What one person alone sees. */
export function isPrivate(message: SeenMessage): boolean {
  return message.visibleTo !== undefined;
}
