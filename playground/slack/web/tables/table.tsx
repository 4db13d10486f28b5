import type { TableBlock } from '@slack/types';
import { inOrder } from '../parts/in-order.js';
import { CellContent } from './cell.js';

/** The plain `table` block: its first row is drawn as the header, as in Slack. */
export function Table({ block }: { block: TableBlock }) {
  const [header = [], ...body] = block.rows;
  const classOf = (column: number) => {
    const settings = block.column_settings?.[column];
    return `align-${settings?.align ?? 'left'}${settings?.is_wrapped ? ' wrapped' : ''}`;
  };
  return (
    <div className="table-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, by keyboard too. */}
      <section className="table-scroll" aria-label="Table" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {inOrder(header, (cell, column) => (
                <th scope="col" className={classOf(column)}>
                  <CellContent cell={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {inOrder(body, (row) => (
              <tr>
                {inOrder(row, (cell, column) => (
                  <td className={classOf(column)}>
                    <CellContent cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
