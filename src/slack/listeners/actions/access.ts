import type { Subject } from '../../../access/levels.js';
import { allReports } from '../../../catalogue/index.js';
import { ok } from '../../../errors/result.js';
import { directMessages } from '../../../posts/posted-items.js';
import { lacksGroups, nameOfSubject, removeAdmin } from '../../access-rules.js';
import { accessActions, accessInputs } from '../../ids.js';
import { formatReports } from '../../messages/access-levels.js';
import { notice } from '../../messages/notices.js';
import { accessForm, addAdminForm, channelAgeForm, whoIn } from '../../modals/access-forms.js';
import { readInputs } from '../../modals/inputs.js';
import { updateView } from '../../modals/modal.js';
import { input, type MakeForm, type OnPress, opens, press, type Route } from '../../router.js';

/** Set access: opens the form. */
const makeAccessForm: MakeForm = async ({ context }, parts) =>
  ok(accessForm(context.channel, 'everyone', parts));

/** Who, in that form: shows the input for a group or a person. */
const chooseWho: OnPress = async ({ form }, parts) => {
  if (!form) return;
  const who = whoIn(readInputs(form.state.values));
  const hidden = who === 'group' && (await parts.userGroups.areHidden());
  const view = accessForm(form.private_metadata, who, parts, hidden ? lacksGroups : undefined);
  await updateView({ viewId: form.id, view }, parts);
};

/** Remove, next to a rule. */
const removeRule: OnPress = async ({ value, context, purpose, reply }, parts) => {
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
};

/** Add an admin: opens the form. */
const makeAdminForm: MakeForm = async ({ context }) => ok(addAdminForm(context.channel));

/** Remove, next to an admin. */
const endAdmin: OnPress = async ({ value: admin, context, reply }, parts) => {
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
};

/** Delete old files: opens the form for the channel. */
const makeAgeForm: MakeForm = async ({ context: { channel } }, parts) => {
  const { channelAges } = parts.store;
  const [here, direct] = await Promise.all([channelAges.find(channel), channelAges.find(directMessages)]);
  return ok(channelAgeForm(channel, { here, direct }));
};

export const accessRoutes = (): readonly Route[] => [
  opens(accessActions.set, ['member', 'admin'], 'Set access', makeAccessForm),
  input(accessInputs.who, ['member', 'admin'], chooseWho),
  press(accessActions.removeRule, ['member', 'admin'], { kept: true, asksPurpose: true }, removeRule),
  opens(accessActions.addAdmin, ['member', 'admin'], 'Add an admin', makeAdminForm),
  press(accessActions.removeAdmin, ['member', 'admin'], { kept: true }, endAdmin),
  opens(accessActions.setAge, ['member', 'admin'], 'Delete old files', makeAgeForm),
];
