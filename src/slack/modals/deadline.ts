/** Slack waits three seconds for an acknowledgement; the rest is for the network, both ways. */
const acknowledgeWithinMs = 2_400;

/** Time that is left after slow look-ups were given up, to finish the validation without them. */
const spareMs = 400;

/**
 * The moments that one delivery has to keep, both counted from its receipt, so that budgets never add up.
 * Milliseconds of `performance.now()`.
 */
export interface Deadline {
  /** Look-ups that a validation can do without are given up. */
  readonly lookUpBy: number;
  /** The delivery has to be acknowledged. */
  readonly acknowledgeBy: number;
}

/** @param receivedAtMs when the delivery arrived, in milliseconds of `performance.now()` */
export function deadlineFrom(receivedAtMs: number): Deadline {
  const acknowledgeBy = receivedAtMs + acknowledgeWithinMs;
  return { lookUpBy: acknowledgeBy - spareMs, acknowledgeBy };
}

/**
 * The result of a promise if it settles by a moment, else undefined. A rejection after that moment is dropped.
 *
 * @param momentMs milliseconds of `performance.now()`
 */
export async function settledBy<Value>(
  momentMs: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, momentMs - performance.now()));
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}
