import type { BlockAction } from '@slack/bolt';
import { digestActions, digestInputs, digestViews } from '../digest-ids.js';
import { retryAfterInvitation } from '../digests/invited.js';
import { actions } from '../ids.js';
import type { Listening } from '../transport/connect.js';
import {
  cancelDigestButton,
  confirmDigestButton,
  editDraftButton,
  scheduleButton,
  testDraftButton,
} from './actions/digest-drafts.js';
import { doubtButton, joinChannelButton, retryRunButton } from './actions/digest-notifications.js';
import { digestButton, digestMenu, undoDigestButton } from './actions/digests.js';
import { listPageButton } from './actions/saved-reports.js';
import { kindChosen, testFormButton } from './actions/schedule-form.js';
import type { ListenerParts } from './context.js';
import { cadenceSubmission } from './submissions/digests.js';
import { handOverSubmission } from './submissions/hand-over.js';

/** Ties everything about digests to the function that hears it. */
export function registerDigests(app: Listening, parts: ListenerParts): void {
  app.action(actions.schedule, scheduleButton(parts));
  app.action(digestActions.confirm, confirmDigestButton(parts));
  app.action(digestActions.cancel, cancelDigestButton(parts));
  app.action(digestActions.testDraft, testDraftButton(parts));
  app.action(digestActions.editDraft, editDraftButton(parts));
  app.action<BlockAction>(digestInputs.kind, kindChosen(parts));
  app.action<BlockAction>(digestActions.testForm, testFormButton(parts));
  app.view(digestViews.cadence, cadenceSubmission(parts));

  for (const verb of [
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
  app.view(digestViews.handOver, handOverSubmission(parts));

  app.action(digestActions.arrived, doubtButton('message', 'arrived', parts));
  app.action(digestActions.sendAgain, doubtButton('message', 'sent-again', parts));
  app.action(digestActions.fileArrived, doubtButton('file', 'arrived', parts));
  app.action(digestActions.sendFileAgain, doubtButton('file', 'sent-again', parts));
  app.action(digestActions.retry, retryRunButton(parts));
  app.action(digestActions.join, joinChannelButton(parts));

  app.event('member_joined_channel', async ({ event }) => {
    if (event.user === parts.botUserId) await retryAfterInvitation(event.channel, parts);
  });
}
