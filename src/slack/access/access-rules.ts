import type { AccessRule, RuleSubject } from '../../access/levels.js';
import { ok, refused } from '../../errors/failure.js';
import { formatPlural } from '../../figures/format/values.js';
import type { AdminRemoval } from '../../store/access/rules.js';
import type { ListenerParts } from '../answers/context.js';
import type { ProposedRule } from '../forms/access-forms.js';
import { previewLines } from '../messages/access-levels.js';
import { notice } from '../messages/notices.js';
import { nameOfSubject } from './access-facts.js';
import { formatSubject } from './access-page.js';

/** Each question of a person may look up all groups with rules. */
const maxGroupsWithRules = 15;

function subjectOf({ who, id }: ProposedRule): RuleSubject | undefined {
  if (who === 'everyone') return { kind: 'everyone' };
  return id === undefined ? undefined : { kind: who, id };
}

/**
 * Checks a rule before its preview and again before it is saved. Refuses with a sentence for the admin. `lines`: what each
 * person would be able to see, one sentence each.
 */
export async function checkRule(proposed: ProposedRule, parts: ListenerParts) {
  const { reports, level } = proposed;
  const subject = subjectOf(proposed);
  if (!subject) return refused('Choose whom the rule is for.');
  const rules = await parts.store.accessRules.all();
  const before = rules.filter((rule) => formatSubject(rule.subject) === formatSubject(subject));
  const isChanged = (rule: AccessRule) =>
    reports.length === 0
      ? rule.report === undefined
      : rule.report !== undefined && reports.includes(rule.report);
  if (level === 'none' && !before.some(isChanged))
    return refused('They have no such rule, so nothing changes.');
  // Rules of people who left and of deleted groups can still end.
  const reason = level === 'none' ? undefined : await subjectRefusal(subject, rules, parts);
  if (reason !== undefined) return refused(reason);
  const lines = [
    ...previewLines({ level, reports }, before, parts.smallestGroup),
    ...(await subjectLines(subject, parts)),
  ];
  return ok({ subject, name: await nameOfSubject(subject, parts), lines });
}

async function subjectRefusal(subject: RuleSubject, rules: readonly AccessRule[], parts: ListenerParts) {
  const { userGroups } = parts;
  if (subject.kind === 'everyone') return undefined;
  if (subject.kind === 'person') return memberRefusal(subject.id, parts);
  const groups = await userGroups.all();
  if (!groups && (await userGroups.areHidden())) return lacksGroups;
  if (!groups) return 'Slack did not list the user groups. Try again in a minute.';
  if (!groups.some(({ id }) => id === subject.id)) {
    return 'That user group no longer exists. Choose another one.';
  }
  if ((await userGroups.sizeOf(subject.id)) === undefined) {
    return 'Slack does not tell me who is in that user group. Choose another one, or try again later.';
  }
  const others = rules.flatMap((rule) =>
    rule.subject.kind === 'group' && rule.subject.id !== subject.id ? rule.subject.id : [],
  );
  return new Set(others).size < maxGroupsWithRules
    ? undefined
    : `At most ${maxGroupsWithRules} user groups can have rules. End the rules of another group first.`;
}

/** Where an admin wants to choose a user group, and the app may not read them. */
export const lacksGroups =
  'My Slack app may not read user groups. Ask your operator to give it the scope usergroups:read, or choose people one by one.';

/** Why a person can neither have a rule nor be an admin. Undefined for members. */
export async function memberRefusal(id: string, { people }: ListenerParts): Promise<string | undefined> {
  return memberRefusals[(await people.find(id)).standing];
}

const noMember = 'Apps, guests and people from other organizations cannot ask for reports. Choose a member.';

const memberRefusals = {
  member: undefined,
  unknown: 'Slack could not tell me who that is. Try again in a minute.',
  gone: 'That person has left this workspace. Choose a member.',
  bot: noMember,
  guest: noMember,
  outsider: noMember,
};

async function subjectLines(subject: RuleSubject, parts: ListenerParts) {
  if (subject.kind === 'everyone') return ['Rules for a person or a user group go before this one.'];
  if (subject.kind === 'group') {
    const size = await parts.userGroups.sizeOf(subject.id);
    const members =
      size === undefined ? [] : [`${formatPlural(size, ['person is', 'people are'])} in it now.`];
    return [
      ...members,
      'A rule for a person goes before this one. Of several groups, the widest level holds.',
    ];
  }
  const isAdmin = await parts.access.isAdmin(subject.id);
  return isAdmin ? ['This person is an admin, and admins may ask for everything.'] : [];
}

/** Removes an admin, if an admin is left who is a member of the workspace. */
export async function removeAdmin(id: string, by: string, parts: ListenerParts): Promise<AdminRemoval> {
  const { access, people, configuredAdmins, store, clock } = parts;
  const others = (await access.admins()).filter((admin) => admin !== id);
  // The transaction cannot wait for Slack, so the members among the admins are known before it.
  const members = new Set<string>();
  for (const admin of others) if ((await people.find(admin)).standing === 'member') members.add(admin);
  return store.admins.remove(id, { by, at: clock.now() }, (left) =>
    [...configuredAdmins, ...left].some((admin) => members.has(admin)),
  );
}

/** Ends the rules of a deleted group, and tells the admins once. Never throws. */
export async function endRulesOfGroup(
  id: string,
  parts: Pick<ListenerParts, 'store' | 'configuredAdmins' | 'client' | 'clock' | 'log'>,
): Promise<void> {
  const { store, configuredAdmins, clock, log } = parts;
  try {
    const setters = (await store.accessRules.all()).flatMap(({ subject, by }) =>
      subject.kind === 'group' && subject.id === id && by !== '' ? by : [],
    );
    // Two events about one group remove its rules once, so admins are told once.
    const removed = await store.accessRules.removeSubject({ kind: 'group', id }, { at: clock.now() });
    if (removed === 0) return;
    log.info({ removed }, 'A user group was deleted, so its access rules ended');
    const named = [...configuredAdmins, ...(await store.admins.all()).map(({ person }) => person)];
    const rules = removed === 1 ? 'access rule' : `${removed} access rules`;
    // Where no admin is named, owners of the workspace set the rules.
    await tellAdmins(
      named.length > 0 ? named : setters,
      `A user group was deleted, so its ${rules} ended. Type /report access to see what holds now.`,
      parts,
    );
  } catch (err) {
    log.error({ err }, 'The rules of a deleted user group could not be removed');
  }
}

/** Sends a sentence to the direct messages of admins. Never throws. */
export async function tellAdmins(
  admins: readonly string[],
  sentence: string,
  { client, log }: Pick<ListenerParts, 'client' | 'log'>,
): Promise<void> {
  const { text, blocks = [] } = notice(sentence);
  for (const channel of new Set(admins)) {
    await client.chat
      .postMessage({ channel, text, blocks: [...blocks] })
      .catch((err: unknown) => log.error({ err }, 'An admin could not be told'));
  }
}
