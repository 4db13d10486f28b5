import { memo, useId, useState } from 'react';
import type { InspectorEntry } from '../../server/page-protocol.js';
import { writeBytes } from '../conversation/file-card.js';
import { Body } from './body.js';

const arrows = { out: '↑', in: '↓', service: '⇄' };
const states = { waiting: 'waiting', ok: 'answered', refused: 'refused', failed: 'failed' };

interface EntryViewProps {
  entry: InspectorEntry;
  tone: keyof typeof arrows;
}

/** One request with its answer; unfolds to both bodies. */
export const EntryView = memo(function EntryView({ entry, tone }: EntryViewProps) {
  const [open, setOpen] = useState(false);
  const body = useId();
  const time = new Date(entry.at).toLocaleTimeString('en-GB');
  return (
    <li className={`entry entry-${entry.state}`}>
      <button
        type="button"
        className="entry-head"
        aria-expanded={open}
        aria-controls={body}
        onClick={() => setOpen(!open)}
      >
        <span className={`entry-arrow entry-arrow-${tone}`} role="img" aria-label={entry.between}>
          {arrows[tone]}
        </span>
        <span className="entry-title">{entry.title}</span>
        <span className="entry-facts">
          {entry.error ? <span className="entry-error">{entry.error}</span> : null}
          <span className="for-screen-readers">{states[entry.state]}</span>
          {entry.answerBytes === undefined ? null : <span>{writeBytes(entry.answerBytes)}</span>}
          {entry.milliseconds === undefined ? null : <span>{Math.round(entry.milliseconds)} ms</span>}
          {entry.state === 'waiting' ? <span className="entry-waiting">…</span> : null}
          <time dateTime={new Date(entry.at).toISOString()}>{time}</time>
        </span>
      </button>
      <div id={body} className="entry-body" hidden={!open}>
        {open ? (
          <>
            <Body title="Request" text={entry.request} />
            <Body
              title="Answer"
              text={entry.answer ?? (entry.state === 'waiting' ? 'Not there yet.' : 'None.')}
            />
          </>
        ) : null}
      </div>
    </li>
  );
});
