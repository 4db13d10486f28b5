import { useWorkspace } from '../connection/use-workspace.js';

/** How many payloads Slack would have refused since the page came; nothing while there are none. */
export function RefusalCount({ open }: { open(): void }) {
  const { refusals, oldRefusals } = useWorkspace();
  const fresh = refusals.filter((refusal) => refusal.id > oldRefusals).length;
  if (fresh === 0) return null;
  return (
    <button type="button" className="bar-button refusal-count" onClick={open}>
      {fresh} refused
    </button>
  );
}
