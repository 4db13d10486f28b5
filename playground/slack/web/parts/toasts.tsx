import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import type { Act, Done } from '../../server/page-protocol.js';
import { useConnection } from '../connection/connection.js';

type Tell = (sentence: string) => void;

const ToastContext = createContext<Tell>(() => {});

interface Toast {
  readonly id: number;
  readonly sentence: string;
}

const shownFor = 8000;

/** Short sentences at the foot of the page for what went wrong with a click; they go by themselves. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const lastId = useRef(0);
  const drop = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  const tell = useCallback<Tell>(
    (sentence) => {
      lastId.current += 1;
      const id = lastId.current;
      setToasts((shown) => [...shown.filter((toast) => toast.sentence !== sentence), { id, sentence }]);
      setTimeout(() => drop(id), shownFor);
    },
    [drop],
  );
  return (
    <ToastContext value={tell}>
      {children}
      <div className="toasts" role="alert">
        {toasts.map((toast) => (
          <div key={toast.id} className="toast">
            <span>{toast.sentence}</span>
            <button type="button" className="toast-close" aria-label="Dismiss" onClick={() => drop(toast.id)}>
              ×
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}

/** Tells the person a sentence. */
export function useTell(): Tell {
  return useContext(ToastContext);
}

/** Sends an act; what went wrong with it is told to the person. */
export function useAct(): (act: Act) => Promise<Done> {
  const connection = useConnection();
  const tell = useContext(ToastContext);
  return useCallback(
    async (act) => {
      const done = await connection.send(act);
      if (!done.ok && done.problem) tell(done.problem);
      return done;
    },
    [connection, tell],
  );
}
