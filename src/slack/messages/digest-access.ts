import type { Scope } from '../../access/scope.js';
import type { AccessRefusal, PersonLevelPart } from '../../errors/request-failures.js';
import { compact } from '../../requests/compact.js';

/** The owner of a level, as the reader of the sentence knows them. */
export type Whose = 'your' | 'its owner’s';

const parts = {
  filter: 'filters by person',
  breakdown: 'is broken down by person',
  columns: 'shows columns',
  rows: 'shows rows',
  file: 'has a file',
};

function wanted(wants: readonly PersonLevelPart[]): string {
  return new Intl.ListFormat('en-GB').format(wants.map((part) => parts[part]));
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
    case 'other-team':
      return `${level} allows only ${ownOf(whose)} team, and it filters by another manager.`;
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

function ownOf(whose: Whose): string {
  return whose === 'your' ? 'your' : 'the owner’s';
}
