import type { AnyBlock } from '@slack/types';
import type { Level, RuleSubject } from '../../access/levels.js';
import { allReports } from '../../catalogue/index.js';
import { formatDay, formatPlural } from '../../figures/format/values.js';
import { compact, displayText } from '../../requests/text.js';
import type { Approval } from '../../store/access/rules.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import type { ChannelReaders } from '../directory/channel-readers.js';
import { escaped } from '../markup.js';
import { levelWords } from '../messages/access-levels.js';
import {
  button,
  buttons,
  context,
  divider,
  isChannel,
  mrkdwn,
  plainText,
  richTextLines,
  section,
} from '../messages/blocks.js';
import { notice } from '../messages/notices.js';
import { type AccessFacts, type AdminFacts, maxNamedRules } from './access-facts.js';

export const accessActions = {
  /** Answers of an admin. The value is `channel requester`. */
  approve: 'approval_grant',
  decline: 'approval_decline',
  /** Withdraws the approval of a channel. Its value is the channel's ID. */
  revoke: 'approval_revoke',
  /** Approves the channel that the button is in. Its value is the channel's ID and the number of its guests. */
  allowHere: 'approval_here',
  /** Opens the form that releases a key. Its value is the channel's ID. */
  releaseKey: 'key_release',
  /** Withdraws a released key. Its value is the key. */
  holdKeyBack: 'key_hold_back',
  /** Opens the form that sets a rule. Its value is the channel's ID. */
  set: 'access_set',
  /** Ends a rule. Its value is the kind of subject, its ID and the report; `-`: none. */
  removeRule: 'access_remove_rule',
  /** Opens the form that adds an admin. Its value is the channel's ID. */
  addAdmin: 'access_add_admin',
  /** Its value is a Slack user ID. */
  removeAdmin: 'access_remove_admin',
  /** Opens the form that sets the age of files in a channel. Its value is the channel's ID. */
  setAge: 'access_set_age',
  /** Opens the form of the file for a works council. Its value is the channel's ID. */
  rules: 'access_rules',
  /** Lets people see in their own record who asked, or hides it. Its value is `show` or `hide`. */
  askerNames: 'access_asker_names',
} as const;

/** Of each list. A message holds 50 blocks and 12,000 characters. */
const maxShown = 5;
const maxListLength = 850;
const maxNameLength = 60;
const maxAdminNames = 10;

/** The reply to `/report access`: the reader's levels and the names of admins. Admins also see the rules, with buttons. */
export function accessMessage(facts: AccessFacts): OutgoingMessage {
  const lines = compact(
    ownLines(facts),
    facts.lacksAddress &&
      'Slack has no confirmed email address for you, so your team is not known. Confirm it in Slack.',
    facts.groupsAreHidden && hiddenGroups,
    'Names and rows about people go to direct messages with me and to approved channels only.',
    personLevelSentences[facts.personLevel],
    facts.smallestGroup > 1 &&
      `Totals, and channels that are not approved, show no figure about fewer than ${facts.smallestGroup} people.`,
    adminLine(facts.admins),
  );
  return {
    text: lines.map(escaped).join(' '),
    blocks: compact(
      lines.map((line) => section(line)),
      facts.forAdmins && adminBlocks(facts, facts.forAdmins),
    ),
  };
}

const hiddenGroups =
  'I may not read who is in user groups, so their rules can narrow what people may ask, but not widen it. Your operator can change that.';

const personLevelSentences = {
  allowed: 'They may be posted here.',
  'not-approved': 'They may not be posted in this channel.',
  never: 'They are never posted here: this channel is shared with another organization, or I cannot see it.',
};

/** The level of most reports first, then each report where it differs. */
function ownLines({ own }: AccessFacts) {
  const byLevel = new Map<Level, string[]>();
  for (const { name, title } of allReports) {
    byLevel.set(own[name], [...(byLevel.get(own[name]) ?? []), title]);
  }
  const [most, ...others] = [...byLevel].sort(([, a], [, b]) => b.length - a.length);
  if (!most) return [];
  if (others.length === 0 && most[0] === 'nothing') return ['You may not ask for reports.'];
  return [
    levelWords[most[0]].own,
    ...others.map(([level, titles]) => `${titles.join(', ')}: ${levelWords[level].own}`),
  ];
}

function adminLine(admins: readonly string[]) {
  if (admins.length === 0) return 'To change this, ask an owner of this Slack workspace.';
  const names = admins.slice(0, maxAdminNames).map((name) => displayText(name, maxNameLength));
  const more = admins.length - names.length;
  return `To change this, ask an admin: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function adminBlocks({ channel, personLevel }: AccessFacts, facts: AdminFacts) {
  const { rules, admins, approved, released } = facts;
  return compact(
    divider(),
    listBlocks('Rules', rules, ruleRow, moreRules),
    section(`Everybody else: ${levelWords[facts.defaultAccess].label.toLowerCase()}.`),
    buttons(
      button(accessActions.set, 'Set access', channel, 'primary'),
      button(accessActions.addAdmin, 'Add an admin', channel),
      button(accessActions.setAge, 'Delete old files', channel),
    ),
    admins.length === 0
      ? [section('Admins: the owners of this Slack workspace, until you add one.')]
      : listBlocks('Admins', admins, adminRow),
    personLevel === 'not-approved' &&
      compact(
        facts.readers && context(`This channel: ${formatReaders(facts.readers)}`),
        buttons(allowHereButton(channel, facts.readers)),
      ),
    configuredChannelBlocks(facts.configuredChannels),
    listBlocks('Channels that admins approved', approved, channelRow),
    listBlocks('Metadata fields allowed in all channels', released, keyRow),
    askerNamesRow(facts),
    buttons(
      button(accessActions.releaseKey, 'Allow a metadata field', channel),
      button(accessActions.rules, 'Rules of today', channel),
    ),
  );
}

/** Everybody's own record says who asked only where admins allow it. */
function askerNamesRow({ askerNamesFrom }: AdminFacts) {
  const isShown = askerNamesFrom !== undefined;
  const words = isShown
    ? `In their own record, people see who asked about them, for what was asked since ${formatDay(askerNamesFrom, 'UTC')}.`
    : 'In their own record, people see what was asked about them, and not who asked.';
  return section(
    words,
    button(accessActions.askerNames, isShown ? 'Hide names' : 'Show names', isShown ? 'hide' : 'show'),
  );
}

/** The first items of a list, a row each, and the blocks for the others. */
function listBlocks<Item>(
  title: string,
  items: readonly Item[],
  rowOf: (item: Item) => AnyBlock,
  restOf: (others: readonly Item[]) => readonly AnyBlock[] = ({ length }) => [context(`and ${length} more`)],
) {
  if (items.length === 0) return [section(`${title}: none.`)];
  const others = items.slice(maxShown);
  return [
    section(`${title}:`),
    ...items.slice(0, maxShown).map(rowOf),
    ...(others.length > 0 ? restOf(others) : []),
  ];
}

type NamedRule = AdminFacts['rules'][number];

/** `Everyone, engagement: totals`. */
function formatRule({ name, report, level }: NamedRule) {
  return `${displayText(name, maxNameLength)}, ${report ?? 'all reports'}: ${levelWords[level].label.toLowerCase()}`;
}

function ruleRow(rule: NamedRule) {
  const value = `${formatSubject(rule.subject)} ${rule.report ?? '-'}`;
  return section(formatRule(rule), button(accessActions.removeRule, 'Remove', value, 'danger'));
}

/** The kind and the ID of a subject, in the value of a button that removes its rule. `-`: none. */
export function formatSubject(subject: RuleSubject): string {
  return `${subject.kind} ${'id' in subject ? subject.id : '-'}`;
}

/** Rules beyond those with a button. Set access changes and ends them too. */
function moreRules(rules: readonly NamedRule[]) {
  const maxListed = maxNamedRules - maxShown;
  const more = rules.length - maxListed;
  return compact(
    section(plainText(rules.slice(0, maxListed).map(formatRule).join('\n'), maxListLength)),
    more > 0 && context(`and ${more} more`),
    context('To end one of these, press Set access and choose “No rule”.'),
  );
}

function adminRow({ id, name, isConfigured }: AdminFacts['admins'][number]) {
  const shown = displayText(name, maxNameLength);
  return isConfigured
    ? section(`${shown} (set by your operator)`)
    : section(shown, button(accessActions.removeAdmin, 'Remove', id, 'danger'));
}

function configuredChannelBlocks(configured: AdminFacts['configuredChannels']) {
  if (configured === '*') {
    return [context('Your operator allows every channel that is not shared with another organization.')];
  }
  if (configured.length === 0) return [];
  return [context(`Your operator allows ${formatPlural(configured.length, ['channel', 'channels'])} too.`)];
}

function channelRow({ subject }: Approval) {
  const revoke = button(accessActions.revoke, 'Revoke', subject, 'danger');
  return section(mrkdwn(isChannel(subject) ? `<#${subject}>` : 'A channel'), revoke);
}

function keyRow({ subject }: Approval) {
  return section(subject, button(accessActions.holdKeyBack, 'Revoke', subject.slice(0, 2000), 'danger'));
}

const joiningSentences = {
  true: 'Everybody in this workspace may join it.',
  false: 'People join it by invitation only.',
  unknown: 'I cannot see who may join it.',
} as const;

/** `There are 2 guests in it. Everybody in this workspace may join it.` */
function formatReaders({ guests, isAtLeast, isOpen }: ChannelReaders) {
  const joining = joiningSentences[`${isOpen ?? 'unknown'}`];
  if (guests === undefined) return `I could not count its guests. ${joining}`;
  const [verb, count] = guests === 1 ? ['is', '1 guest'] : ['are', `${guests === 0 ? 'no' : guests} guests`];
  const there =
    isAtLeast && guests === 0 ? 'I found no guests in it, and could not look at everybody' : undefined;
  return `${there ?? `There ${verb} ${isAtLeast ? 'at least ' : ''}${count} in it`}. ${joining}`;
}

/** The number of guests that an admin sees stands at the end of the value, and is compared when they press. */
function allowHereButton(channel: string, readers: ChannelReaders | undefined) {
  return button(
    accessActions.allowHere,
    'Allow it here',
    `${channel} ${readers?.guests ?? ''}`.trim(),
    'primary',
  );
}

const moreGuests = 'Not allowed yet: more guests are in that channel now.';

/** Asks an admin again who allows person-level data where they are: it has more guests than they saw. */
export function moreGuestsMessage(channel: string, readers: ChannelReaders): OutgoingMessage {
  return notice(`${moreGuests} ${formatReaders(readers)}`, allowHereButton(channel, readers));
}

/** @param isAgain true where more guests joined after the first question */
export function approvalRequestMessage(
  channel: string,
  asker: string,
  readers: ChannelReaders,
  isAgain = false,
): OutgoingMessage {
  const value = `${channel} ${asker}`;
  const approving = `${value} ${readers.guests ?? ''}`.trim();
  const text = `<@${asker}> asks to allow person-level data in <#${channel}>.`;
  return {
    text,
    blocks: compact(
      section(mrkdwn(text)),
      isAgain && section(moreGuests),
      richTextLines([
        'Everyone in that channel would see names, email addresses and what each person has completed.',
      ]),
      section(formatReaders(readers)),
      buttons(
        button(accessActions.approve, 'Allow', approving, 'primary'),
        button(accessActions.decline, 'Not now', value),
      ),
    ),
  };
}
