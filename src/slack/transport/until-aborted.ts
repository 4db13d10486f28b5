/** The outcome of `work`, or the signal's reason where that comes first. */
export async function untilAborted<Outcome>(work: Promise<Outcome>, signal?: AbortSignal): Promise<Outcome> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
