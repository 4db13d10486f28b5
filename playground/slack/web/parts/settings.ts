import { useEffect, useState, useSyncExternalStore } from 'react';

// What the page remembers between visits: the person for this tab, the inspector for this browser.

const person = 'rollcall.person';
const inspector = 'rollcall.inspector';

export function storePerson(user: string): void {
  sessionStorage.setItem(person, user);
}

export function storedPerson(): string | undefined {
  return sessionStorage.getItem(person) ?? undefined;
}

export function storeInspectorOpen(open: boolean): void {
  localStorage.setItem(inspector, open ? 'open' : 'closed');
}

/** Open where the window has room for it beside the conversation, until somebody chose otherwise. */
export function inspectorIsOpen(): boolean {
  const chosen = localStorage.getItem(inspector);
  return chosen === null ? window.innerWidth >= 1500 : chosen === 'open';
}

export type Theme = 'light' | 'dark';

const kept = 'rollcall.theme';

/** The theme that was chosen here before, else the one of the system; and the way to the other one. */
export function useTheme(): [Theme, () => void] {
  const [chosen, setChosen] = useState<Theme | undefined>(readTheme);
  const system = useSyncExternalStore(watchSystem, systemTheme);
  const theme = chosen ?? system;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [
    theme,
    () => {
      const other = theme === 'light' ? 'dark' : 'light';
      localStorage.setItem(kept, other);
      setChosen(other);
    },
  ];
}

function readTheme(): Theme | undefined {
  const value = localStorage.getItem(kept);
  return value === 'light' || value === 'dark' ? value : undefined;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function systemTheme(): Theme {
  return dark.matches ? 'dark' : 'light';
}

function watchSystem(listener: () => void): () => void {
  dark.addEventListener('change', listener);
  return () => dark.removeEventListener('change', listener);
}

/** What the page shows in its middle. */
export type Place =
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'app'; readonly tab: 'home' | 'messages' };

/** The place as the part of the address after `#`, so that a reload comes back to it. */
export function locationHash(place: Place): string {
  return place.kind === 'app' ? `app/${place.tab}` : place.channel;
}

export function parseLocationHash(address: string): Place | undefined {
  if (address === 'app/home') return { kind: 'app', tab: 'home' };
  if (address === 'app/messages') return { kind: 'app', tab: 'messages' };
  return /^[CDG]\w+$/.test(address) ? { kind: 'channel', channel: address } : undefined;
}
