import type { AllMiddlewareArgs, GlobalShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt';
import { openBuilder } from '../modals/builder/open.js';
import type { ListenerParts } from './context.js';

/** "Run a report", from anywhere in Slack: the builder, in no conversation. */
export function runReportShortcut(parts: ListenerParts) {
  return async ({ shortcut, ack }: SlackShortcutMiddlewareArgs<GlobalShortcut> & AllMiddlewareArgs) => {
    await ack();
    await openBuilder(shortcut.trigger_id, { asker: shortcut.user.id }, parts);
  };
}
