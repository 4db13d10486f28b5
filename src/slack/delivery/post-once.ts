import type { Transitions } from '../../digests/ledger.js';
import type { NotificationRequest } from '../../digests/store-ports.js';
import { type Claim, OutcomeNotSaved, type PostedMessage, retryWrite } from '../../posts/post.js';
import type { Clock } from '../../time/clock.js';
import { EndedElsewhere, type PostOutcome } from './post-message.js';

/** A post that the ledger has as `running`, and its way into Slack. `Now` is what a look just before finds. */
export interface PostToMake<Now> {
  readonly claim: Claim;
  /** What histories show. */
  readonly facts?: Parameters<Transitions['markPosting']>[1];
  /** Judges rights again, because the report, a wait or an upload may have taken long. What it throws stops the post. */
  readonly lookAgain: () => Promise<Now>;
  /** Called once the ledger has `posting`. What it throws stops the post. */
  readonly record?: (now: Now) => Promise<void>;
  /** Calls Slack, after `begin`, which looks again and writes `posting`. The bytes of a file are uploaded before. */
  readonly send: (begin: () => Promise<Now>) => Promise<PostOutcome>;
  /** What the ledger notes once Slack has it. */
  readonly posted: (message: PostedMessage, now: Now) => Parameters<Transitions['markPosted']>[1];
  /** Who is asked where delivery is unconfirmed. */
  readonly question?: NotificationRequest | undefined;
}

/** The outcome of a post, and what the look found; undefined if the post did not come so far. */
export interface PostEnd<Now> {
  readonly outcome: PostOutcome;
  readonly now: Now | undefined;
}

/**
 * The only way in which a report, its file, rows or details get into Slack: rights are judged again, the ledger has
 * `posting` before the call, and Slack's answer after it. The caller ends a post that Slack did not take.
 *
 * @throws EndedElsewhere; OutcomeNotSaved; and what the functions throw
 */
export async function postOnce<Now>(
  { claim, facts, lookAgain, record, send, posted, question }: PostToMake<Now>,
  {
    store: { ledger },
    clock,
  }: {
    readonly store: { readonly ledger: Pick<Transitions, 'markPosting' | 'markPosted' | 'markUnconfirmed'> };
    readonly clock: Pick<Clock, 'now'>;
  },
): Promise<PostEnd<Now>> {
  let begun: { readonly now: Now } | undefined;
  const outcome = await send(async () => {
    const now = await lookAgain();
    if (!(await ledger.markPosting(claim, facts))) throw new EndedElsewhere();
    await record?.(now);
    begun = { now };
    return now;
  });
  if (outcome.kind === 'not-posted') return { outcome, now: begun?.now };
  if (!begun) throw new Error('Slack was called before the ledger had the post');
  const { now } = begun;
  const at = clock.now();
  try {
    if (outcome.kind === 'unknown')
      await retryWrite(() => ledger.markUnconfirmed(claim, { code: outcome.code }, at, question));
    else await retryWrite(() => ledger.markPosted(claim, posted(outcome, now), at));
  } catch (cause) {
    throw new OutcomeNotSaved(outcome.kind === 'unknown', cause);
  }
  return { outcome, now };
}
