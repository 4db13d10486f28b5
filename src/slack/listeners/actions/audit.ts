import { currentLogId } from '../../../logging/log-id.js';
import { randomId } from '../../../store/database.js';
import { turnAuditPage } from '../../audit.js';
import { shareAuditFile } from '../../audit-file.js';
import { describeFailure } from '../../messages/failures.js';
import { adminsOnly, notice } from '../../messages/notices.js';
import type { ListenerParts } from '../context.js';
import { type OnPress, onButton, replaceMessage, withPurpose } from './button.js';

/** Newer, Older: replaces a page of the record by another one. */
export function auditPageButton(parts: ListenerParts) {
  const press: OnPress = async (pressed) => {
    await replaceMessage(pressed, await turnAuditPage(pressed.value, pressed.context, parts));
  };
  return onButton(parts, forReadersOfRecord(parts, press));
}

/** CSV: sends the whole list as a file. */
export function sendAuditFile(parts: ListenerParts): OnPress {
  const press = withPurpose(parts, async ({ value, context, purpose, reply }) => {
    try {
      await shareAuditFile(value, context, purpose, parts);
    } catch (error) {
      const id = currentLogId() ?? randomId();
      parts.log.warn({ err: error, id }, 'The file of the record was not shared');
      await reply(notice(describeFailure(error, id).sentence));
    }
  });
  return forReadersOfRecord(parts, press);
}

/** The record is for those who are admins now, in their own direct messages. */
function forReadersOfRecord(parts: ListenerParts, then: OnPress): OnPress {
  return async (pressed) => {
    const { asker, channel } = pressed.context;
    const isAllowed = await parts.access.isAdmin(asker);
    if (!isAllowed || (await parts.channels.directWith(asker)) !== channel) return pressed.reply(adminsOnly);
    await then(pressed);
  };
}
