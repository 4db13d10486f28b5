import { memo, useId, useMemo, useState } from 'react';
import type { InspectorEntry } from '../server/page-protocol.js';
import { useDirectory, useWorkspace } from './connection/connection.js';
import { formatBytes } from './conversation/file-card.js';
import { useArrowKeys, useFocusReturn } from './parts/hooks.js';
import { Icon } from './parts/icons.js';
import { Menu } from './parts/menu.js';
import { useRunAction } from './parts/toasts.js';
import { isoDay } from './text/dates.js';

type Direction = InspectorEntry['direction'];

const directions: { direction: Direction; label: string }[] = [
  { direction: 'bot to Slack', label: 'Bot → Slack' },
  { direction: 'Slack to bot', label: 'Slack → bot' },
  { direction: 'bot to Reporting Service', label: 'Bot → Reporting Service' },
];

/** The requests and answers between the bot, Slack and the Reporting Service, newest first. */
export function Inspector({ close }: { close(): void }) {
  const { inspector } = useWorkspace();
  const { zone, now } = useDirectory();
  const today = isoDay(now(), zone);
  const runAction = useRunAction();
  useFocusReturn();
  const [shown, setShown] = useState<ReadonlySet<Direction>>(
    new Set(directions.map(({ direction }) => direction)),
  );
  const [words, setWords] = useState('');
  const onKeyDown = useArrowKeys('.entry-head');
  const entries = inspector.filter((entry) => shown.has(entry.direction) && matchesQuery(entry, words));

  function toggle(direction: Direction) {
    const next = new Set(shown);
    if (!next.delete(direction)) next.add(direction);
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
            {
              id: 'clear',
              content: 'Clear list',
              choose: () => void runAction({ type: 'clear-inspector' }),
            },
            {
              id: 'renew',
              content: 'Renew the bot’s connections',
              choose: () => void runAction({ type: 'renew-connections' }),
            },
          ]}
        />
        <button type="button" className="icon-button" aria-label="Close inspector" onClick={close}>
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
        {/* biome-ignore lint/a11y/useSemanticElements: these toggles are not a form. */}
        <div className="toggles" role="group" aria-label="Direction">
          {directions.map(({ direction, label }) => (
            <button
              key={direction}
              type="button"
              className={`toggle toggle-${toneOf(direction)}`}
              aria-pressed={shown.has(direction)}
              onClick={() => toggle(direction)}
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
              ? 'No requests yet. Type a command to see what the bot sends.'
              : 'No request matches the filter.'}
          </p>
        ) : (
          <ol className="entry-list">
            {entries.map((entry) => (
              <EntryView
                key={entry.id}
                entry={entry}
                tone={toneOf(entry.direction)}
                zone={zone}
                today={today}
              />
            ))}
          </ol>
        )}
      </div>
    </aside>
  );
}

function toneOf(direction: Direction): 'out' | 'in' | 'service' {
  if (direction === 'bot to Slack') return 'out';
  return direction === 'Slack to bot' ? 'in' : 'service';
}

function matchesQuery(entry: InspectorEntry, query: string): boolean {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return true;
  return [entry.title, entry.error, entry.request, entry.answer].some((text) =>
    text?.toLowerCase().includes(wanted),
  );
}

const directionArrows = { out: '↑', in: '↓', service: '⇄' };
const stateLabels = { waiting: 'waiting', ok: 'answered', refused: 'refused', failed: 'failed' };

interface EntryViewProps {
  entry: InspectorEntry;
  tone: keyof typeof directionArrows;
  zone: string;
  /** The playground's day, as `2026-11-20`. */
  today: string;
}

/** A request with its answer. Expands to show both bodies. */
const EntryView = memo(function EntryView({ entry, tone, zone, today }: EntryViewProps) {
  const [open, setOpen] = useState(false);
  const body = useId();
  const time = new Intl.DateTimeFormat('en-GB', {
    timeStyle: 'medium',
    timeZone: zone,
  }).format(entry.at);
  const day = isoDay(entry.at, zone);
  return (
    <li className={`entry entry-${entry.state}`}>
      <button
        type="button"
        className="entry-head"
        aria-expanded={open}
        aria-controls={body}
        onClick={() => setOpen(!open)}
      >
        <span className={`entry-arrow entry-arrow-${tone}`} role="img" aria-label={entry.direction}>
          {directionArrows[tone]}
        </span>
        <span className="entry-title">{entry.title}</span>
        <span className="entry-facts">
          {entry.error ? <span className="entry-error">{entry.error}</span> : null}
          <span className="for-screen-readers">{stateLabels[entry.state]}</span>
          {entry.answerBytes === undefined ? null : <span>{formatBytes(entry.answerBytes)}</span>}
          {entry.durationMs === undefined ? null : <span>{Math.round(entry.durationMs)} ms</span>}
          {entry.state === 'waiting' ? <span className="entry-waiting">…</span> : null}
          <time dateTime={new Date(entry.at).toISOString()}>{day === today ? time : `${day} ${time}`}</time>
        </span>
      </button>
      <div id={body} className="entry-body" hidden={!open}>
        {open ? (
          <>
            <Body title="Request" text={entry.request} />
            <Body title="Answer" text={entry.answer ?? (entry.state === 'waiting' ? 'Waiting…' : 'None.')} />
          </>
        ) : null}
      </div>
    </li>
  );
});

/** A body: JSON as a tree, anything else as text. */
function Body({ title, text }: { title: string; text: string }) {
  const json = useMemo(() => parseJson(text), [text]);
  const [raw, setRaw] = useState(false);
  return (
    <section className="body">
      <header className="body-head">
        <h3>{title}</h3>
        {json === undefined ? null : (
          <button type="button" className="link-button" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            {raw ? 'As a tree' : 'As text'}
          </button>
        )}
        <button
          type="button"
          className="link-button"
          onClick={() => void navigator.clipboard.writeText(text)}
        >
          Copy
        </button>
      </header>
      {json === undefined || raw ? (
        <pre className="body-text">{text}</pre>
      ) : (
        <JsonTree value={json.value} depth={0} />
      )}
    </section>
  );
}

function parseJson(text: string): { value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

interface JsonTreeProps {
  value: unknown;
  /** The member name of the value. */
  name?: string;
  depth: number;
}

const initiallyOpenDepth = 2;
const membersPerPage = 100;

/** A JSON tree. The first two levels are open; long lists open in steps. */
function JsonTree({ value, name, depth }: JsonTreeProps) {
  const [open, setOpen] = useState(depth < initiallyOpenDepth);
  const [most, setMost] = useState(membersPerPage);
  if (typeof value !== 'object' || value === null) return <Leaf name={name} value={value} />;
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  if (members.length === 0) return <Leaf name={name} value={value} />;
  const [from, to] = isList ? ['[', ']'] : ['{', '}'];
  return (
    <div className="json-node">
      <button type="button" className="json-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="json-arrow" aria-hidden="true">
          {open ? '▾' : '▸'}
        </span>
        <Name name={name} />
        <span className="json-sign">
          {from}
          {open ? '' : `${members.length}${to}`}
        </span>
      </button>
      {open ? (
        <div className="json-members">
          {members.slice(0, most).map(([key, member]) => (
            <JsonTree key={key} name={key} value={member} depth={depth + 1} />
          ))}
          {members.length > most ? (
            <button type="button" className="link-button" onClick={() => setMost(most + membersPerPage)}>
              {members.length - most} more
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

function Leaf({ name, value }: { name: string | undefined; value: unknown }) {
  const kind = value === null ? 'null' : typeof value;
  return (
    <div className="json-leaf">
      <Name name={name} />
      <span className={`json-${kind}`}>{JSON.stringify(value)}</span>
    </div>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span className="json-name">{name}: </span>;
}
