/** Which rows of how many are shown, and the way to the others; nothing where one page holds them all. */
export function Pager(props: {
  page: number;
  pageSize: number;
  total: number;
  go(page: number): void;
  of: string;
}) {
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
