import type { Subject } from '../../../access/levels.js';
import { allReports } from '../../../catalogue/index.js';
import { ok, refused } from '../../../errors/result.js';
import { formatPlural } from '../../../figures/format/values.js';
import { directMessages } from '../../../posts/posted-items.js';
import { parseKeepDays } from '../../../schedule/keep-days.js';
import { nameOfSubject } from '../../access-facts.js';
import { checkRule, lacksGroups, memberRefusal, removeAdmin, saveRule } from '../../access-rules.js';
import { accessActions, accessInputs, accessViews } from '../../ids.js';
import { formatReports } from '../../messages/access-levels.js';
import { notice } from '../../messages/notices.js';
import {
  accessForm,
  addAdminForm,
  channelAgeForm,
  confirmAccessView,
  type ProposedRule,
  parseLevel,
  ruleSentence,
  whoIn,
} from '../../modals/access-forms.js';
import { listIn, readInputs } from '../../modals/inputs.js';
import { updateView } from '../../modals/modal.js';
import { input, type MakeForm, type OnPress, opens, press, type Route } from '../../router.js';
import {
  readPurpose,
  rejectForm,
  type SubmittedForm,
  submission,
  type ValidateForm,
} from '../submissions/submission.js';

const makeAccessForm: MakeForm = async ({ context }, parts) =>
  ok(accessForm(context.channel, 'everyone', parts));

const chooseWho: OnPress = async ({ form }, parts) => {
  if (!form) return;
  const who = whoIn(readInputs(form.state.values));
  const hidden = who === 'group' && (await parts.userGroups.areHidden());
  const view = accessForm(form.private_metadata, who, parts, hidden ? lacksGroups : undefined);
  await updateView({ viewId: form.id, view }, parts);
};

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

const makeAdminForm: MakeForm = async ({ context }) => ok(addAdminForm(context.channel));

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

const makeAgeForm: MakeForm = async ({ context: { channel } }, parts) => {
  const { channelAges } = parts.store;
  const [here, direct] = await Promise.all([channelAges.find(channel), channelAges.find(directMessages)]);
  return ok(channelAgeForm(channel, { here, direct }));
};

/** Shows what the rule would do. Nothing is saved yet. */
const proposeRule: ValidateForm = async (form, parts) => {
  const purpose = readPurpose(form, parts);
  if (!purpose.ok) return purpose;
  const proposed = readRule(form, purpose.value);
  if (!proposed) return rejectForm('Choose what they may ask for.', accessInputs.level);
  const checked = await checkRule(proposed, parts);
  if (!checked.ok) {
    const inputOf = { everyone: undefined, group: accessInputs.group, person: accessInputs.person };
    return rejectForm(checked.refusal, inputOf[proposed.who]);
  }
  return refused({ replaceWith: confirmAccessView(proposed, checked.value.name, checked.value.lines) });
};

function readRule(
  { text, values, metadata: [channel = ''] }: SubmittedForm,
  purpose: string | undefined,
): ProposedRule | undefined {
  const who = whoIn(values);
  const level = parseLevel(text(accessInputs.level));
  if (level === undefined) return undefined;
  const id = who === 'everyone' ? '' : text(accessInputs[who]);
  const named = listIn(values, accessInputs.reports);
  const reports = allReports.flatMap(({ name }) => (named.includes(name) ? name : []));
  return { who, id: id || undefined, reports, level, purpose, channel };
}

/** The rule holds from the next question on. */
const confirmRule: ValidateForm = async ({ asker, view }, parts) => {
  // Slack returns what confirmAccessView put there, and no one else can change it.
  const proposed = JSON.parse(view.private_metadata) as ProposedRule;
  const checked = await checkRule(proposed, parts);
  if (!checked.ok) return rejectForm(checked.refusal);
  const { subject, name } = checked.value;
  return ok(async () => {
    await saveRule(proposed, subject, asker.id, parts);
    const message = notice(`Saved. ${ruleSentence(proposed, name)}`);
    return [{ message, context: { channel: proposed.channel, asker: asker.id } }];
  });
};

const addAdmin: ValidateForm = async ({ asker, text, metadata: [channel = ''] }, parts) => {
  const admin = text(accessInputs.person);
  const reason = await memberRefusal(admin, parts);
  if (reason !== undefined) return rejectForm(reason, accessInputs.person);
  if ((await parts.access.admins()).includes(admin)) {
    return rejectForm('This person is an admin already.', accessInputs.person);
  }
  return ok(async () => {
    await parts.store.admins.add(admin, asker.id, parts.clock.now());
    const name = await nameOfSubject({ kind: 'person', id: admin }, parts);
    return [{ message: notice(`${name} is an admin now.`), context: { channel, asker: asker.id } }];
  });
};

/** Sets after how many days files are deleted, in this channel and in direct messages. */
const setAges: ValidateForm = async ({ asker, text, values, metadata: [channel = ''] }, parts) => {
  const settings: { readonly subject: string; readonly days: number | undefined }[] = [];
  for (const [subject, name] of [
    [channel, accessInputs.days],
    [directMessages, accessInputs.directDays],
  ] as const) {
    // In direct messages, the form has no input for the channel.
    if (!(name in values)) continue;
    const typed = text(name);
    const days = parseKeepDays(typed);
    if (typed !== '' && days === undefined) return rejectForm('Enter 1 to 365 days.', name);
    settings.push({ subject, days });
  }
  return ok(async () => {
    const { channelAges } = parts.store;
    for (const { subject, days } of settings)
      await channelAges.set(subject, days, asker.id, parts.clock.now());
    const sentences = settings.map(({ subject, days }) => {
      const where = subject === directMessages ? 'in direct messages' : 'here';
      return days === undefined
        ? `Files that I post ${where} stay.`
        : `Files that I post ${where} from now on are deleted after ${formatPlural(days, ['day', 'days'])}.`;
    });
    return [{ message: notice(['Saved.', ...sentences].join(' ')), context: { channel, asker: asker.id } }];
  });
};

export const accessRoutes = (): readonly Route[] => [
  opens(accessActions.set, 'admin', 'Set access', makeAccessForm),
  input(accessInputs.who, 'admin', chooseWho),
  press(accessActions.removeRule, 'admin', removeRule, { asksPurpose: true }),
  opens(accessActions.addAdmin, 'admin', 'Add an admin', makeAdminForm),
  press(accessActions.removeAdmin, 'admin', endAdmin),
  opens(accessActions.setAge, 'admin', 'Delete old files', makeAgeForm),
  submission(accessViews.set, 'admin', proposeRule),
  submission(accessViews.confirm, 'admin', confirmRule),
  submission(accessViews.addAdmin, 'admin', addAdmin),
  submission(accessViews.age, 'admin', setAges),
];
