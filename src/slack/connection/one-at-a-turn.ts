/**
 * Lets one after the other go on, one at each turn of the event loop. In between, whatever has arrived meanwhile is
 * read: fifty commands typed at once are all acknowledged before the work for the second one begins.
 */
export function oneAtATurn(): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function letOneGoOn(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(letOneGoOn);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(letOneGoOn);
    });
}
