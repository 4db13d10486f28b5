import { allReports } from '../../../catalogue/index.js';
import { ok, refused } from '../../../errors/result.js';
import { formatPlural } from '../../../figures/format/values.js';
import { directMessages } from '../../../posts/posted-items.js';
import { parseKeepDays } from '../../../schedule/keep-days.js';
import { checkRule, memberRefusal, nameOfSubject, saveRule } from '../../access-rules.js';
import { accessInputs, accessViews, inputs } from '../../ids.js';
import { notice } from '../../messages/notices.js';
import { confirmAccessView, type ProposedRule, parseLevel, ruleSentence } from '../../modals/access-forms.js';
import type { Route } from '../../router.js';
import { readPurpose } from './purpose.js';
import { rejectForm, type SubmittedForm, submission, type ValidateForm } from './submission.js';

/** Set access: shows what the rule would do. Nothing is saved yet. */
const proposeRule: ValidateForm = async (form, parts) => {
  const purpose = parts.asksPurpose ? readPurpose(form) : ok(undefined);
  if (!purpose.ok) return rejectForm(purpose.refusal, inputs.purpose);
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
  { input, metadata: [channel = ''] }: SubmittedForm,
  purpose: string | undefined,
): ProposedRule | undefined {
  const chosen = input(accessInputs.who)?.selected_option?.value;
  const who = chosen === 'group' || chosen === 'person' ? chosen : 'everyone';
  const level = parseLevel(input(accessInputs.level)?.selected_option?.value);
  if (level === undefined) return undefined;
  const id =
    who === 'group'
      ? input(accessInputs.group)?.selected_option?.value
      : input(accessInputs.person)?.selected_user;
  const named = (input(accessInputs.reports)?.selected_options ?? []).map(({ value }) => value);
  const reports = allReports.flatMap(({ name }) => (named.includes(name) ? name : []));
  return { who, id: who === 'everyone' ? undefined : (id ?? undefined), reports, level, purpose, channel };
}

/** Save, under the preview. The rule holds from the next question on. */
const confirmRule: ValidateForm = async ({ asker, view }, parts) => {
  // Slack returns what confirmAccessView put there, and nobody else can change it.
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

/** Add an admin. */
const addAdmin: ValidateForm = async ({ asker, input, metadata: [channel = ''] }, parts) => {
  const admin = input(accessInputs.person)?.selected_user ?? '';
  const reason = await memberRefusal(admin, parts.people);
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

/** Delete old files: sets after how many days, in this channel and in direct messages. */
const setAges: ValidateForm = async ({ asker, input, view, metadata: [channel = ''] }, parts) => {
  const settings: { readonly subject: string; readonly days: number | undefined }[] = [];
  for (const [subject, name] of [
    [channel, accessInputs.days],
    [directMessages, accessInputs.directDays],
  ] as const) {
    // In direct messages, the form has no input for the channel.
    if (view.state.values[name] === undefined) continue;
    const typed = input(name)?.value ?? '';
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

export const accessFormRoutes = (): readonly Route[] => [
  submission(accessViews.set, ['member', 'admin'], proposeRule),
  submission(accessViews.confirm, ['member', 'admin'], confirmRule),
  submission(accessViews.addAdmin, ['member', 'admin'], addAdmin),
  submission(accessViews.age, ['member', 'admin'], setAges),
];
