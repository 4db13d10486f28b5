/** Tells listeners what has happened. */
export interface News<Happening> {
  tell(happening: Happening): void;
  /** Returns the way to stop listening. */
  listen(listener: (happening: Happening) => void): () => void;
}

export function createNews<Happening>(): News<Happening> {
  const listeners = new Set<(happening: Happening) => void>();
  return {
    tell(happening) {
      for (const listener of [...listeners]) listener(happening);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
