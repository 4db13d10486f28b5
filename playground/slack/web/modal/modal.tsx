import { useEffect, useId } from 'react';
import type { PageView } from '../../server/page-protocol.js';
import { BlockList } from '../blocks/block-list.js';
import { pageBlocks } from '../blocks/page-block.js';
import { BlockSurface } from '../blocks/surface.js';
import { useConnection, useDirectory, useWorkspace } from '../connection/connection.js';
import { surfaceValues } from '../elements/element-state.js';
import { useModalDialog } from '../parts/hooks.js';
import { Avatar, Icon } from '../parts/icons.js';
import { useRunAction } from '../parts/toasts.js';

/** A view of the stack. The dialog traps the focus. Escape is Cancel; the X button closes the whole stack. */
function Modal({ view, depth }: { view: PageView; depth: number }) {
  const dialog = useModalDialog();
  const title = useId();
  const connection = useConnection();
  const { bot } = useWorkspace();
  const { users } = useDirectory();
  const runAction = useRunAction();
  useInitialFocus(dialog, view);

  function submit() {
    if (view.waiting || view.submit === undefined) return;
    const typed = connection.workspace()?.typed[view.id] ?? {};
    void runAction({
      type: 'submit',
      view: view.id,
      state: surfaceValues(pageBlocks(view.blocks), view.state, typed),
    });
  }
  const closeLabel = depth > 1 ? 'Close all' : 'Close';
  return (
    <dialog
      ref={dialog}
      className="dialog modal"
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        void runAction({ type: 'close', view: view.id, all: false });
      }}
    >
      <header className="dialog-head">
        <Avatar user={users.get(bot.user)} size={24} />
        <h2 id={title} className="dialog-title">
          {view.title}
        </h2>
        <button
          type="button"
          className="icon-button"
          aria-label={closeLabel}
          title={closeLabel}
          onClick={() => void runAction({ type: 'close', view: view.id, all: true })}
        >
          <Icon name="close" />
        </button>
      </header>
      <div className="modal-body" aria-busy={view.waiting}>
        <BlockSurface
          key={view.id}
          surface={{ kind: 'view', view: view.id }}
          blocks={view.blocks}
          state={view.state}
          errors={view.errors}
          submit={submit}
        >
          <div className="blocks">
            <BlockList blocks={pageBlocks(view.blocks)} />
          </div>
        </BlockSurface>
        {view.failed ? (
          <p className="message-failed" role="alert">
            {view.failed}
          </p>
        ) : null}
      </div>
      <footer className="dialog-buttons">
        <button
          type="button"
          className="button"
          onClick={() => void runAction({ type: 'close', view: view.id, all: false })}
        >
          {view.close}
        </button>
        {view.submit === undefined ? null : (
          <button
            type="button"
            className={`button button-filled button-primary${view.waiting ? ' busy' : ''}`}
            aria-busy={view.waiting}
            onClick={submit}
          >
            {view.submit}
          </button>
        )}
      </footer>
    </dialog>
  );
}

/** Focuses the first input of a new view, unless the bot chose one. After errors, focuses the first invalid input. */
function useInitialFocus(dialog: React.RefObject<HTMLDialogElement | null>, view: PageView) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per view, not per update.
  useEffect(() => {
    const box = dialog.current;
    if (!box || box.querySelector('.modal-body :focus')) return;
    box.querySelector<HTMLElement>('.modal-body :is(input, textarea):not([type="hidden"])')?.focus();
  }, [view.id]);
  useEffect(() => {
    if (Object.keys(view.errors).length === 0) return;
    dialog.current?.querySelector<HTMLElement>('.has-error :is(input, textarea)')?.focus();
  }, [view.errors, dialog]);
}

/** The open modals. As in Slack, only the top one is shown, and the others keep their values. */
export function ModalStack() {
  const { modals } = useWorkspace();
  const top = modals.at(-1);
  if (!top) return null;
  return <Modal view={top} depth={modals.length} />;
}
