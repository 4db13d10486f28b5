import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import type { ActionResult, PageAction } from '../../server/page-protocol.js';
import { useConnection } from '../connection/connection.js';

type ShowToast = (sentence: string) => void;

const ToastContext = createContext<ShowToast>(() => {});

interface Toast {
  readonly id: number;
  readonly sentence: string;
}

const toastDurationMs = 8000;

/** Shows error messages of actions at the bottom of the page, for some seconds. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const lastId = useRef(0);
  const removeToast = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  const showToast = useCallback<ShowToast>(
    (sentence) => {
      lastId.current += 1;
      const id = lastId.current;
      setToasts((shown) => [...shown.filter((toast) => toast.sentence !== sentence), { id, sentence }]);
      setTimeout(() => removeToast(id), toastDurationMs);
    },
    [removeToast],
  );
  return (
    <ToastContext value={showToast}>
      {children}
      <div className="toasts" role="alert">
        {toasts.map((toast) => (
          <div key={toast.id} className="toast">
            <span>{toast.sentence}</span>
            <button
              type="button"
              className="toast-close"
              aria-label="Dismiss"
              onClick={() => removeToast(toast.id)}
            >
              ×
            </button>
          </div>
        ))}
      </div>
    </ToastContext>
  );
}

/** A function that shows a message. */
export function useShowToast(): ShowToast {
  return useContext(ToastContext);
}

/** A function that sends an action to the server, and shows the error if it fails. */
export function useRunAction(): (action: PageAction) => Promise<ActionResult> {
  const connection = useConnection();
  const showToast = useContext(ToastContext);
  return useCallback(
    async (action) => {
      const result = await connection.send(action);
      if (!result.ok && result.problem) showToast(result.problem);
      return result;
    },
    [connection, showToast],
  );
}
