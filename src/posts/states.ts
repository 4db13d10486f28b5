/*
 * The one machine of states for whatever is posted. docs/architecture.md says what each state means; a test holds that
 * page, this table and the database against each other.
 */

export const postStates = [
  'queued',
  'running',
  'posting',
  'posted',
  'failed',
  'unknown',
  'skipped',
  'cancelled',
] as const;

export type PostState = (typeof postStates)[number];

/** What is posted. A new kind needs no new state. */
export type PostKind = 'answer' | 'digest' | 'file';

/** Into which states a post may move from each state, and by no other way. */
export const transitions = {
  queued: ['running', 'posted', 'skipped'],
  running: ['queued', 'posting', 'failed', 'skipped', 'cancelled'],
  posting: ['queued', 'posted', 'failed', 'unknown', 'cancelled'],
  posted: [],
  failed: ['queued'],
  unknown: ['queued', 'posted', 'failed'],
  skipped: [],
  cancelled: [],
} as const satisfies Readonly<Record<PostState, readonly PostState[]>>;

/** The states from which a post may move into `To`. */
export type StateBefore<To extends PostState> = {
  [From in PostState]: To extends (typeof transitions)[From][number] ? From : never;
}[PostState];

/** States in which a new post may begin. */
export const initialStates = ['queued', 'running'] as const satisfies readonly PostState[];

/** Not over: somebody works on it, or will. */
export const openStates = ['queued', 'running', 'posting'] as const satisfies readonly PostState[];

export function canTransition(from: PostState, to: PostState): boolean {
  const allowed: readonly PostState[] = transitions[from];
  return allowed.includes(to);
}

/** The ID of the file that comes with a post: there is one at most. */
export function filePostId(post: string): string {
  return `${post}-file`;
}
