import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useAct, useTell } from '../parts/toasts.js';
import { pageActionForText } from './completions.js';

interface Drafts {
  readonly texts: Readonly<Record<string, string>>;
  set(key: string, text: string): void;
}

const DraftsContext = createContext<Drafts>({ texts: {}, set: () => {} });

/** Keeps what was begun in each conversation while one looks at another. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const drafts = useMemo<Drafts>(
    () => ({ texts, set: (key, text) => setTexts((before) => ({ ...before, [key]: text })) }),
    [texts],
  );
  return <DraftsContext value={drafts}>{children}</DraftsContext>;
}

export function useDraft(key: string): [string, (text: string) => void] {
  const { texts, set } = useContext(DraftsContext);
  return [texts[key] ?? '', (text) => set(key, text)];
}

/** Sends a typed text; also says how many were sent so far. */
export function useSendText(where: { channel: string; threadTs?: string }): [(text: string) => void, number] {
  const [sent, setSent] = useState(0);
  const act = useAct();
  const tell = useTell();
  function send(text: string) {
    const wanted = pageActionForText(text, where);
    if (typeof wanted === 'string') return tell(wanted);
    setSent((count) => count + 1);
    void act(wanted);
  }
  return [send, sent];
}
