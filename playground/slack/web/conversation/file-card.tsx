import { useState } from 'react';
import type { PageFile } from '../../server/page-protocol.js';
import { Icon } from '../parts/icons.js';
import { CsvPreview } from './csv-preview.js';

/** A file in a message: its name and size, a look into it, and the way to save it. */
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
          {kind} · {writeBytes(file.size)}
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

export function writeBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[power]}`;
}
