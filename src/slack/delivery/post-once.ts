import type { Transitions } from '../../digests/ledger.js';
import type { NotificationRequest } from '../../digests/store-ports.js';
import { type Claim, type PostedMessage, retryWrite } from '../../posts/post.js';
import type { Clock } from '../../time/clock.js';
import { AccessChanged, EndedElsewhere, type PostOutcome } from './post-message.js';

/** A post that the ledger has as `running`, and the way into Slack. */
export interface PostToMake {
  readonly claim: Claim;
  /** What histories show. */
  readonly facts?: Parameters<Transitions['markPosting']>[1];
  /** Judges rights again, because the report, a wait or an upload may have taken long. False stops the post. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Called once the ledger has `posting`. What it throws stops the post. */
  readonly record?: () => Promise<void>;
  /** Calls Slack. */
  readonly send: () => Promise<PostOutcome>;
  /** What the ledger notes once Slack has it. */
  readonly posted: (message: PostedMessage) => Parameters<Transitions['markPosted']>[1];
  /** Who is asked where delivery is unconfirmed. */
  readonly question?: NotificationRequest;
}

/** Slack's answer could not be written. The next start finds the post and decides. */
export class OutcomeNotSaved extends Error {}

/**
 * The only way in which a report, its file, rows or details get into Slack: rights are judged again, the ledger has
 * `posting` before the call, and Slack's answer after it. The caller ends a post that Slack did not take.
 *
 * @throws AccessChanged; EndedElsewhere; OutcomeNotSaved; and what the functions throw
 */
export async function postOnce(
  { claim, facts, isStillAllowed, record, send, posted, question }: PostToMake,
  {
    store: { ledger },
    clock,
  }: {
    readonly store: { readonly ledger: Pick<Transitions, 'markPosting' | 'markPosted' | 'markUnconfirmed'> };
    readonly clock: Pick<Clock, 'now'>;
  },
): Promise<PostOutcome> {
  if (!(await isStillAllowed())) throw new AccessChanged();
  if (!(await ledger.markPosting(claim, facts))) throw new EndedElsewhere();
  await record?.();
  const outcome = await send();
  if (outcome.kind === 'not-posted') return outcome;
  const at = clock.now();
  try {
    if (outcome.kind === 'unknown')
      await retryWrite(() => ledger.markUnconfirmed(claim, { code: outcome.code }, at, question));
    else await retryWrite(() => ledger.markPosted(claim, posted(outcome), at));
  } catch (cause) {
    throw new OutcomeNotSaved('The outcome of a post could not be saved', { cause });
  }
  return outcome;
}
