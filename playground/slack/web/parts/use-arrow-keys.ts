import type { KeyboardEvent } from 'react';

/** Lets the up and down arrows, Home and End move the focus among the elements that a selector finds in a list. */
export function useArrowKeys(selector: string): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const target = event.target as HTMLElement;
    if (!target.matches(selector)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
    const at = all.indexOf(target);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };
}
