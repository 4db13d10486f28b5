import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { ListenerParts } from './context.js';

/** Somebody opens the app: its Home tab is drawn as things are now. */
export function homeOpened(parts: ListenerParts) {
  return async ({
    event,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab === 'home') await parts.home.show(event.user);
  };
}
