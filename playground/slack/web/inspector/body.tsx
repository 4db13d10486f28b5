import { useMemo, useState } from 'react';
import { JsonTree } from './json-tree.js';

/** One side of an exchange: JSON as a tree to unfold, anything else as it stands. */
export function Body({ title, text }: { title: string; text: string }) {
  const json = useMemo(() => parsed(text), [text]);
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

function parsed(text: string): { value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
