import type { AllMiddlewareArgs, BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt';
import type { Subject } from '../../../access/levels.js';
import { allReports } from '../../../catalogue/index.js';
import { ok, refused } from '../../../errors/result.js';
import { directMessages } from '../../../posts/posted-items.js';
import { lacksGroups, nameOfSubject, removeAdmin } from '../../access-rules.js';
import { accessInputs } from '../../ids.js';
import { formatReports } from '../../messages/access-levels.js';
import { adminsOnly, notice } from '../../messages/notices.js';
import { accessForm, addAdminForm, channelAgeForm } from '../../modals/access-forms.js';
import { keyedQueue } from '../../modals/builder/open.js';
import { messageView, updateView } from '../../modals/modal.js';
import { resolveAsker } from '../../request-context.js';
import type { ListenerParts } from '../context.js';
import { type ButtonPress, onButton, onModalButton, withPurpose } from './button.js';

/** Wraps a button of admins: everybody else gets a sentence. */
export function forAdmins(parts: ListenerParts, then: (pressed: ButtonPress) => Promise<void>) {
  return async (pressed: ButtonPress) =>
    (await parts.access.isAdmin(pressed.context.asker)) ? then(pressed) : pressed.reply(adminsOnly);
}

/** Set access: opens the form. */
export function setAccessButton(parts: ListenerParts) {
  return onModalButton(parts, 'Set access', async ({ context }) =>
    (await parts.access.isAdmin(context.asker))
      ? ok(accessForm(context.channel, 'everyone', parts))
      : refused(adminsOnly),
  );
}

/** Who, in that form: shows the input for a group or a person, one choice after the other. */
export function accessWhoSelect(parts: ListenerParts) {
  const turns = keyedQueue();
  return async ({
    body: { view, user },
    ack,
  }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs) => {
    await ack();
    if (!view) return;
    const asker = await resolveAsker(user.id, parts.people, parts.defaultZone);
    const isAdmin = asker.ok && (await parts.access.isAdmin(user.id));
    const chosen = view.state.values[accessInputs.who]?.[accessInputs.who]?.selected_option?.value;
    const who = chosen === 'group' || chosen === 'person' ? chosen : 'everyone';
    const hidden = isAdmin && who === 'group' && (await parts.userGroups.areHidden());
    const drawn = isAdmin
      ? accessForm(view.private_metadata, who, parts, hidden ? lacksGroups : undefined)
      : messageView('Set access', asker.ok ? adminsOnly.text : asker.refusal);
    await turns(view.id, async () => void (await updateView({ viewId: view.id, view: drawn }, parts)));
  };
}

/** Remove, next to a rule. */
export function removeRule(parts: ListenerParts) {
  return forAdmins(
    parts,
    withPurpose(parts, async ({ value, context, purpose, reply }) => {
      const [kind, id = '', name = ''] = value.split(' ');
      const subject: Subject = kind === 'group' || kind === 'person' ? { kind, id } : { kind: 'everyone' };
      const report = allReports.find((candidate) => candidate.name === name)?.name;
      const actor = { by: context.asker, at: parts.clock.now(), purpose };
      const removed = await parts.store.accessRules.remove(subject, report, actor);
      const whose = `the rule of ${await nameOfSubject(subject, parts)} for ${formatReports(report ? [report] : [])}`;
      await reply(
        notice(
          removed
            ? `Removed ${whose}. It no longer holds from the next question on.`
            : `Somebody removed ${whose} already.`,
        ),
      );
    }),
  );
}

/** Add an admin: opens the form. */
export function addAdminButton(parts: ListenerParts) {
  return onModalButton(parts, 'Add an admin', async ({ context }) =>
    (await parts.access.isAdmin(context.asker)) ? ok(addAdminForm(context.channel)) : refused(adminsOnly),
  );
}

/** Remove, next to an admin. */
export function removeAdminButton(parts: ListenerParts) {
  return onButton(
    parts,
    forAdmins(parts, async ({ value: admin, context, reply }) => {
      if (parts.configuredAdmins.includes(admin)) {
        return reply(notice('ROLLCALL_ADMINS names this admin. Ask your operator to change it.'));
      }
      const name = await nameOfSubject({ kind: 'person', id: admin }, parts);
      const sentences = {
        removed: `${name} is no longer an admin.`,
        absent: `${name} was not an admin any more.`,
        last: 'Nobody else could set rules then. Add another admin first.',
      };
      await reply(notice(sentences[await removeAdmin(admin, context.asker, parts)]));
    }),
  );
}

/** Delete old files: opens the form for the channel. */
export function channelAgeButton(parts: ListenerParts) {
  return onModalButton(parts, 'Delete old files', async ({ context: { asker, channel } }) => {
    const { channelAges } = parts.store;
    if (!(await parts.access.isAdmin(asker))) return refused(adminsOnly);
    const [here, direct] = await Promise.all([channelAges.find(channel), channelAges.find(directMessages)]);
    return ok(channelAgeForm(channel, { here, direct }));
  });
}
