import { useState } from 'react';
import type { InspectorEntry } from '../../server/page-protocol.js';
import { useWorkspace } from '../connection/use-workspace.js';
import { Icon } from '../parts/icons.js';
import { Menu } from '../parts/menu.js';
import { useAct } from '../parts/toasts.js';
import { useArrowKeys } from '../parts/use-arrow-keys.js';
import { EntryView } from './entry-view.js';

type Between = InspectorEntry['between'];

const lines: { between: Between; label: string }[] = [
  { between: 'bot to Slack', label: 'Bot → Slack' },
  { between: 'Slack to bot', label: 'Slack → bot' },
  { between: 'bot to Reporting Service', label: 'Bot → Reporting Service' },
];

/** Every request and answer between bot, Slack and Reporting Service, newest first. */
export function Inspector({ close }: { close(): void }) {
  const { inspector } = useWorkspace();
  const act = useAct();
  const [shown, setShown] = useState<ReadonlySet<Between>>(new Set(lines.map(({ between }) => between)));
  const [words, setWords] = useState('');
  const onKeyDown = useArrowKeys('.entry-head');
  const entries = inspector.filter((entry) => shown.has(entry.between) && holds(entry, words));

  function toggle(between: Between) {
    const next = new Set(shown);
    if (!next.delete(between)) next.add(between);
    setShown(next);
  }
  return (
    <aside className="panel inspector" aria-label="Inspector">
      <header className="panel-head">
        <h2 className="panel-title">Inspector</h2>
        <Menu
          label="Inspector actions"
          buttonClass="icon-button"
          align="end"
          button={<Icon name="dots" />}
          items={[
            { id: 'clear', content: 'Clear the list', choose: () => void act({ type: 'clear-inspector' }) },
            {
              id: 'renew',
              content: 'Renew the bot’s connections',
              choose: () => void act({ type: 'renew-connections' }),
            },
          ]}
        />
        <button type="button" className="icon-button" aria-label="Close the inspector" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div className="inspector-filters">
        <input
          type="search"
          className="field"
          aria-label="Filter by text"
          placeholder="Filter by method, path or text"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: three switches in a row are no form. */}
        <div className="toggles" role="group" aria-label="Between whom">
          {lines.map(({ between, label }) => (
            <button
              key={between}
              type="button"
              className={`toggle toggle-${toneOf(between)}`}
              aria-pressed={shown.has(between)}
              onClick={() => toggle(between)}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the entries inside. */}
      <div className="entries" onKeyDown={onKeyDown}>
        {entries.length === 0 ? (
          <p className="panel-empty">
            {inspector.length === 0
              ? 'Nothing has been said yet. Type a command to see what the bot asks.'
              : 'No request matches the filter.'}
          </p>
        ) : (
          <ol className="entry-list">
            {entries.map((entry) => (
              <EntryView key={entry.id} entry={entry} tone={toneOf(entry.between)} />
            ))}
          </ol>
        )}
      </div>
    </aside>
  );
}

function toneOf(between: Between): 'out' | 'in' | 'service' {
  if (between === 'bot to Slack') return 'out';
  return between === 'Slack to bot' ? 'in' : 'service';
}

function holds(entry: InspectorEntry, words: string): boolean {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return true;
  return [entry.title, entry.error, entry.request, entry.answer].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}
