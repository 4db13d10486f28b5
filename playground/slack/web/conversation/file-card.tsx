import { type ReactNode, useEffect, useId, useState } from 'react';
import type { PageFile } from '../../server/page-protocol.js';
import { renderList, useModalDialog } from '../parts/hooks.js';
import { Icon } from '../parts/icons.js';
import { type CsvRows, csvRows } from '../tables/rows.js';
import { drawable } from '../text/drawable.js';

/** A file in a message, with a CSV preview and a download link. */
export function FileCard({ file }: { file: PageFile }) {
  const [open, setOpen] = useState(false);
  if (file.deleted) return <div className="file-card file-deleted">This file was deleted.</div>;
  const kind = /\.csv$/i.test(file.name) ? 'CSV' : (file.name.split('.').pop()?.toUpperCase() ?? 'File');
  return (
    <div className="file-card">
      <span className="file-icon" aria-hidden="true">
        <Icon name="file" />
        <span className="file-kind">{kind}</span>
      </span>
      <span className="file-words">
        <span className="file-name">{file.title || file.name}</span>
        <span className="file-size">
          {kind} · {formatBytes(file.size)}
        </span>
      </span>
      {kind === 'CSV' ? (
        <button
          type="button"
          className="button"
          onClick={() => setOpen(true)}
          aria-label={`Open ${file.name}`}
        >
          <Icon name="open" />
          <span className="file-button-words">Open</span>
        </button>
      ) : null}
      <a
        className="button"
        href={`${file.url}?download`}
        download={file.name}
        aria-label={`Download ${file.name}`}
      >
        <Icon name="download" />
        <span className="file-button-words">Download</span>
      </a>
      {open ? <CsvPreview file={file} close={() => setOpen(false)} /> : null}
    </div>
  );
}

const units = ['bytes', 'KB', 'MB', 'GB'];

export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[power]}`;
}

const maxRows = 501;
const maxBytes = 1_000_000;

type PreviewState = CsvRows | 'loading' | 'failed';

/** The first rows of a CSV file, as a table. */
function CsvPreview({ file, close }: { file: PageFile; close(): void }) {
  const [look, setLook] = useState<PreviewState>('loading');
  useEffect(() => {
    const abort = new AbortController();
    readStart(file.url, abort.signal)
      .then(({ text, whole }) => setLook(csvRows(text, maxRows, whole)))
      .catch(() => {
        if (!abort.signal.aborted) setLook('failed');
      });
    return () => abort.abort();
  }, [file.url]);
  return (
    <Sheet title={file.name} close={close}>
      {look === 'loading' ? <p className="sheet-note">Opening…</p> : null}
      {look === 'failed' ? (
        <p className="sheet-note">The file could not be opened. Download it instead.</p>
      ) : null}
      {typeof look === 'object' ? <Rows rows={look.rows} more={look.more} name={file.name} /> : null}
    </Sheet>
  );
}

function Rows({ rows: [header = [], ...rows], more, name }: CsvRows & { name: string }) {
  return (
    <>
      <p className="sheet-note">
        {more ? `The first ${rows.length} rows.` : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by keyboard too. */}
      <section className="sheet-scroll" aria-label={`Rows of ${name}`} tabIndex={0}>
        <table className="table csv-table">
          <thead>
            <tr>
              {renderList(header, (cell) => (
                <th scope="col">{drawable(cell)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {renderList(rows, (row) => (
              <tr>
                {renderList(row, (cell) => (
                  <td>{drawable(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Reads the start of a file, at most one megabyte. */
async function readStart(url: string, signal: AbortSignal): Promise<{ text: string; whole: boolean }> {
  const answer = await fetch(url, { signal });
  if (!answer.ok || !answer.body) throw new Error(`Status ${answer.status}`);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), whole: true };
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (bytes >= maxBytes) {
      await reader.cancel();
      return { text, whole: false };
    }
  }
}

/** A large dialog. Escape, the X button and a click outside close it. */
function Sheet({ title, close, children }: { title: string; close(): void; children: ReactNode }) {
  const dialog = useModalDialog();
  const heading = useId();
  return (
    <dialog
      ref={dialog}
      className="dialog sheet"
      aria-labelledby={heading}
      onClose={close}
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <header className="dialog-head">
        <h2 id={heading} className="dialog-title">
          {title}
        </h2>
        <button type="button" className="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
