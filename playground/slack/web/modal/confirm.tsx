import type { ConfirmationDialog } from '@slack/types';
import { createContext, useCallback, useContext, useId, useState } from 'react';
import { useModalDialog } from '../parts/hooks.js';
import { PlainText, SlackText } from '../text/text.js';

type Confirm = (question: ConfirmationDialog) => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(async () => false);

/** A function that shows an element's confirmation dialog. Resolves to true if the person confirms. */
export function useConfirm(): Confirm {
  return useContext(ConfirmContext);
}

interface PendingConfirm {
  readonly question: ConfirmationDialog;
  answer(agreed: boolean): void;
}

export function ConfirmProvider({ children }: { children: React.ReactNode }) {
  const [asked, setAsked] = useState<PendingConfirm>();
  const confirm = useCallback<Confirm>(
    (question) =>
      new Promise((resolve) => {
        setAsked({
          question,
          answer: (agreed) => {
            setAsked(undefined);
            resolve(agreed);
          },
        });
      }),
    [],
  );
  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked ? <ConfirmDialog pending={asked} /> : null}
    </ConfirmContext>
  );
}

function ConfirmDialog({ pending: { question, answer } }: { pending: PendingConfirm }) {
  const dialog = useModalDialog();
  const title = useId();
  const text = useId();
  return (
    <dialog
      ref={dialog}
      className="dialog confirm"
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={text}
      onCancel={(event) => {
        event.preventDefault();
        answer(false);
      }}
    >
      <h2 id={title} className="dialog-title">
        {question.title ? <PlainText of={question.title} /> : 'Are you sure?'}
      </h2>
      <div id={text} className="confirm-text">
        <SlackText of={question.text} />
      </div>
      <footer className="dialog-buttons">
        <button type="button" className="button" onClick={() => answer(false)}>
          {question.deny ? <PlainText of={question.deny} /> : 'Cancel'}
        </button>
        <button
          type="button"
          className={`button button-filled button-${question.style === 'danger' ? 'danger' : 'primary'}`}
          onClick={() => answer(true)}
        >
          {question.confirm ? <PlainText of={question.confirm} /> : 'Yes'}
        </button>
      </footer>
    </dialog>
  );
}
