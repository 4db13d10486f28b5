import type { App } from '@slack/bolt';
import { actions, views } from '../ids.js';
import { againButton, cancelButton, csvButton, runWordsButton } from './actions/answer-buttons.js';
import {
  allowHereButton,
  approveButton,
  declineButton,
  holdKeyBackButton,
  releaseKeyButton,
  requestApprovalButton,
  revokeButton,
} from './actions/approval-buttons.js';
import { meaningsButton } from './actions/meanings-button.js';
import { reportCommand } from './commands/report.js';
import { registerChanges } from './events/changes.js';
import { directMessage, mention } from './events/words.js';
import type { ListenerParts } from './parts.js';
import { releaseKeySubmission } from './submissions/release-key.js';

/** Ties everything that Slack can tell the bot to the function that hears it. */
export function registerListeners(app: App, parts: ListenerParts): void {
  app.command('/report', reportCommand(parts));
  app.event('app_mention', mention(parts));
  app.event('message', directMessage(parts));
  registerChanges(app, parts);

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
}
