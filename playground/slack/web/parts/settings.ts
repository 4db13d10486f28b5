import { useEffect, useState, useSyncExternalStore } from 'react';

// Stored between visits: the person per tab; the inspector and the theme per browser.

const personKey = 'rollcall.person';
const inspectorKey = 'rollcall.inspector';

export function storePerson(user: string): void {
  sessionStorage.setItem(personKey, user);
}

export function storedPerson(): string | undefined {
  return sessionStorage.getItem(personKey) ?? undefined;
}

export function storeInspectorOpen(open: boolean): void {
  localStorage.setItem(inspectorKey, open ? 'open' : 'closed');
}

const narrowQuery = matchMedia('(max-width: 999px)');

/** True while the window is too narrow for the sidebar beside the conversation. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(watchWidth, () => narrowQuery.matches);
}

function watchWidth(listener: () => void): () => void {
  narrowQuery.addEventListener('change', listener);
  return () => narrowQuery.removeEventListener('change', listener);
}

/** The stored choice. Without one, the inspector is open in wide windows. In narrow ones it would cover the messages. */
export function inspectorIsOpen(): boolean {
  if (narrowQuery.matches) return false;
  const chosen = localStorage.getItem(inspectorKey);
  return chosen === null ? window.innerWidth >= 1500 : chosen === 'open';
}

export type Theme = 'light' | 'dark';

const themeKey = 'rollcall.theme';

/** The stored theme, or the system's, and a function that switches it. */
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
      localStorage.setItem(themeKey, other);
      setChosen(other);
    },
  ];
}

function readTheme(): Theme | undefined {
  const value = localStorage.getItem(themeKey);
  return value === 'light' || value === 'dark' ? value : undefined;
}

const darkQuery = matchMedia('(prefers-color-scheme: dark)');

function systemTheme(): Theme {
  return darkQuery.matches ? 'dark' : 'light';
}

function watchSystem(listener: () => void): () => void {
  darkQuery.addEventListener('change', listener);
  return () => darkQuery.removeEventListener('change', listener);
}

/** What the page shows. */
export type Route =
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'app'; readonly tab: 'home' | 'messages' }
  | { readonly kind: 'slackbot' };

/** The route as a URL hash, so that a reload keeps it. */
export function locationHash(route: Route): string {
  if (route.kind === 'slackbot') return 'slackbot';
  return route.kind === 'app' ? `app/${route.tab}` : route.channel;
}

export function parseLocationHash(address: string): Route | undefined {
  if (address === 'slackbot') return { kind: 'slackbot' };
  if (address === 'app/home') return { kind: 'app', tab: 'home' };
  if (address === 'app/messages') return { kind: 'app', tab: 'messages' };
  return /^[CDG]\w+$/.test(address) ? { kind: 'channel', channel: address } : undefined;
}
