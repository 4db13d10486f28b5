import type { BlockAction } from '@slack/bolt';
import { actions, builderActions, homeActions, savedActions, shortcuts, views } from '../ids.js';
import type { Listening } from '../transport/connect.js';
import { againButton, cancelButton, csvButton, runWordsButton, shareButton } from './actions/answers.js';
import {
  allowHereButton,
  approveButton,
  declineButton,
  holdKeyBackButton,
  releaseKeyButton,
  requestApprovalButton,
  revokeButton,
} from './actions/approvals.js';
import { builderChange } from './actions/builder.js';
import { changeButton, openBuilderButton } from './actions/builder-doors.js';
import { homeHelpButton } from './actions/home-buttons.js';
import { meaningsButton } from './actions/meanings-button.js';
import {
  listPageButton,
  runSavedButton,
  saveButton,
  savedMenu,
  undoButton,
} from './actions/saved-reports.js';
import { answerError } from './answer-error.js';
import { registerChanges } from './changes.js';
import { reportCommand } from './commands.js';
import type { ListenerParts } from './context.js';
import { registerDigests } from './digests.js';
import { directMessage, mention } from './events.js';
import { homeOpened } from './home.js';
import { filterEntries } from './options.js';
import { runReportShortcut } from './shortcuts.js';
import { releaseKeySubmission } from './submissions/answers.js';
import { builderSubmission } from './submissions/builder.js';
import {
  copySubmission,
  handOverSavedSubmission,
  renameSubmission,
  saveSubmission,
} from './submissions/saved-reports.js';
import { shareSubmission } from './submissions/share.js';

/** Ties everything that Slack can tell the bot to the function that hears it. */
export function registerListeners(app: Listening, parts: ListenerParts): void {
  app.onFailure(answerError(parts));
  app.command('/report', reportCommand(parts));
  app.event('app_mention', mention(parts));
  app.event('message', directMessage(parts));
  app.event('app_home_opened', homeOpened(parts));
  registerChanges(app, parts);
  registerDigests(app, parts);

  app.action(actions.share, shareButton(parts));
  app.action(actions.cancel, cancelButton(parts));
  app.action(actions.csv, csvButton(parts));
  app.action(actions.again, againButton(parts));
  app.action(actions.runWords, runWordsButton(parts));
  app.action(actions.meanings, meaningsButton(parts));

  app.action(actions.requestApproval, requestApprovalButton(parts));
  app.action(actions.approve, approveButton(parts));
  app.action(actions.decline, declineButton(parts));
  app.action(actions.allowHere, allowHereButton(parts));
  app.action(actions.revoke, revokeButton(parts));
  app.action(actions.releaseKey, releaseKeyButton(parts));
  app.action(actions.holdKeyBack, holdKeyBackButton(parts));
  app.view(views.releaseKey, releaseKeySubmission(parts));

  app.action(actions.save, saveButton(parts));
  app.action(savedActions.run, runSavedButton(parts));
  for (const menu of [savedActions.more, savedActions.edit, savedActions.copy]) {
    app.action(menu, savedMenu(parts));
  }
  app.action(savedActions.undo, undoButton(parts));
  app.action(savedActions.earlier, listPageButton(parts));
  app.action(savedActions.later, listPageButton(parts));
  app.action(homeActions.help, homeHelpButton(parts));
  app.view(views.saveReport, saveSubmission(parts));
  app.view(views.renameSaved, renameSubmission(parts));
  app.view(views.copySaved, copySubmission(parts));
  app.view(views.handOverSaved, handOverSavedSubmission(parts));

  app.shortcut(shortcuts.runReport, runReportShortcut(parts));
  app.action(actions.openBuilder, openBuilderButton(parts));
  app.action(actions.change, changeButton(parts));
  app.action<BlockAction>({ type: 'block_actions', action_id: /^builder_/ }, builderChange(parts));
  app.options(builderActions.entries, filterEntries(parts));
  app.view(views.builder, builderSubmission(parts));
  app.view(views.share, shareSubmission(parts));
}
