import type { ModalView } from '@slack/types';
import { type Level, levels } from '../../access/levels.js';
import { allReports, type ReportName } from '../../catalogue/index.js';
import { directMessages } from '../../posts/posted-items.js';
import { compact } from '../../requests/text.js';
import { formatReports, levelWords } from '../messages/access-levels.js';
import { bulletList, section } from '../messages/blocks.js';
import { form, purposeInput } from './forms.js';
import {
  type Choice,
  daysInput,
  type FormValues,
  input,
  multiSelectInput,
  personInput,
  radioInput,
  textIn,
} from './inputs.js';

/** Inputs of the forms of access. Block and action have the same name. */
export const accessInputs = {
  who: 'access_who',
  /** Slack requests suggestions for it. */
  group: 'access_group',
  person: 'access_person',
  reports: 'access_reports',
  level: 'access_level',
  days: 'access_days',
  since: 'access_since',
  /** The same for everybody's direct messages. */
  directDays: 'access_direct_days',
} as const;

export const accessViews = {
  /** Its private metadata is the channel's ID. */
  set: 'access_set_form',
  /** Shows what a rule would do. Its private metadata is the rule, as JSON. */
  confirm: 'access_confirm',
  /** Its private metadata is the channel's ID. */
  addAdmin: 'access_add_admin_form',
  /** Its private metadata is the channel's ID. */
  age: 'access_age_form',
  rules: 'access_rules_form',
} as const;

export type Who = 'everyone' | 'group' | 'person';

const people: readonly Choice[] = [
  { value: 'everyone', text: 'Everyone' },
  { value: 'group', text: 'A user group' },
  { value: 'person', text: 'A person' },
];

/** `none`: the rule ends. */
export type ChosenLevel = Level | 'none';

const levelChoices: readonly Choice[] = [
  ...levels.map((level) => ({
    value: level,
    text: levelWords[level].label,
    description: levelWords[level].allows,
  })),
  { value: 'none', text: 'No rule', description: 'Removes their rule' },
];

export function parseLevel(value: string): ChosenLevel | undefined {
  return value === 'none' ? value : levels.find((level) => level === value);
}

export function whoIn(values: FormValues): Who {
  const chosen = textIn(values, accessInputs.who);
  return chosen === 'group' || chosen === 'person' ? chosen : 'everyone';
}

/**
 * The form in which an admin sets a rule. What is chosen stays while *who* changes.
 *
 * @param channel where the reply goes
 * @param withoutGroups why no user group can be chosen; absent where one can
 */
export function accessForm(
  channel: string,
  who: Who,
  { asksPurpose }: { readonly asksPurpose: boolean },
  withoutGroups?: string,
): ModalView {
  const group = input(
    accessInputs.group,
    { label: 'User group', placeholder: 'Type a name' },
    { type: 'external_select', min_query_length: 0 },
  );
  return form(
    accessViews.set,
    channel,
    'Set access',
    'Next',
    compact(
      radioInput(accessInputs.who, 'Who', people, who, { dispatches: true }),
      who === 'group' && (withoutGroups === undefined ? group : section(withoutGroups)),
      who === 'person' && personInput(accessInputs.person, 'Person'),
      multiSelectInput(
        accessInputs.reports,
        { label: 'Reports', hint: 'Leave empty for all reports.', placeholder: 'All reports' },
        allReports.map(({ name, title }) => ({ value: name, text: title })),
        [],
      ),
      radioInput(accessInputs.level, 'They may ask for', levelChoices),
      asksPurpose && purposeInput('What the rule is for'),
    ),
  );
}

/** A rule that waits for its confirmation, in the private metadata of a form. */
export interface ProposedRule {
  readonly who: Who;
  /** Absent for everyone. */
  readonly id?: string;
  /** Empty: one rule for all reports. */
  readonly reports: readonly ReportName[];
  readonly level: ChosenLevel;
  readonly purpose?: string;
  /** Where the reply goes. */
  readonly channel: string;
}

/** `name` is the subject, as people know it; `lines` say what each person would see, one sentence each. */
export function confirmAccessView(proposed: ProposedRule, name: string, lines: readonly string[]): ModalView {
  return form(accessViews.confirm, JSON.stringify(proposed), 'Set access', 'Save', [
    section(ruleSentence(proposed, name)),
    bulletList(...lines),
    section('Nothing is saved yet. The rule holds from the next question after you save it.'),
  ]);
}

/** `@sales, engagement: totals.` */
export function ruleSentence(
  { reports, level }: Pick<ProposedRule, 'reports' | 'level'>,
  name: string,
): string {
  const what = level === 'none' ? 'no rule' : levelWords[level].label.toLowerCase();
  return `${name}, ${formatReports(reports)}: ${what}.`;
}

/** After how many days Rollcall deletes its files in a channel and in direct messages. `days`: as set now. */
/** Asks from when on changes and requests are in the file for a works council. */
export function rulesForm(since: string): ModalView {
  return form(accessViews.rules, '', 'Rules of today', 'Make the file', [
    section(
      'A page for a works council or a data protection officer, in your direct messages: levels and rules, what changed, how much was asked. It names nobody.',
    ),
    input(accessInputs.since, 'Changes and requests since', { type: 'datepicker', initial_date: since }),
  ]);
}

export function channelAgeForm(
  channel: string,
  days: { readonly here: number | undefined; readonly direct: number | undefined },
): ModalView {
  const daysIn = (where: string, name: string, now: number | undefined) =>
    daysInput(name, `Delete files and rows ${where} after (days)`, now?.toString());
  return form(
    accessViews.age,
    channel,
    'Delete old files',
    'Save',
    compact(
      section(
        'This deletes files that I post from now on. I can delete only what I posted as a member of the channel: replies through a command elsewhere stay.',
      ),
      !channel.startsWith(directMessages) && daysIn('here', accessInputs.days, days.here),
      daysIn('in direct messages with me', accessInputs.directDays, days.direct),
    ),
  );
}
