import { useEffect, useState } from 'react';
import type { PageFile } from '../../server/page-protocol.js';
import { inOrder } from '../parts/in-order.js';
import { Sheet } from '../parts/sheet.js';
import { type CsvRows, csvRows } from './csv-rows.js';

const mostRows = 501;
const mostBytes = 1_000_000;

type Look = CsvRows | 'loading' | 'failed';

/** The first rows of a CSV file, as a table. */
export function CsvPreview({ file, close }: { file: PageFile; close(): void }) {
  const [look, setLook] = useState<Look>('loading');
  useEffect(() => {
    const leave = new AbortController();
    readStart(file.url, leave.signal)
      .then(({ text, whole }) => setLook(csvRows(text, mostRows, whole)))
      .catch(() => {
        if (!leave.signal.aborted) setLook('failed');
      });
    return () => leave.abort();
  }, [file.url]);
  return (
    <Sheet title={file.name} close={close}>
      {look === 'loading' ? <p className="sheet-note">Opening…</p> : null}
      {look === 'failed' ? <p className="sheet-note">This file could not be opened.</p> : null}
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
              {inOrder(header, (cell) => (
                <th scope="col">{cell}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {inOrder(rows, (row) => (
              <tr>
                {inOrder(row, (cell) => (
                  <td>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** The start of a file; a file of any size costs no more than a megabyte here. */
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
    if (bytes >= mostBytes) {
      await reader.cancel();
      return { text, whole: false };
    }
  }
}
