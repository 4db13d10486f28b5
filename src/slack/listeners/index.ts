import { digestHandOvers } from '../digests/hand-over.js';
import { retryAfterInvitation } from '../digests/manage.js';
import { accessInputs, accessViews, builderActions, digestViews, shortcuts, views } from '../ids.js';
import { createRouter } from '../router.js';
import { savedHandOvers } from '../saved/hand-over.js';
import type { ListenerApp } from '../transport/connect.js';
import { answerError } from './answer-error.js';
import { reportCommand } from './commands.js';
import type { ListenerParts } from './context.js';
import { directMessage, homeOpened, mention, registerChanges, tokensRevoked, uninstalled } from './events.js';
import { filterSuggestions, groupSuggestions } from './options.js';
import { runReportShortcut } from './shortcuts.js';
import {
  addAdminSubmission,
  channelAgeSubmission,
  confirmAccessSubmission,
  setAccessSubmission,
} from './submissions/access.js';
import { releaseKeySubmission, shareSubmission } from './submissions/answers.js';
import { builderSubmission } from './submissions/builder.js';
import { cadenceSubmission } from './submissions/digests.js';
import { handOverSubmission } from './submissions/hand-over.js';
import { purposeSubmission } from './submissions/purpose.js';
import { copySubmission, renameSubmission, saveSubmission } from './submissions/saved-reports.js';
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

  app.view(views.purpose, purposeSubmission(parts, app.find));
  app.view(views.releaseKey, releaseKeySubmission(parts));
  app.options(accessInputs.group, groupSuggestions(parts));
  app.view(accessViews.set, setAccessSubmission(parts));
  app.view(accessViews.confirm, confirmAccessSubmission(parts));
  app.view(accessViews.addAdmin, addAdminSubmission(parts));
  app.view(accessViews.age, channelAgeSubmission(parts));

  app.view(views.saveReport, saveSubmission(parts));
  app.view(views.renameSaved, renameSubmission(parts));
  app.view(views.copySaved, copySubmission(parts));
  app.view(views.handOverSaved, handOverSubmission(savedHandOvers(parts), parts));

  app.shortcut(shortcuts.runReport, runReportShortcut(parts));
  app.options(builderActions.entries, filterSuggestions(parts));
  app.options(builderActions.titles, titleSuggestions(parts));
  app.view(views.builder, builderSubmission(parts));
  app.view(views.share, shareSubmission(parts));
}

/** Registers the listeners of digests. */
function registerDigests(app: ListenerApp, parts: ListenerParts): void {
  app.view(digestViews.cadence, cadenceSubmission(parts));
  app.view(digestViews.handOver, handOverSubmission(digestHandOvers(parts), parts));

  app.event('member_joined_channel', async ({ event }) => {
    if (event.user === parts.botUserId) await retryAfterInvitation(event.channel, parts);
  });
}
