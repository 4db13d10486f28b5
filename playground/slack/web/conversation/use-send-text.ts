import { useState } from 'react';
import { actForText } from '../composer/act-for-text.js';
import { useAct, useTell } from '../parts/toasts.js';

/** Sends a typed text; also says how many were sent so far. */
export function useSendText(where: { channel: string; threadTs?: string }): [(text: string) => void, number] {
  const [sent, setSent] = useState(0);
  const act = useAct();
  const tell = useTell();
  function send(text: string) {
    const wanted = actForText(text, where);
    if (typeof wanted === 'string') return tell(wanted);
    setSent((count) => count + 1);
    void act(wanted);
  }
  return [send, sent];
}
