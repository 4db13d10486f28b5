import type { AccessRule, Level } from '../../access/levels.js';
import type { Scope } from '../../access/scope.js';
import { allReports, hasLearners, type ReportName } from '../../catalogue/index.js';
import type { AccessRefusal, PersonLevelPart } from '../../errors/request-failures.js';
import { compact, displayText } from '../../requests/text.js';

export const levelWords = {
  everything: {
    label: 'Everything',
    allows: 'Totals, rows, files and names of all people',
    /** For those who have it. */
    own: 'You may ask for everything: totals, rows, files and names.',
    /** For the admin who gives it. */
    theirs: 'They can ask for everything: totals, rows, files and names of all people.',
    /** Its limits in the form, above the filters, and above the file and the columns. */
    filters: undefined,
    file: undefined,
  },
  team: {
    label: 'Team',
    allows: 'Totals of everybody; rows, files and names of their own team',
    own: 'You may ask for totals of everybody. Rows, files and names are limited to your team.',
    theirs:
      'They can ask for totals of everybody. Rows, files and names are limited to the people they manage and themselves.',
    filters: 'With a filter on people, the answer is about your team only.',
    file: 'With a file, columns or a breakdown by people, the answer is about your team only.',
  },
  totals: {
    label: 'Totals',
    allows: 'Totals without names; their own records in direct messages',
    own: 'You may ask for totals without names, and for your own records in direct messages (email:me).',
    theirs: 'They can ask for totals without names, and for their own records in direct messages.',
    filters: 'You may ask for totals, and for your own records: set the email filter to “me”.',
    file: 'A file, columns and a breakdown by people work for your own records only.',
  },
  nothing: {
    label: 'Nothing',
    allows: 'No reports at all',
    own: 'You may not ask for it.',
    theirs: 'They cannot ask for these reports.',
    filters: undefined,
    file: undefined,
  },
};

/** Whom to ask for more: `Ada Lovelace or Noah Okafor`. Plain text, so that no one is mentioned. */
export function whomToAsk(admins: readonly string[]): string {
  const names = admins.map((name) => displayText(name, 60));
  return names.length > 0 ? anyOf.format(names) : 'an owner of this Slack workspace';
}

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function formatReports(reports: readonly ReportName[]): string {
  return reports.length === 0 ? 'all reports' : reports.join(', ');
}

/** The effects of a rule, for its preview: what each person could see, and exceptions. One sentence each. */
export function previewLines(
  { level, reports }: { readonly level: Level | 'none'; readonly reports: readonly ReportName[] },
  before: readonly AccessRule[],
  smallestGroup: number,
): readonly string[] {
  const named: readonly (ReportName | undefined)[] = reports.length === 0 ? [undefined] : reports;
  const replaced = before.filter((rule) => named.includes(rule.report));
  const others = before.filter((rule) => !named.includes(rule.report));
  const formatRule = (rule: AccessRule) =>
    `${rule.report ?? 'all reports'} (${levelWords[rule.level].label.toLowerCase()})`;
  return compact(
    level === 'none'
      ? ['They get what other rules say. Where no rule holds, they get the default level.']
      : [levelWords[level].theirs, ...exceptions(level, reports, smallestGroup)],
    replaced.length > 0 &&
      `${level === 'none' ? 'Ends' : 'Replaces'} the rule for ${replaced.map(formatRule).join(' and for ')}.`,
    others.length > 0 && `Stays as it is: the rule for ${others.map(formatRule).join(' and for ')}.`,
    others.some(({ report }) => report !== undefined) &&
      reports.length === 0 &&
      'A rule that names a report goes before one for all reports.',
  );
}

function exceptions(level: Level, reports: readonly ReportName[], smallestGroup: number) {
  const included = allReports.filter(({ name }) => reports.length === 0 || reports.includes(name));
  const withoutLearners = included.filter((report) => !hasLearners(report));
  const limits = smallestGroup > 1 && withoutLearners.length < included.length;
  return compact(
    level === 'team' &&
      withoutLearners.length > 0 &&
      `They see everything of ${formatReports(withoutLearners.map(({ name }) => name))}, because these rows are not about learners.`,
    level === 'team' && 'A person without a confirmed email address gets totals.',
    limits &&
      (level === 'team' || level === 'totals') &&
      `Totals show no figure about fewer than ${smallestGroup} people.`,
  );
}

export function describeAccessRefusal(refusal: AccessRefusal): string {
  switch (refusal.kind) {
    case 'nothing':
      return `You may not ask for this report. To change that, ask ${whomToAsk(refusal.admins ?? [])}.`;
    case 'other-team':
      return 'You may ask about your own team only. If people report to you, type manager_email:me.';
    case 'evidence-place':
      return 'Evidence comes in direct messages only. Send me the same words in a direct message, or add to:me.';
    case 'evidence-level':
      return 'Evidence needs the access level “everything” or “team”, and you have “totals”. To change that, ask an admin.';
    case 'not-released':
      return `Conditions can't be about ${listed.format(refusal.fields)}, because no admin has released it. Leave it out, or ask an admin to release it in /report access.`;
    case 'assistant':
      return 'An assistant gets totals only: no rows, columns or files, and nothing about single people. Ask for the totals, or call the tool send_rows with the same question, which sends the rows to the asker’s direct messages.';
    case 'not-everything':
      return 'Only people who may ask for everything send to managers.';
    case 'totals-only':
      if (refusal.noAddress) {
        return 'Slack has no confirmed email address for you, so I cannot tell which records and which team are yours. Confirm it in your Slack account, or ask for totals.';
      }
      return `You may ask for totals only, so leave out ${listed.format(refusal.wants.map((part) => personLevelParts[part]))}.${ownRecords(refusal)}`;
  }
}

const listed = new Intl.ListFormat('en-GB');

const personLevelParts = {
  filter: 'any filter on people',
  breakdown: 'the breakdown by person',
  columns: 'the columns',
  rows: 'the rows',
  file: 'the file',
};

/** Another filter on people beside `email:me` would leave no records. */
function ownRecords({ mayAskForSelf, wants }: AccessRefusal & { readonly kind: 'totals-only' }) {
  if (!mayAskForSelf) return '';
  return wants.includes('filter')
    ? ' For your own records, type email:me as the only filter on people.'
    : ' For your own records, add email:me.';
}

/** The owner of a level, as the reader of the sentence knows them. */
export type Whose = 'your' | 'its owner’s';

const digestParts = {
  filter: 'filters by person',
  breakdown: 'is broken down by person',
  columns: 'shows columns',
  rows: 'shows rows',
  file: 'has a file',
};

function wanted(wants: readonly PersonLevelPart[]) {
  return listed.format(wants.map((part) => digestParts[part]));
}

/** Why a level of access does not allow a digest. One sentence, or two. */
export function digestAccessRefusal(refusal: AccessRefusal, whose: Whose): string {
  const level = `${whose === 'your' ? 'Your' : 'Its owner’s'} access level`;
  switch (refusal.kind) {
    case 'nothing':
      return `${level} does not allow this report.`;
    case 'totals-only':
      return refusal.noAddress
        ? `Slack has not confirmed ${whose} email address, so only totals are allowed, and it ${wanted(refusal.wants)}.`
        : `${level} allows totals only, and it ${wanted(refusal.wants)}.`;
    case 'evidence-place':
      return 'Evidence comes in direct messages only, and this digest goes to a channel.';
    case 'evidence-level':
      return `${level} does not allow evidence.`;
    case 'other-team':
      return `${level} allows only ${ownOf(whose)} team, and it filters by another manager.`;
    case 'not-released':
      return `It has a condition on ${listed.format(refusal.fields)}, and no admin has released it.`;
    case 'assistant':
      return describeAccessRefusal(refusal);
    case 'not-everything':
      return `${level} is below “everything”, which sending to managers needs.`;
  }
}

export const digestAccessFix = 'Ask an admin for access, hand it over, or change it.';

/** The limits of a level in a digest, for its preview. */
export function digestLimits({ rows, smallestGroup, onlyDirect }: Scope, whose: Whose): readonly string[] {
  return compact(
    rows === 'team' && `Limited to ${ownOf(whose)} team.`,
    rows === 'self' && `Limited to ${whose} own records.`,
    onlyDirect && `It goes to ${whose} direct messages.`,
    smallestGroup > 1 && `It shows no figure about fewer than ${smallestGroup} people.`,
  );
}

function ownOf(whose: Whose) {
  return whose === 'your' ? 'your' : 'the owner’s';
}
