import { retryAfterInvitation } from '../digests/manage.js';
import { accessInputs, builderActions, shortcuts } from '../ids.js';
import { createRouter } from '../router.js';
import type { ListenerApp } from '../transport/connect.js';
import { answerError } from './answer-error.js';
import { reportCommand } from './commands.js';
import type { ListenerParts } from './context.js';
import { directMessage, homeOpened, mention, registerChanges, tokensRevoked, uninstalled } from './events.js';
import { filterSuggestions, groupSuggestions } from './options.js';
import { runReportShortcut } from './shortcuts.js';
import { titleSuggestions } from './title-options.js';

/** Registers a listener for everything that Slack sends to the bot. */
export function registerListeners(app: ListenerApp, parts: ListenerParts): void {
  app.onFailure(answerError(parts));
  app.route(createRouter(app.find, parts).handle);
  app.command('/report', reportCommand(parts));
  app.event('app_mention', mention(parts));
  app.event('message', directMessage(parts));
  app.event('app_home_opened', homeOpened(parts));
  app.event('app_uninstalled', uninstalled(parts));
  app.event('tokens_revoked', tokensRevoked(parts));
  registerChanges(app, parts);
  registerDigests(app, parts);

  app.options(accessInputs.group, groupSuggestions(parts));

  app.shortcut(shortcuts.runReport, runReportShortcut(parts));
  app.options(builderActions.entries, filterSuggestions(parts));
  app.options(builderActions.titles, titleSuggestions(parts));
}

/** Registers the listeners of digests. */
function registerDigests(app: ListenerApp, parts: ListenerParts): void {
  app.event('member_joined_channel', async ({ event }) => {
    if (event.user === parts.botUserId) await retryAfterInvitation(event.channel, parts);
  });
}
