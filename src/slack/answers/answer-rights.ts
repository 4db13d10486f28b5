import type { Level } from '../../access/levels.js';
import { type DestinationKind, minPeopleOfNames, type Scope, scopeOf } from '../../access/scope.js';
import { Failure } from '../../errors/failure.js';
import type { AccessRefusal } from '../../errors/request-failures.js';
import { ok, type Result } from '../../errors/result.js';
import type { ReleasedKeys } from '../../requests/person-level.js';
import { type Asker, type ReportRequest, requestsIn } from '../../requests/request.js';
import { type PersonLevel, type Route, routeOf } from '../../runner/answer-parts.js';
import type { Store } from '../../store/store.js';
import type { Conversation, ConversationParts } from '../context/request-context.js';
import type { AccessDirectory } from '../directory/access.js';
import { describeAccessRefusal } from '../messages/access-levels.js';

/** A reader's rights for a request, and the destinations of its parts, at the moment when they were resolved. */
export interface AnswerRights {
  readonly conversation: Conversation;
  readonly level: Level;
  readonly scope: Scope;
  /** Names and titles that fewer people have do not exist for the reader. */
  readonly minPeople: number;
  readonly route: Route;
  readonly released: ReleasedKeys;
}

/** What a person's level allows of a request now. Destination and released keys don't decide whether it is refused. */
export async function scopeOfPerson(
  request: ReportRequest,
  { id, email: me }: Pick<Asker, 'id' | 'email'>,
  { access, smallestGroup }: AnswerRightsParts,
  destination: DestinationKind = 'direct',
  released: ReleasedKeys = new Set(),
): Promise<Result<Scope, AccessRefusal>> {
  const options = { destination, released, smallestGroup, me };
  let scope: Result<Scope, AccessRefusal> = ok(scopeOfScorecard);
  // A scorecard is allowed as long as one of its lines is.
  for (const line of requestsIn(request)) {
    scope = scopeOf(line, await access.accessOf(id, line.report), options);
    if (scope.ok) break;
  }
  return scope;
}

export interface AnswerRightsParts extends ConversationParts {
  readonly access: Pick<AccessDirectory, 'accessOf'>;
  readonly smallestGroup: number;
  readonly store: Pick<Store, 'approvals'>;
}

/**
 * Resolves the current rights of an answer's reader.
 *
 * @param asker replaces `me` in the request
 * @param conversation as it is now
 * @param onlyTeam true where rows of the asker's team are wanted, and no others may be in the answer
 * @throws `access-refused`
 */
export async function answerRightsOf(
  request: ReportRequest,
  { id, email: me }: Asker,
  conversation: Conversation,
  parts: AnswerRightsParts,
  onlyTeam = false,
): Promise<AnswerRights> {
  const [access, released] = await Promise.all([
    parts.access.accessOf(id, request.report),
    releasedNow(parts),
  ]);
  if (request.scorecard) {
    const route = { summary: request.toMe ? 'direct' : 'here', file: 'none', rows: 'none' } as const;
    const { smallestGroup: minPeople } = parts;
    return { conversation, level: access.level, scope: scopeOfScorecard, minPeople, route, released };
  }
  const { kind, testOf } = conversation;
  const personLevel = testOf ?? conversation.personLevel;
  const destination = destinationKindOf(kind === 'direct' && testOf === undefined, personLevel);
  const options = { destination, released, smallestGroup: parts.smallestGroup, me };
  const { level } = access;
  const isAssistant = conversation.assistant?.takeFigures !== undefined;
  // An assistant gets no names, those of admins among them.
  const asked = onlyTeam && level === 'everything' ? { ...access, level: 'team' as const } : access;
  const allowed = scopeOf(request, isAssistant ? { ...asked, admins: undefined } : asked, options);
  if (!allowed.ok) {
    if (!isAssistant || allowed.refusal.kind !== 'evidence-place')
      throw accessRefused(allowed.refusal, level);
    // Evidence goes where rows go.
    const direct = scopeOf(request, asked, { ...options, destination: 'direct' });
    throw accessRefused(direct.ok ? { kind: 'assistant' } : direct.refusal, level);
  }
  const scope = allowed.value;
  const route = routeOf(request, personLevel, released, scope);
  const isTotals = route.summary === 'here' && route.file === 'none' && route.rows === 'none';
  if (isAssistant && !isTotals) throw accessRefused({ kind: 'assistant' }, level);
  const minPeople = minPeopleOfNames(request, level, scope, options);
  return { conversation, level, scope, minPeople, route, released };
}

/** Each line of a scorecard has its own scope, which decides what it shows. */
const scopeOfScorecard: Scope = { rows: 'all', smallestGroup: 1, namesPeople: false, onlyDirect: false };

/** The fields and filters that admins have released. */
export async function releasedNow({ store }: AnswerRightsParts): Promise<ReleasedKeys> {
  return new Set((await store.approvals.releasedKeys()).map(({ subject }) => subject));
}

export function accessRefused(refusal: AccessRefusal, level: Level): Failure<'access-refused'> {
  return new Failure('access-refused', { refusal, level, sentence: describeAccessRefusal(refusal) });
}

/**
 * Names and titles that fewer people have do not exist for a reader of this conversation, whatever they ask there.
 *
 * @param levels of the reader for the reports that they may ask for
 */
export function minPeopleIn(
  { kind, personLevel }: Conversation,
  levels: readonly Level[],
  { smallestGroup }: AnswerRightsParts,
): number {
  const isOpen = destinationKindOf(kind === 'direct', personLevel) !== 'other';
  return isOpen && levels.every((level) => level === 'everything') ? 1 : smallestGroup;
}

export function destinationKindOf(isDirect: boolean, personLevel: PersonLevel): DestinationKind {
  if (isDirect) return 'direct';
  return personLevel === 'allowed' ? 'approved' : 'other';
}

/** True if neither the rights nor the destinations have changed. */
export function areSameRights(a: AnswerRights, b: AnswerRights): boolean {
  const [one, other] = [a, b].map(({ conversation: { kind, personLevel }, scope, route, released }) =>
    JSON.stringify([kind, personLevel, scope, route, [...released].sort()]),
  );
  return one === other;
}
