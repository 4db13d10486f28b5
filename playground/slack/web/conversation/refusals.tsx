import { useState } from 'react';
import type { Refusal } from '../../server/page-protocol.js';
import { useWorkspace } from '../connection/connection.js';

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

/** Something the bot sent and Slack would refuse, with the rules it broke. */
export function RefusalCard({ refusal, dismiss }: { refusal: Refusal; dismiss?: (() => void) | undefined }) {
  return (
    <section className="refusal" aria-label={`Slack would refuse ${refusal.method}`}>
      <p className="refusal-head">
        <strong>Slack would refuse this</strong>
        <code>{refusal.method}</code>
        <code className="refusal-error">{refusal.error}</code>
        {dismiss ? (
          <button type="button" className="link-button refusal-dismiss" onClick={dismiss}>
            Dismiss
          </button>
        ) : null}
      </p>
      <p className="refusal-sentence">{refusal.sentence}</p>
      {refusal.rules.length > 0 ? (
        <ul className="refusal-rules">
          {refusal.rules.map((rule) => (
            <li key={`${rule.pointer} ${rule.code} ${rule.message}`}>
              <code>{rule.pointer || '/'}</code> {rule.message}{' '}
              <span className="refusal-code">{rule.code}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
