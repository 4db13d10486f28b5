/*
 * The state machine of all posts. README.md beside this file explains each state; a test compares that page, this table
 * and the database.
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

/** Why a post that waits is not wanted any more. The last two: the data of its owner, or of a person in a filter, was erased. */
export type SkipReason =
  | 'superseded'
  | 'by-hand'
  | 'deleted'
  | 'uninstalled'
  | 'owner-erased'
  | 'person-erased';

/**
 * `figures`: what an assistant got in place of a message. Slack never has it. `manager`: the message of a digest to one
 * manager. Its parent is the run.
 */
export type PostKind = 'answer' | 'digest' | 'file' | 'details' | 'figures' | 'manager';

/** All allowed transitions, by source state. */
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

export const initialStates = ['queued', 'running'] as const satisfies readonly PostState[];

/** A worker holds the post or will claim it. */
export const openStates = ['queued', 'running', 'posting'] as const satisfies readonly PostState[];

export function canTransition(from: PostState, to: PostState): boolean {
  const allowed: readonly PostState[] = transitions[from];
  return allowed.includes(to);
}

/** A post has one file at most. */
export function filePostId(post: string): string {
  return `${post}-file`;
}

const detailsSuffix = '-details';

/** An answer has one message with its details at most. @param request the ID of its entry in the request log */
export function detailsPostId(request: string): string {
  return request + detailsSuffix;
}

/** The ID of the entry in the request log that details belong to; undefined for other posts. */
export function requestOfDetails(post: string): string | undefined {
  return post.endsWith(detailsSuffix) ? post.slice(0, -detailsSuffix.length) : undefined;
}
