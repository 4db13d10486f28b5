import type { DataTableBlock, TableBlock } from '@slack/types';
import { useId, useState } from 'react';
import { renderList, useSidewaysOverflow } from '../parts/hooks.js';
import { drawable } from '../text/drawable.js';
import { RichText } from '../text/rich-text.js';
import { type Cell, cellText, hasNumbers, nextOrder, type SortOrder, sortRows } from './rows.js';

/** The `table` block. As in Slack, its first row is the header. */
export function Table({ block }: { block: TableBlock }) {
  const [header = [], ...body] = block.rows;
  const classOf = (column: number) => {
    const settings = block.column_settings?.[column];
    return `align-${settings?.align ?? 'left'}`;
  };
  return (
    <div className="table-frame">
      <SidewaysScroll label={{ 'aria-label': 'Table' }}>
        <table className="table">
          <thead>
            <tr>
              {renderList(header, (cell, column) => (
                <th scope="col" className={classOf(column)}>
                  <CellContent cell={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {renderList(body, (row) => (
              <tr>
                {renderList(row, (cell, column) => (
                  <td className={classOf(column)}>
                    <CellContent cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </SidewaysScroll>
    </div>
  );
}

/** A table with sorting and pages. */
export function DataTable({ block }: { block: DataTableBlock }) {
  const caption = useId();
  const [order, setOrder] = useState<SortOrder>();
  const [page, setPage] = useState(0);
  const [header = [], ...body] = block.rows;
  const pageSize = block.page_size ?? 5;
  const pages = Math.max(1, Math.ceil(body.length / pageSize));
  const shownPage = Math.min(page, pages - 1);
  const rows = sortRows(body, order).slice(shownPage * pageSize, (shownPage + 1) * pageSize);
  const rowHeader = block.row_header_column_index ?? 0;
  const classOf = (column: number) => (hasNumbers(body, column) ? 'numeric' : undefined);
  return (
    <figure className="table-frame">
      <figcaption id={caption} className="table-caption">
        {drawable(block.caption)}
      </figcaption>
      <SidewaysScroll label={{ 'aria-labelledby': caption }}>
        <table className="table data-table" aria-labelledby={caption}>
          <thead>
            <tr>
              {renderList(header, (cell, column) => (
                <ColumnHeader
                  cell={cell}
                  className={classOf(column)}
                  sorted={order?.column === column ? order.direction : undefined}
                  sort={() => {
                    setOrder(nextOrder(order, column));
                    setPage(0);
                  }}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={body.indexOf(row)}>
                {renderList(row, (cell, column) =>
                  column === rowHeader ? (
                    <th scope="row" className={classOf(column)}>
                      <CellContent cell={cell} />
                    </th>
                  ) : (
                    <td className={classOf(column)}>
                      <CellContent cell={cell} />
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </SidewaysScroll>
      <Pager page={shownPage} pageSize={pageSize} total={body.length} go={setPage} of={block.caption} />
    </figure>
  );
}

interface SidewaysScrollProps {
  label: { 'aria-label': string } | { 'aria-labelledby': string };
  children: React.ReactNode;
}

/** Scrolls a wide table sideways, and shows at its edges that there is more. */
function SidewaysScroll({ label, children }: SidewaysScrollProps) {
  const [frame, more] = useSidewaysOverflow<HTMLElement>();
  return (
    <div className={`table-edges${more.left ? ' more-left' : ''}${more.right ? ' more-right' : ''}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard too. */}
      <section ref={frame} className="table-scroll" {...label} tabIndex={0}>
        {children}
      </section>
    </div>
  );
}

interface ColumnHeaderProps {
  cell: Cell;
  className: string | undefined;
  sorted: SortOrder['direction'] | undefined;
  sort(): void;
}

function ColumnHeader({ cell, className, sorted, sort }: ColumnHeaderProps) {
  return (
    <th scope="col" className={className} aria-sort={sorted ?? 'none'}>
      <button type="button" className="sort" onClick={sort}>
        <span>{drawable(cellText(cell))}</span>
        <svg className={`sort-arrow ${sorted ?? ''}`} viewBox="0 0 10 10" aria-hidden="true">
          <path d="M5 1 L8.5 6 L1.5 6 Z" />
        </svg>
      </button>
    </th>
  );
}

/** The content of a cell. Raw text has no formatting. */
function CellContent({ cell }: { cell: Cell | undefined }) {
  if (!cell) return null;
  return cell.type === 'rich_text' ? <RichText block={cell} /> : drawable(cell.text);
}

/** Which rows of how many are shown, and the way to the others; nothing where one page holds them all. */
function Pager(props: { page: number; pageSize: number; total: number; go(page: number): void; of: string }) {
  const { page, pageSize, total, go, of } = props;
  if (total <= pageSize) return null;
  const last = Math.ceil(total / pageSize) - 1;
  return (
    <nav className="pager" aria-label={`Pages of ${of}`}>
      <span aria-live="polite">
        {page * pageSize + 1}–{Math.min(total, (page + 1) * pageSize)} of {total}
      </span>
      <button type="button" className="icon-button" disabled={page === 0} onClick={() => go(page - 1)}>
        <span aria-hidden="true">‹</span>
        <span className="for-screen-readers">Previous rows</span>
      </button>
      <button type="button" className="icon-button" disabled={page === last} onClick={() => go(page + 1)}>
        <span aria-hidden="true">›</span>
        <span className="for-screen-readers">Next rows</span>
      </button>
    </nav>
  );
}
