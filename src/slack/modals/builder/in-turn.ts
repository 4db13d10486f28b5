/** Does things one after the other where they are about the same, so that the last one of them has the last word. */
export type InTurn = (about: string, act: () => Promise<void>) => Promise<void>;

export function inTurn(): InTurn {
  const last = new Map<string, Promise<void>>();
  return async (about, act) => {
    const before = last.get(about) ?? Promise.resolve();
    const mine = before.then(act, act);
    last.set(about, mine);
    try {
      await mine;
    } finally {
      if (last.get(about) === mine) last.delete(about);
    }
  };
}
