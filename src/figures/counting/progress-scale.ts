import type { RecordView } from '../record-view.js';
import { percentIn } from './missing-values.js';

/**
 * Finds out whether progress comes in percent or as fractions of 1, which the service does not specify. Fractions are
 * assumed when some lies between 0 and 1 and none above.
 */
export class ProgressScale {
  private between = false;
  private above = false;

  /** @param known whether all of it are fractions; absent: what was seen decides */
  constructor(private readonly known?: boolean) {}

  /** @param inPercent true where it came with a percent sign */
  see(progress: number, inPercent: boolean): void {
    if (inPercent || progress > 1) this.above = true;
    else if (progress > 0 && progress < 1) this.between = true;
  }

  /** Sees the progress of a record as figures read it. */
  seeIn(record: RecordView, index: number): void {
    if (this.above) return;
    const value = record.number(index);
    const isText = Number.isNaN(value);
    const progress = isText ? percentIn(record.text(index)) : value;
    if (Math.abs(progress) <= Number.MAX_SAFE_INTEGER) this.see(progress, isText);
  }

  get isFraction(): boolean {
    return this.known ?? (this.between && !this.above);
  }

  copy(): ProgressScale {
    const copy = new ProgressScale(this.known);
    copy.merge(this);
    return copy;
  }

  merge({ between, above }: ProgressScale): void {
    this.between ||= between;
    this.above ||= above;
  }
}
