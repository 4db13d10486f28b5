import type { Refusal } from '../page-protocol.js';
import type { RefusedPayload } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';

const mostKept = 50;

/** Answers that a correct bot gets in the normal course of things: the inspector has them, nobody needs them in red. */
const ordinary = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'user_not_found',
  'users_not_found',
  'user_not_in_channel',
  'message_not_found',
  'restricted_action_read_only_channel',
  'messages_tab_disabled',
]);

export interface KeptRefusal {
  readonly refusal: Refusal;
  /** Only this person sees it; absent: everybody does. */
  readonly user?: string;
}

/** The refused payloads that the page shows. */
export interface Refusals {
  /** Newest first. */
  seenBy(user: string): readonly Refusal[];
  listen(listener: (kept: KeptRefusal) => void): () => void;
}

export function keepRefusals(workspace: Workspace): Refusals {
  let kept: KeptRefusal[] = [];
  let ids = 0;
  const listeners = new Set<(kept: KeptRefusal) => void>();

  function keep({ user, ...refused }: RefusedPayload) {
    if (refused.rules.length === 0 && ordinary.has(refused.error)) return;
    ids += 1;
    const one = { refusal: { id: ids, at: workspace.clock.now(), ...refused }, ...(user && { user }) };
    kept = [one, ...kept].slice(0, mostKept);
    for (const listener of [...listeners]) listener(one);
  }
  workspace.news.listen((happening) => {
    if (happening.type === 'refused') keep(happening.refused);
  });

  return {
    seenBy: (user) => kept.filter((one) => !one.user || one.user === user).map((one) => one.refusal),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
