import { useWorkspace } from '../connection/use-workspace.js';
import { Modal } from './modal.js';

/** The modals in front of the person: only the top one is shown, as in Slack; what lies below keeps its values. */
export function ModalStack() {
  const { modals } = useWorkspace();
  const top = modals.at(-1);
  if (!top) return null;
  return <Modal view={top} depth={modals.length} />;
}
