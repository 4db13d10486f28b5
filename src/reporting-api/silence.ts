/** Watches that something keeps coming. */
export interface SilenceWatch {
  /** Something came, or listening goes on after a rest. */
  heard(): void;
  /** Listening has stopped on our side: silence does not count until `heard`. */
  rest(): void;
  stop(): void;
}

/**
 * Calls once when nothing was heard for that long. undici has such limits too, but its timers run in steps of half a
 * second, and they keep counting while the reader itself holds the answer up.
 */
export function watchSilence(milliseconds: number, onSilence: () => void): SilenceWatch {
  let last = performance.now();
  let listening = true;
  let stopped = false;
  let timer = setTimeout(look, milliseconds);

  return {
    heard() {
      last = performance.now();
      listening = true;
    },
    rest() {
      listening = false;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  function look() {
    const left = listening ? last + milliseconds - performance.now() : milliseconds;
    if (left > 0) timer = setTimeout(look, Math.ceil(left));
    // Where this thread itself was busy, bytes may lie unread: they come in before the next immediate.
    else setImmediate(conclude);
  }

  function conclude() {
    if (stopped) return;
    if (listening && last + milliseconds <= performance.now()) onSilence();
    else look();
  }
}
