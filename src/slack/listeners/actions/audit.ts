import { turnAuditPage } from '../../audit.js';
import { shareAuditFile } from '../../audit-file.js';
import { auditActions } from '../../ids.js';
import { describeFailure } from '../../messages/failures.js';
import { adminsOnly, notice } from '../../messages/notices.js';
import type { PlacedContext } from '../../request-context.js';
import { type OnPress, press, type Route, replaceMessage } from '../../router.js';

/** Newer, Older: replaces a page of the record by another one. */
const turnPage = forReadersOfRecord(async (pressed, parts) => {
  await replaceMessage(pressed, await turnAuditPage(pressed.value, pressed.context, parts));
});

/** CSV: sends the whole list as a file. */
const sendAuditFile = forReadersOfRecord(async ({ value, context, purpose, reply }, parts) => {
  try {
    await shareAuditFile(value, context, purpose, parts);
  } catch (error) {
    const id = context.requestId;
    parts.log.warn({ err: error, id }, 'The file of the record was not shared');
    await reply(notice(describeFailure(error, id).sentence));
  }
});

/** Admins read the record in their own direct messages. */
function forReadersOfRecord(then: OnPress): OnPress<PlacedContext> {
  return (pressed, parts) =>
    pressed.context.conversation.kind === 'direct' ? then(pressed, parts) : pressed.reply(adminsOnly);
}

export const auditRoutes = (): readonly Route[] => [
  press(auditActions.newer, ['member', 'admin', 'conversation'], { kept: true }, turnPage),
  press(auditActions.older, ['member', 'admin', 'conversation'], { kept: true }, turnPage),
  press(
    auditActions.file,
    ['member', 'admin', 'conversation'],
    { kept: true, asksPurpose: true },
    sendAuditFile,
  ),
];
