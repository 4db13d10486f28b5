import { useEffect, useState, useSyncExternalStore } from 'react';

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
