import { useState } from 'react';

interface JsonTreeProps {
  value: unknown;
  /** The member that holds the value. */
  name?: string;
  depth: number;
}

const openDepth = 2;
const mostMembers = 100;

/** JSON to unfold: the first two levels are open, longer lists open in steps. */
export function JsonTree({ value, name, depth }: JsonTreeProps) {
  const [open, setOpen] = useState(depth < openDepth);
  const [most, setMost] = useState(mostMembers);
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
            <button type="button" className="link-button" onClick={() => setMost(most + mostMembers)}>
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
