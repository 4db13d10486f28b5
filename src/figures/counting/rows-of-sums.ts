/** Rows of numbers that only ever grow by addition: one row per group, in one growing stretch of memory. */
export class RowsOfSums {
  private constructor(
    private readonly width: number,
    private cells: Float64Array,
    private used: number,
  ) {}

  static of(width: number): RowsOfSums {
    return new RowsOfSums(width, new Float64Array(width * 16), 0);
  }

  /** The number of the new row. */
  addRow(): number {
    if ((this.used + 1) * this.width > this.cells.length) {
      const grown = new Float64Array(this.cells.length * 2);
      grown.set(this.cells);
      this.cells = grown;
    }
    return this.used++;
  }

  add(row: number, sums: Float64Array): void {
    const { cells } = this;
    let at = row * this.width;
    for (let i = 0; i < sums.length; i++, at++) cells[at] = (cells[at] ?? 0) + (sums[i] ?? 0);
  }

  row(row: number): Float64Array {
    return this.cells.subarray(row * this.width, (row + 1) * this.width);
  }

  /** A row of nothing, that belongs to nobody. */
  emptyRow(): Float64Array {
    return new Float64Array(this.width);
  }

  copy(): RowsOfSums {
    return new RowsOfSums(this.width, this.cells.slice(), this.used);
  }
}
