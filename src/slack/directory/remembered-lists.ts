/** A page of a list that Slack gives out in pages. */
export interface ListPage {
  readonly ids: readonly string[];
  /** Where the next page begins; empty or absent after the last one. */
  readonly next?: string | undefined;
}

export interface RememberedLists {
  /**
   * The list of that name. Undefined where Slack did not say, or was asked often enough. Never throws.
   *
   * @param freshFor milliseconds for which one that is known will do
   * @param mostCalls beyond so many calls within a minute, all lists together, Slack is not asked
   */
  of(name: string, freshFor: number, mostCalls: number): Promise<ReadonlySet<string> | undefined>;
  forget(name: string): void;
  forgetAll(): void;
}

interface Known {
  readonly all: Promise<ReadonlySet<string> | undefined>;
  readonly at: number;
}

const minute = 60_000;
const mostRemembered = 1_000;

/**
 * Lists as Slack gave them, asked for page by page. One that fails is not remembered.
 *
 * @param mostPages what stands on later ones is left out
 * @param now milliseconds of a clock that nobody moves
 */
export function rememberedLists(
  page: (name: string, cursor: string | undefined) => Promise<ListPage>,
  mostPages: number,
  now: () => number,
): RememberedLists {
  const known = new Map<string, Known>();
  const calls: number[] = [];

  function countCall(most: number) {
    while (calls[0] !== undefined && calls[0] < now() - minute) calls.shift();
    if (calls.length >= most) throw new Error('Enough was asked for this minute');
    calls.push(now());
  }

  async function ask(name: string, mostCalls: number): Promise<ReadonlySet<string>> {
    const all = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < mostPages; pages += 1) {
      countCall(mostCalls);
      const { ids, next } = await page(name, cursor);
      for (const id of ids) all.add(id);
      if (!next) break;
      cursor = next;
    }
    return all;
  }

  return {
    of(name, freshFor, mostCalls) {
      const found = known.get(name);
      if (found && now() - found.at < freshFor) return found.all;
      if (known.size >= mostRemembered) known.clear();
      const asked: Known = { all: ask(name, mostCalls).catch(() => undefined), at: now() };
      known.set(name, asked);
      void asked.all.then((said) => {
        if (said === undefined && known.get(name) === asked) known.delete(name);
      });
      return asked.all;
    },
    forget: (name) => void known.delete(name),
    forgetAll: () => known.clear(),
  };
}
