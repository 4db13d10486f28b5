import type { Access } from '../../access/scope.js';
import { quoteTypedWord } from '../../requests/problem.js';
import type { Asker } from '../../requests/request.js';
import type { ListenerParts } from '../answers/context.js';
import { reportsAmong } from '../directory/managers.js';
import type { NameSearch } from '../directory/people-names.js';
import { isUserId } from '../markup.js';

/** A sentence has a button for each of so many. */
const maxOffered = 3;

/** With an `@` it is surely a name. Other words are none in most cases, and the reply should not wait for them. */
const maxWaitMs = { at: 8_000, other: 2_500 };

const byAddress = 'Type the email address instead of the name.';

/**
 * Finds people by their names and IDs in Slack. A person who may see all records finds everybody, and a manager finds
 * their own team, so that no one learns an address that Slack may hide. All others find no one.
 *
 * @returns those people, who are not stored; `problem`: why words name no one, and what to type, for the asker;
 *   `isCommon`: true where words name too many people to offer
 * @param phrases words that may be names, the longest first
 * @param accesses of the asker to each report
 */
export async function peopleInWords(
  phrases: readonly string[],
  asker: Asker,
  accesses: readonly Access[],
  parts: ListenerParts,
) {
  const seesAll = accesses.some(({ level }) => level === 'everything');
  const team = accesses.find(({ level }) => level === 'team')?.address;
  if (!seesAll && team === undefined) {
    return {
      people: [],
      problem: 'You may see no records of other people. Write “me” for your own.',
      isCommon: false,
    };
  }
  const hasAt = phrases.some((phrase) => phrase.startsWith('@'));
  const isName = phrases.some((phrase) => idIn(phrase) === undefined);
  const search = isName ? await parts.names.search(hasAt ? maxWaitMs.at : maxWaitMs.other) : undefined;
  const people: { words: string; email: string }[] = [];
  let problem: string | undefined = search && problems[search.kind];
  let isCommon = false;
  const decided: string[] = [];
  for (const phrase of phrases) {
    if (decided.some((longer) => longer.includes(phrase))) continue;
    const found = await addressesOf(phrase, search, parts);
    const inTeam = found.length <= maxOffered && !seesAll && team !== undefined;
    const seen = inTeam
      ? await reportsAmong(found, { id: asker.id, zone: asker.zone, address: team }, parts)
      : found;
    if (seen.length > 0) decided.push(phrase);
    const name = `“${quoteTypedWord(phrase)}”`;
    if (seen.length > maxOffered) {
      isCommon = true;
      problem = `${name} is the name of ${seesAll ? seen.length : 'several'} people. Type more of it, or the email address.`;
    } else people.push(...seen.map((email) => ({ words: phrase, email })));
    const isLast = phrase.startsWith('@') && !phrase.includes(' ');
    if (seen.length === 0 && isLast) problem ??= `I found no member by the name ${name}. ${byAddress}`;
  }
  return { people, problem, isCommon };
}

const problems = {
  found: undefined,
  slow: 'I am still reading the names in Slack. Try again in a minute, or type the email address.',
  'too-many-people': `This workspace has too many people to look up names. ${byAddress}`,
  unreachable: `Slack does not tell me names now. ${byAddress}`,
};

/** The ID of a mention; undefined for a name. */
function idIn(phrase: string) {
  const id = phrase.slice(1);
  return phrase.startsWith('@') && isUserId(id) && /\d/.test(id) ? id : undefined;
}

async function addressesOf(phrase: string, search: NameSearch | undefined, { people }: ListenerParts) {
  const id = idIn(phrase);
  if (id !== undefined) {
    const { standing, email } = await people.find(id);
    return email !== undefined && (standing === 'member' || standing === 'guest') ? [email] : [];
  }
  if (search?.kind !== 'found') return [];
  const { whole, part } = search.of(phrase);
  // After an `@`, Slack writes the display name.
  const isExact = phrase.startsWith('@') && whole.length > 0;
  return [...new Set((isExact ? whole : [...whole, ...part]).map(({ email }) => email))];
}
