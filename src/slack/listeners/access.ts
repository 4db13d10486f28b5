import type { RuleSubject } from '../../access/levels.js';
import { recordExport } from '../../access/record.js';
import { htmlOf } from '../../access/record-page.js';
import { allReports } from '../../catalogue/index.js';
import { ok, refused } from '../../errors/failure.js';
import { formatPlural } from '../../figures/format/values.js';
import { directMessages } from '../../posts/posted-items.js';
import { parseKeepDays } from '../../schedule/keep-days.js';
import { nameOfSubject } from '../access/access-facts.js';
import { accessActions } from '../access/access-page.js';
import { checkRule, lacksGroups, memberRefusal, removeAdmin } from '../access/access-rules.js';
import { rulesOfToday } from '../access/rules-of-today.js';
import {
  accessForm,
  accessInputs,
  accessViews,
  channelAgeForm,
  confirmAccessView,
  type ProposedRule,
  parseLevel,
  ruleSentence,
  rulesForm,
  whoIn,
} from '../forms/access-forms.js';
import { form } from '../forms/forms.js';
import { listIn, personInput, readInputs } from '../forms/inputs.js';
import { updateView } from '../forms/modal.js';
import { formatReports } from '../messages/access-levels.js';
import { section } from '../messages/blocks.js';
import { describeFailure } from '../messages/failures.js';
import { sharePage, today } from './record.js';
import { input, type OnPress, opens, press, type Route } from './router.js';
import { readPurpose, rejectForm, submission, type ValidateForm } from './submission.js';

const removeRule: OnPress = async ({ value, context, purpose, reply }, parts) => {
  const [kind, id = '', name = ''] = value.split(' ');
  const subject: RuleSubject = kind === 'group' || kind === 'person' ? { kind, id } : { kind: 'everyone' };
  const report = allReports.find((candidate) => candidate.name === name)?.name;
  const actor = { by: context.asker, at: parts.clock.now(), purpose };
  const removed = await parts.store.accessRules.remove(subject, report, actor);
  const whose = `the rule of ${await nameOfSubject(subject, parts)} for ${formatReports(report ? [report] : [])}`;
  await reply(
    removed
      ? `Removed ${whose}. It no longer holds from the next question on.`
      : `Somebody removed ${whose} already.`,
  );
};

/** Shows what the rule would do. Nothing is saved yet. */
const proposeRule: ValidateForm = async (form, parts) => {
  const { text, values, metadata } = form;
  const purpose = readPurpose(form, parts);
  if (!purpose.ok) return purpose;
  const level = parseLevel(text(accessInputs.level));
  if (level === undefined) return rejectForm('Choose what they may ask for.', accessInputs.level);
  const who = whoIn(values);
  const named = listIn(values, accessInputs.reports);
  const proposed: ProposedRule = {
    who,
    id: who === 'everyone' ? undefined : text(accessInputs[who]) || undefined,
    reports: allReports.flatMap(({ name }) => (named.includes(name) ? name : [])),
    level,
    purpose: purpose.value,
    channel: metadata[0] ?? '',
  };
  const checked = await checkRule(proposed, parts);
  return checked.ok
    ? refused({ replaceWith: confirmAccessView(proposed, checked.value.name, checked.value.lines) })
    : rejectForm(checked.refusal, who === 'everyone' ? undefined : accessInputs[who]);
};

/** Sets after how many days files are deleted, in this channel and in direct messages. */
const setAges: ValidateForm = async ({ asker, text, values, metadata: [channel = ''], reply }, parts) => {
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
    const sentences = ['Saved.'];
    for (const { subject, days } of settings) {
      await parts.store.channelAges.set(subject, days, asker.id, parts.clock.now());
      const files = `Files that I post ${subject === directMessages ? 'in direct messages' : 'here'}`;
      sentences.push(
        days === undefined
          ? `${files} stay.`
          : `${files} from now on are deleted after ${formatPlural(days, ['day', 'days'])}.`,
      );
    }
    await reply(sentences.join(' '), channel);
  });
};

/** The form of the rules begins with changes of this long. */
const defaultRulesMs = 90 * 24 * 3_600_000;

export const accessRoutes = (): readonly Route[] => [
  opens(accessActions.set, 'admin', 'Set access', async ({ context }, parts) =>
    ok(accessForm(context.channel, 'everyone', parts)),
  ),
  input(accessInputs.who, 'admin', async ({ form }, parts) => {
    if (!form) return;
    const who = whoIn(readInputs(form.state.values));
    const hidden = who === 'group' && (await parts.userGroups.areHidden());
    const view = accessForm(form.private_metadata, who, parts, hidden ? lacksGroups : undefined);
    await updateView(form.id, view, parts);
  }),
  press(accessActions.removeRule, 'admin', removeRule, { asksPurpose: true }),
  opens(accessActions.addAdmin, 'admin', 'Add an admin', async ({ context }) => {
    const explained = section(
      'Admins may ask for everything, set rules, approve channels and read who asked what. Where admins are named, owners of the workspace are admins only if they are named too.',
    );
    const person = personInput(accessInputs.person, 'New admin');
    return ok(form(accessViews.addAdmin, context.channel, 'Add an admin', 'Add', [explained, person]));
  }),
  press(accessActions.removeAdmin, 'admin', async ({ value: admin, context, reply }, parts) => {
    if (parts.configuredAdmins.includes(admin))
      return reply('ROLLCALL_ADMINS names this admin. Ask your operator to change it.');
    const name = await nameOfSubject({ kind: 'person', id: admin }, parts);
    const sentences = {
      removed: `${name} is no longer an admin.`,
      absent: `${name} was not an admin any more.`,
      last: 'Nobody else could set rules then. Add another admin first.',
    };
    await reply(sentences[await removeAdmin(admin, context.asker, parts)]);
  }),
  opens(accessActions.setAge, 'admin', 'Delete old files', async ({ context: { channel } }, parts) => {
    const { channelAges } = parts.store;
    const [here, direct] = await Promise.all([channelAges.find(channel), channelAges.find(directMessages)]);
    return ok(channelAgeForm(channel, { here, direct }));
  }),
  press(
    accessActions.askerNames,
    'admin',
    async ({ value, context, purpose, reply }, parts) => {
      const shows = value === 'show';
      const actor = { by: context.asker, at: parts.clock.now(), purpose };
      const isChanged = await parts.store.recordSettings.showAskerNames(shows, actor);
      const said = shows
        ? 'From now on, people see in their own record who asks about them. What was asked before stays without names.'
        : 'People no longer see in their own record who asked about them.';
      await reply(isChanged ? said : 'Somebody set this already.');
    },
    { asksPurpose: true },
  ),
  opens(accessActions.rules, 'admin', 'Rules of today', async (_pressed, { clock }) =>
    ok(rulesForm(new Date(clock.now() - defaultRulesMs).toISOString().slice(0, 10))),
  ),
  submission(accessViews.rules, 'admin', async ({ asker, context, text, reply }, parts) => {
    const since = Date.parse(`${text(accessInputs.since)}T00:00Z`);
    if (Number.isNaN(since)) return rejectForm('Choose a day.', accessInputs.since);
    if (since > parts.clock.now()) return rejectForm('Choose a day that has begun.', accessInputs.since);
    return ok(async () => {
      const { requestId: id } = context;
      try {
        const page = await rulesOfToday(since, parts);
        const details = { title: page.title, as: 'file' } as const;
        const event = { kind: 'record-read', at: parts.clock.now(), person: asker.id, details } as const;
        const record = () => recordExport(parts.store.events, event);
        await sharePage(page, htmlOf, `rules_${today(parts)}.html`, { asker: asker.id, id, record }, parts);
      } catch (error) {
        parts.log.warn({ err: error, id }, 'The rules of today were not shared');
        await reply(describeFailure(error, id).sentence);
      }
    });
  }),
  submission(accessViews.set, 'admin', proposeRule),
  // The rule holds from the next question on.
  submission(accessViews.confirm, 'admin', async ({ asker, view, reply }, parts) => {
    // Slack returns what confirmAccessView put there, and no one else can change it.
    const proposed = JSON.parse(view.private_metadata) as ProposedRule;
    const checked = await checkRule(proposed, parts);
    if (!checked.ok) return rejectForm(checked.refusal);
    const { subject, name } = checked.value;
    const { reports, level, purpose } = proposed;
    const { accessRules } = parts.store;
    return ok(async () => {
      const actor = { by: asker.id, at: parts.clock.now(), purpose };
      // The latest rule of a subject for a report replaces the one before.
      for (const report of reports.length === 0 ? [undefined] : reports) {
        if (level === 'none') await accessRules.remove(subject, report, actor);
        else await accessRules.set({ subject, report, level }, actor);
      }
      await reply(`Saved. ${ruleSentence(proposed, name)}`, proposed.channel);
    });
  }),
  submission(accessViews.addAdmin, 'admin', async ({ asker, text, metadata, reply }, parts) => {
    const admin = text(accessInputs.person);
    const reason = await memberRefusal(admin, parts);
    if (reason !== undefined) return rejectForm(reason, accessInputs.person);
    if ((await parts.access.admins()).includes(admin))
      return rejectForm('This person is an admin already.', accessInputs.person);
    return ok(async () => {
      await parts.store.admins.add(admin, asker.id, parts.clock.now());
      const name = await nameOfSubject({ kind: 'person', id: admin }, parts);
      await reply(`${name} is an admin now.`, metadata[0]);
    });
  }),
  submission(accessViews.age, 'admin', setAges),
];
