import type { DataTableBlock } from '@slack/types';
import { useId, useState } from 'react';
import { inOrder } from '../parts/in-order.js';
import { CellContent } from './cell.js';
import { type Cell, cellWords, holdsNumbers, nextOrder, type SortOrder, sortRows } from './cells.js';
import { Pager } from './pager.js';

/** A table that people sort by a click on a header and leaf through. */
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
  const classOf = (column: number) => (holdsNumbers(body, column) ? 'numeric' : undefined);
  return (
    <figure className="table-frame">
      <figcaption id={caption} className="table-caption">
        {block.caption}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, by keyboard too. */}
      <section className="table-scroll" aria-labelledby={caption} tabIndex={0}>
        <table className="table data-table" aria-labelledby={caption}>
          <thead>
            <tr>
              {inOrder(header, (cell, column) => (
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
                {inOrder(row, (cell, column) =>
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
      </section>
      <Pager page={shownPage} pageSize={pageSize} total={body.length} go={setPage} of={block.caption} />
    </figure>
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
        <span>{cellWords(cell)}</span>
        <svg className={`sort-arrow ${sorted ?? ''}`} viewBox="0 0 10 10" aria-hidden="true">
          <path d="M5 1 L8.5 6 L1.5 6 Z" />
        </svg>
      </button>
    </th>
  );
}
