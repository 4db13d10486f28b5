import { RichText } from '../text/rich-text.js';
import type { Cell } from './cells.js';

/** What stands in a cell. Raw text formats nothing. */
export function CellContent({ cell }: { cell: Cell | undefined }) {
  if (!cell) return null;
  return cell.type === 'rich_text' ? <RichText block={cell} /> : cell.text;
}
