import type { InputBlock, ModalView } from '@slack/types';
import { type Level, levels } from '../../access/levels.js';
import { allReports, type ReportName } from '../../catalogue/index.js';
import { directMessages } from '../../posts/posted-items.js';
import { compact } from '../../requests/compact.js';
import { accessInputs, accessViews } from '../ids.js';
import { formatReports, levelWords } from '../messages/access-levels.js';
import { bulletList, plainText, richText, section } from '../messages/blocks.js';
import { purposeInput } from './forms.js';
import { type Choice, option } from './inputs.js';
import { keepDaysInput } from './schedule-form.js';

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

export function parseLevel(value: string | undefined): ChosenLevel | undefined {
  return levelChoices.some((choice) => choice.value === value) ? (value as ChosenLevel) : undefined;
}

/**
 * The form in which an admin sets a rule. Slack keeps what is chosen while *who* changes.
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
  const chosen = people.filter(({ value }) => value === who).map(option);
  return {
    type: 'modal',
    callback_id: accessViews.set,
    private_metadata: channel,
    title: plainText('Set access'),
    submit: plainText('Next'),
    close: plainText('Cancel'),
    blocks: compact(
      {
        type: 'input',
        block_id: accessInputs.who,
        label: plainText('Who'),
        dispatch_action: true,
        element: {
          type: 'radio_buttons',
          action_id: accessInputs.who,
          options: people.map(option),
          initial_option: chosen[0],
        },
      },
      who === 'group' && (withoutGroups === undefined ? groupInput() : section(withoutGroups)),
      who === 'person' && personInput('Person'),
      {
        type: 'input',
        block_id: accessInputs.reports,
        label: plainText('Reports'),
        hint: plainText('Leave empty for all reports.'),
        optional: true,
        element: {
          type: 'multi_static_select',
          action_id: accessInputs.reports,
          placeholder: plainText('All reports'),
          options: allReports.map(({ name, title }) => option({ value: name, text: title })),
        },
      },
      {
        type: 'input',
        block_id: accessInputs.level,
        label: plainText('They may ask for'),
        element: {
          type: 'radio_buttons',
          action_id: accessInputs.level,
          options: levelChoices.map(option),
        },
      },
      asksPurpose && purposeInput('What the rule is for'),
    ),
  };
}

function groupInput(): InputBlock {
  return {
    type: 'input',
    block_id: accessInputs.group,
    label: plainText('User group'),
    element: {
      type: 'external_select',
      action_id: accessInputs.group,
      placeholder: plainText('Type a name'),
      min_query_length: 0,
    },
  };
}

function personInput(label: string): InputBlock {
  return {
    type: 'input',
    block_id: accessInputs.person,
    label: plainText(label),
    element: { type: 'users_select', action_id: accessInputs.person },
  };
}

/** A rule that waits for its confirmation, in the private metadata of a form. */
export interface ProposedRule {
  readonly who: Who;
  /** Absent for everyone. */
  readonly id?: string | undefined;
  /** Empty: one rule for all reports. */
  readonly reports: readonly ReportName[];
  readonly level: ChosenLevel;
  readonly purpose?: string | undefined;
  /** Where the reply goes. */
  readonly channel: string;
}

/**
 * Says what a rule would do, before it is saved.
 *
 * @param name the subject, as people know it
 * @param lines what each person would be able to see, one sentence each
 */
export function confirmAccessView(proposed: ProposedRule, name: string, lines: readonly string[]): ModalView {
  return {
    type: 'modal',
    callback_id: accessViews.confirm,
    private_metadata: JSON.stringify(proposed),
    title: plainText('Set access'),
    submit: plainText('Save'),
    close: plainText('Cancel'),
    blocks: [
      section(ruleSentence(proposed, name)),
      bulletList(...lines.map((line) => [richText(line)])),
      section('Nothing is saved yet. The rule holds from the next question after you save it.'),
    ],
  };
}

/** `@sales, engagement: totals.` */
export function ruleSentence(
  { reports, level }: Pick<ProposedRule, 'reports' | 'level'>,
  name: string,
): string {
  const what = level === 'none' ? 'no rule' : levelWords[level].label.toLowerCase();
  return `${name}, ${formatReports(reports)}: ${what}.`;
}

/** The form in which an admin adds another one. */
export function addAdminForm(channel: string): ModalView {
  return {
    type: 'modal',
    callback_id: accessViews.addAdmin,
    private_metadata: channel,
    title: plainText('Add an admin'),
    submit: plainText('Add'),
    close: plainText('Cancel'),
    blocks: [
      section(
        'Admins may ask for everything, set rules, approve channels and read who asked what. Where admins are named, owners of the workspace are admins only if they are named too.',
      ),
      personInput('New admin'),
    ],
  };
}

/**
 * The form in which an admin sets after how many days Rollcall deletes its files in a channel, and in direct messages.
 *
 * @param days the settings now
 */
export function channelAgeForm(
  channel: string,
  days: { readonly here: number | undefined; readonly direct: number | undefined },
): ModalView {
  const daysIn = (where: string, name: string, now: number | undefined) =>
    keepDaysInput({ block: name, action: name }, `Delete files and rows ${where} after (days)`, now);
  return {
    type: 'modal',
    callback_id: accessViews.age,
    private_metadata: channel,
    title: plainText('Delete old files'),
    submit: plainText('Save'),
    close: plainText('Cancel'),
    blocks: compact(
      section(
        'This deletes files that I post from now on. I can delete only what I posted as a member of the channel: replies through a command elsewhere stay.',
      ),
      !channel.startsWith(directMessages) && daysIn('here', accessInputs.days, days.here),
      daysIn('in direct messages with me', accessInputs.directDays, days.direct),
    ),
  };
}
