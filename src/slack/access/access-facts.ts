import type { AccessRule, Level, RuleSubject } from '../../access/levels.js';
import { levelForReport } from '../../access/scope.js';
import { allReports, type ReportName } from '../../catalogue/index.js';
import type { ListenerParts } from '../answers/context.js';
import type { Conversation, PlacedContext } from '../context/request-context.js';

/** Names of rules beyond these are not shown. */
export const maxNamedRules = 25;

/** What `/report access` shows: what the reader may ask, and for admins the rules. */
export async function accessFacts({ asker, channel, conversation }: PlacedContext, parts: ListenerParts) {
  const { access, smallestGroup, userGroups } = parts;
  const { personLevel } = conversation;
  const own: [ReportName, Level][] = [];
  /** True where `team` holds for the reader, but Slack has confirmed no address. */
  let lacksAddress = false;
  for (const { name } of allReports) {
    const theirs = await access.accessOf(asker, name);
    own.push([name, levelForReport({ report: name }, theirs)]);
    lacksAddress ||= theirs.level === 'team' && theirs.address === undefined;
  }
  const rules = await parts.store.accessRules.all();
  return {
    channel,
    personLevel,
    own: Object.fromEntries(own) as Record<ReportName, Level>,
    lacksAddress,
    /** True where rules for user groups can only narrow levels. Slack is only asked where a rule names a group. */
    groupsAreHidden: rules.some(({ subject }) => subject.kind === 'group') && (await userGroups.areHidden()),
    smallestGroup,
    /** Empty where owners of the workspace are the admins. */
    admins: await access.adminNames(),
    forAdmins: (await access.isAdmin(asker)) ? await adminFacts(conversation, rules, parts) : undefined,
  };
}

export type AccessFacts = Awaited<ReturnType<typeof accessFacts>>;

async function adminFacts(
  { channel, personLevel }: Conversation,
  rules: readonly AccessRule[],
  parts: ListenerParts,
) {
  const { store, access, configuredAdmins, defaultAccess, personLevelChannels } = parts;
  const named: (AccessRule & { readonly name: string })[] = [];
  for (const rule of rules) {
    const name = named.length < maxNamedRules ? await nameOfSubject(rule.subject, parts) : '';
    named.push({ ...rule, name });
  }
  const admins = (await access.admins()).map(async (id) => ({
    id,
    name: await nameOfPerson(id, parts),
    /** Named in ROLLCALL_ADMINS, so that only the operator removes them. */
    isConfigured: configuredAdmins.includes(id),
  }));
  return {
    defaultAccess,
    rules: named,
    admins: await Promise.all(admins),
    configuredChannels: personLevelChannels,
    approved: await store.approvals.approvedChannels(),
    released: await store.approvals.releasedKeys(),
    /** From when on people see who asked about them; undefined: they do not. */
    askerNamesFrom: await store.recordSettings.askerNamesFrom(),
    readers: personLevel === 'not-approved' ? await parts.readersOf(channel) : undefined,
  };
}

export type AdminFacts = NonNullable<AccessFacts['forAdmins']>;

async function nameOfPerson(id: string, { people }: ListenerParts) {
  return (await people.find(id)).name ?? id;
}

export async function nameOfSubject(subject: RuleSubject, parts: ListenerParts): Promise<string> {
  if (subject.kind === 'everyone') return 'Everyone';
  if (subject.kind === 'person') return nameOfPerson(subject.id, parts);
  const group = (await parts.userGroups.all())?.find(({ id }) => id === subject.id);
  return group ? `@${group.handle}` : `User group ${subject.id}`;
}
