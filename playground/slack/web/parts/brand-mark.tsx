/** Rollcall's mark: a list on which somebody has been ticked off. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6.5h6M4 12h6M4 17.5h16" />
      <path className="brand-tick" d="M13 9.2l2.6 2.7L20.5 6" />
    </svg>
  );
}
