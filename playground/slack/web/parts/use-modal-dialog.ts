import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Opens a `<dialog>` in front of everything while it is drawn. Closing gives the focus back to where it was. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const box = dialog.current;
    box?.showModal();
    return () => box?.close();
  }, []);
  return dialog;
}
