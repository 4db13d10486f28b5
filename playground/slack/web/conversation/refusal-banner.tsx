import { useState } from 'react';
import { useWorkspace } from '../connection/use-workspace.js';
import { RefusalCard } from './refusal-card.js';

const most = 3;

/** New refusals that belong to no channel, such as a modal that Slack would not have opened. */
export function RefusalBanner() {
  const { refusals, oldRefusals } = useWorkspace();
  const [dismissed, setDismissed] = useState(0);
  const shown = refusals.filter(
    (refusal) => refusal.channel === undefined && refusal.id > Math.max(oldRefusals, dismissed),
  );
  if (shown.length === 0) return null;
  return (
    <div className="refusal-banner" role="alert">
      {shown.slice(0, most).map((refusal) => (
        <RefusalCard key={refusal.id} refusal={refusal} dismiss={() => setDismissed(refusal.id)} />
      ))}
    </div>
  );
}
