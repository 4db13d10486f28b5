import type { AnyBlock } from '@slack/types';
import { levels } from '../../access/levels.js';
import { allReports } from '../../catalogue/index.js';
import { describeFailureCode } from '../../errors/failure.js';
import { formatCount, formatMoment, formatPlural } from '../../figures/format/values.js';
import { compact } from '../../requests/text.js';
import { maxRunningRequests, maxWaitingRequests } from '../answers/running-requests.js';
import { maxInChannel, maxOwned } from '../limits.js';
import { levelWords } from '../messages/access-levels.js';
import { bulletList, button, commandActions, context, header, section } from '../messages/blocks.js';
import { maxCountedRequests, type OverviewFacts } from './home-facts.js';

/** @param zone the IANA zone of the reader */
export function overviewBlocks(facts: OverviewFacts, zone: string): readonly AnyBlock[] {
  return [
    header('For admins'),
    // Their answers come in direct messages.
    section('Who may ask what.', button(commandActions.runWords, 'Access levels', 'access')),
    section(
      'Who asked, exported and changed what.',
      button(commandActions.runWords, 'Record of access', 'audit'),
    ),
    section('Requests of the last 7 days'),
    ...requestBlocks(facts.requests),
    section('Digests and limits'),
    bulletList(digestLine(facts.digests), ...limitLines(facts)),
    section('Outages of the last 7 days'),
    facts.outages.length === 0
      ? context('None.')
      : bulletList(...facts.outages.map((outage) => outageLine(outage, zone))),
  ];
}

function requestBlocks(requests: OverviewFacts['requests']) {
  const lines = allReports.flatMap(({ name }) => {
    const line = requestLine(requests.filter(({ report }) => report === name));
    return line ? [`${name}: ${line}`] : [];
  });
  if (lines.length === 0) return [context('None.')];
  const isCut = sumOf(requests) >= maxCountedRequests;
  return compact(
    bulletList(...lines),
    isCut && context(`Only the newest ${formatCount(maxCountedRequests)} requests are counted.`),
  );
}

/** `14 requests (Everything 3, Team 11), 2 refused, 7 for digests`. */
function requestLine(requests: OverviewFacts['requests']) {
  const refused = requests.filter(({ refused }) => refused !== undefined);
  const answered = requests.filter(({ refused }) => refused === undefined);
  const byHand = answered.filter(({ origin }) => origin !== 'digest');
  const byLevel = levels.flatMap((level) => {
    const count = sumOf(byHand.filter((request) => request.level === level));
    return count > 0 ? [`${levelWords[level].label} ${formatCount(count)}`] : [];
  });
  const [all, refusals, digests] = [sumOf(byHand), sumOf(refused), sumOf(answered) - sumOf(byHand)];
  return compact(
    all > 0 &&
      `${formatPlural(all, ['request', 'requests'])}${byLevel.length > 0 ? ` (${byLevel.join(', ')})` : ''}`,
    refusals > 0 && `${formatCount(refusals)} refused`,
    digests > 0 && `${formatCount(digests)} for digests`,
  ).join(', ');
}

function sumOf(counts: readonly { readonly count: number }[]) {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** `12 digests: 1 without an owner who may run it, 2 failing.` */
function digestLine(digests: OverviewFacts['digests']) {
  const all = sumOf(digests);
  const troubles = digests.flatMap(({ health, count }) =>
    health === 'fine' ? [] : [`${formatCount(count)} ${healthWords[health]}`],
  );
  const sentence = formatPlural(all, ['digest', 'digests']);
  return troubles.length > 0 ? `${sentence}: ${troubles.join(', ')}.` : `${sentence}.`;
}

const healthWords = {
  'without-owner': 'without an owner who may run it',
  failing: 'failing',
  unreadable: 'paused, because I cannot read its settings',
};

function limitLines({ requests, fullOwners, fullConversations }: OverviewFacts) {
  const tooMany = sumOf(requests.filter(({ refused }) => refused === 'too-many-requests'));
  const lines = compact(
    tooMany > 0 &&
      `${formatPlural(tooMany, ['request was', 'requests were'])} refused in the last 7 days, because ${maxRunningRequests} of the same person ran and ${maxWaitingRequests} waited.`,
    fullOwners > 0 &&
      `${formatPlural(fullOwners, ['person owns', 'people own'])} ${maxOwned.digest} digests, which is the limit.`,
    fullConversations > 0 &&
      `${formatPlural(fullConversations, ['conversation has', 'conversations have'])} ${maxInChannel} saved reports, which is the limit.`,
  );
  return lines.length > 0 ? lines : ['No limit was reached.'];
}

/** `Since Fri 20 Nov, 09:00: The Reporting Service cannot be reached.` */
function outageLine({ cause, code, since, endedAt }: OverviewFacts['outages'][number], zone: string) {
  const when =
    endedAt === undefined
      ? `Now, since ${formatMoment(since, zone)}`
      : `${formatMoment(since, zone)} to ${formatMoment(endedAt, zone)}`;
  return `${when}: ${describeFailureCode(code) ?? `${outageCauses[cause]} did not work.`}`;
}

const outageCauses = {
  service: 'The Reporting Service',
  slack: 'My access to Slack',
};
