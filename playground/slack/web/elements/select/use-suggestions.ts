import { useEffect, useRef, useState } from 'react';
import { useSurface } from '../../blocks/surface.js';
import { noOptions, type OptionList } from '../option-list.js';

/** What the bot suggests for the typed text. */
export interface Suggestions {
  readonly list: OptionList;
  /** A line for the list while there is nothing to choose from. */
  readonly note: string | undefined;
  ask(query: string): void;
}

/** Milliseconds that typing must pause before the bot is asked. */
const pause = 200;

export function useSuggestions(blockId: string, actionId: string, leastLetters: number): Suggestions {
  const surface = useSurface();
  const [list, setList] = useState<OptionList>(noOptions);
  const [note, setNote] = useState<string>();
  const latest = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function ask(query: string) {
    clearTimeout(timer.current);
    latest.current += 1;
    const asked = latest.current;
    if (query.length < leastLetters) {
      setList(noOptions);
      setNote(`Type ${leastLetters === 1 ? 'a letter' : `${leastLetters} letters`} or more.`);
      return;
    }
    setNote('Looking…');
    timer.current = setTimeout(
      async () => {
        const found = await surface.suggest(blockId, actionId, query).catch(() => undefined);
        if (asked !== latest.current) return;
        setList(found ?? noOptions);
        setNote(found ? undefined : 'The bot gave no answer.');
      },
      query === '' ? 0 : pause,
    );
  }
  return { list, note, ask };
}
