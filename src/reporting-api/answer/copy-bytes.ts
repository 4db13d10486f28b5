/** Longer runs are copied by the machine's own copy, which takes longer to begin. */
const longRun = 96;

/** Copies bytes and returns the place behind them. */
export function copyBytes(out: Buffer, at: number, bytes: Buffer, start: number, end: number): number {
  const behind = at + end - start;
  if (end - start > longRun) {
    bytes.copy(out, at, start, end);
    return behind;
  }
  let from = start;
  let to = at;
  while (to < behind) {
    out[to] = bytes[from] as number;
    to += 1;
    from += 1;
  }
  return behind;
}
