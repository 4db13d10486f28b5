import { type ReactNode, useId } from 'react';
import { Icon } from './icons.js';
import { useModalDialog } from './use-modal-dialog.js';

/** A large panel in front of the page; Escape, the x and a click beside it close it. */
export function Sheet({ title, close, children }: { title: string; close(): void; children: ReactNode }) {
  const dialog = useModalDialog();
  const heading = useId();
  return (
    <dialog
      ref={dialog}
      className="dialog sheet"
      aria-labelledby={heading}
      onClose={close}
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <header className="dialog-head">
        <h2 id={heading} className="dialog-title">
          {title}
        </h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
