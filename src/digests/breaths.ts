/** Commands have to be acknowledged beside whatever goes on: nothing holds the event loop for much longer. */
const holdMs = 5;

/**
 * For work on very many things, to be called after each few: lets everything else go on once it has held the event loop
 * for long enough.
 *
 * @param now milliseconds of a clock that nobody moves
 */
export function breathsAt(now: () => number): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < holdMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = now();
  };
}
