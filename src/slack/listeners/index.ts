import type { BlockAction } from '@slack/bolt';
import { digestHandOvers } from '../digests/hand-over.js';
import { retryAfterInvitation } from '../digests/manage.js';
import {
  accessActions,
  accessInputs,
  accessViews,
  actions,
  auditActions,
  builderActions,
  digestActions,
  digestInputs,
  digestViews,
  homeActions,
  savedActions,
  shortcuts,
  views,
} from '../ids.js';
import { savedHandOvers } from '../saved/hand-over.js';
import type { ListenerApp } from '../transport/connect.js';
import {
  accessWhoSelect,
  addAdminButton,
  channelAgeButton,
  removeAdminButton,
  removeRule,
  setAccessButton,
} from './actions/access.js';
import {
  cancelButton,
  detailsAgainButton,
  detailsButton,
  fileButton,
  homeHelpButton,
  meaningsButton,
  runAsTypedButton,
  runWordsButton,
  sendAgain,
  sendAgainAsCsv,
  shareButton,
} from './actions/answers.js';
import {
  allowHere,
  allowRequested,
  declineButton,
  holdKeyBackButton,
  releaseKeyButton,
  requestApprovalButton,
  revokeButton,
} from './actions/approvals.js';
import { auditPageButton, sendAuditFile } from './actions/audit.js';
import { builderChange, changeButton, openBuilderButton } from './actions/builder.js';
import { onButton } from './actions/button.js';
import {
  cancelDigestButton,
  confirmDigestButton,
  editDraftButton,
  scheduleButton,
  testDraftButton,
} from './actions/digest-drafts.js';
import {
  joinChannelButton,
  retryRunButton,
  sendAsCsvButton,
  unconfirmedButton,
} from './actions/digest-notifications.js';
import { digestButton, digestMenu, undoDigestButton } from './actions/digests.js';
import { acceptOfferButton, declineOfferButton } from './actions/hand-over.js';
import { sayPurposeButton } from './actions/purpose.js';
import {
  listPageButton,
  runSavedButton,
  saveButton,
  savedMenu,
  undoButton,
} from './actions/saved-reports.js';
import { cadenceKindSelect, testFormButton } from './actions/schedule-form.js';
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
  app.command('/report', reportCommand(parts));
  app.event('app_mention', mention(parts));
  app.event('message', directMessage(parts));
  app.event('app_home_opened', homeOpened(parts));
  app.event('app_uninstalled', uninstalled(parts));
  app.event('tokens_revoked', tokensRevoked(parts));
  registerChanges(app, parts);
  registerDigests(app, parts);

  const repeats = {
    [actions.csv]: fileButton('csv', parts),
    [actions.xlsx]: fileButton('xlsx', parts),
    [actions.again]: sendAgain(parts),
    [actions.againAsCsv]: sendAgainAsCsv(parts),
  };
  const decisions = {
    [actions.approve]: allowRequested(parts),
    [actions.allowHere]: allowHere(parts),
    [accessActions.removeRule]: removeRule(parts),
    [auditActions.file]: sendAuditFile(parts),
  };
  app.action(actions.share, shareButton(parts));
  app.action(actions.cancel, cancelButton(parts));
  for (const [action, press] of Object.entries(repeats)) app.action(action, onButton(parts, press));
  app.action(actions.details, detailsButton(parts));
  app.action(actions.detailsAgain, detailsAgainButton(parts));
  app.action(actions.runWords, runWordsButton(parts));
  app.action(actions.runAsTyped, runAsTypedButton(parts));
  app.action(actions.meanings, meaningsButton(parts));

  app.action(actions.requestApproval, requestApprovalButton(parts));
  for (const [action, press] of Object.entries(decisions)) app.action(action, onButton(parts, press));
  app.action(actions.sayPurpose, sayPurposeButton(parts));
  app.view(views.purpose, purposeSubmission(parts, { ...repeats, ...decisions }));
  app.action(actions.decline, declineButton(parts));
  app.action(actions.revoke, revokeButton(parts));
  app.action(actions.releaseKey, releaseKeyButton(parts));
  app.action(actions.holdKeyBack, holdKeyBackButton(parts));
  for (const turn of [auditActions.newer, auditActions.older]) app.action(turn, auditPageButton(parts));
  app.view(views.releaseKey, releaseKeySubmission(parts));
  app.action(accessActions.set, setAccessButton(parts));
  app.action(accessActions.addAdmin, addAdminButton(parts));
  app.action(accessActions.removeAdmin, removeAdminButton(parts));
  app.action<BlockAction>(accessInputs.who, accessWhoSelect(parts));
  app.options(accessInputs.group, groupSuggestions(parts));
  app.view(accessViews.set, setAccessSubmission(parts));
  app.view(accessViews.confirm, confirmAccessSubmission(parts));
  app.view(accessViews.addAdmin, addAdminSubmission(parts));
  app.action(accessActions.setAge, channelAgeButton(parts));
  app.view(accessViews.age, channelAgeSubmission(parts));

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
  app.action(savedActions.accept, acceptOfferButton(savedHandOvers(parts), parts));
  app.action(savedActions.declineOffer, declineOfferButton(savedHandOvers(parts), parts));
  app.view(views.handOverSaved, handOverSubmission(savedHandOvers(parts), parts));

  app.shortcut(shortcuts.runReport, runReportShortcut(parts));
  app.action(actions.openBuilder, openBuilderButton(parts));
  app.action(actions.change, changeButton(parts));
  app.action<BlockAction>({ type: 'block_actions', action_id: /^builder_/ }, builderChange(parts));
  app.options(builderActions.entries, filterSuggestions(parts));
  app.options(builderActions.titles, titleSuggestions(parts));
  app.view(views.builder, builderSubmission(parts));
  app.view(views.share, shareSubmission(parts));
}

/** Registers the listeners of digests. */
function registerDigests(app: ListenerApp, parts: ListenerParts): void {
  app.action(actions.schedule, scheduleButton(parts));
  app.action(digestActions.confirm, confirmDigestButton(parts));
  app.action(digestActions.cancel, cancelDigestButton(parts));
  app.action(digestActions.testDraft, testDraftButton(parts));
  app.action(digestActions.editDraft, editDraftButton(parts));
  app.action<BlockAction>(digestInputs.kind, cadenceKindSelect(parts));
  app.action<BlockAction>(digestActions.testForm, testFormButton(parts));
  app.view(digestViews.cadence, cadenceSubmission(parts));

  for (const verb of [
    'manage',
    'test',
    'history',
    'pause',
    'resume',
    'edit',
    'sendNow',
    'handOver',
    'delete',
  ] as const) {
    app.action(digestActions[verb], digestButton(verb, parts));
  }
  app.action(digestActions.menu, digestMenu(parts));
  for (const page of [digestActions.earlier, digestActions.later]) app.action(page, listPageButton(parts));
  app.action(digestActions.undoDelete, undoDigestButton(parts));
  app.action(digestActions.accept, acceptOfferButton(digestHandOvers(parts), parts));
  app.action(digestActions.declineOffer, declineOfferButton(digestHandOvers(parts), parts));
  app.view(digestViews.handOver, handOverSubmission(digestHandOvers(parts), parts));

  app.action(digestActions.arrived, unconfirmedButton('message', 'arrived', parts));
  app.action(digestActions.sendAgain, unconfirmedButton('message', 'sent-again', parts));
  app.action(digestActions.fileArrived, unconfirmedButton('file', 'arrived', parts));
  app.action(digestActions.sendFileAgain, unconfirmedButton('file', 'sent-again', parts));
  app.action(digestActions.retry, retryRunButton(parts));
  app.action(digestActions.asCsv, sendAsCsvButton(parts));
  app.action(digestActions.join, joinChannelButton(parts));

  app.event('member_joined_channel', async ({ event }) => {
    if (event.user === parts.botUserId) await retryAfterInvitation(event.channel, parts);
  });
}
