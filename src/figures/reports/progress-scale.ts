/**
 * Finds out whether progress comes in percent or as fractions of 1, which the service does not say: as fractions when
 * some lies between 0 and 1 and none above.
 */
export class ProgressScale {
  private between = false;
  private above = false;

  /** @param inPercent true where it came with a percent sign */
  see(progress: number, inPercent: boolean): void {
    if (inPercent || progress > 1) this.above = true;
    else if (progress > 0 && progress < 1) this.between = true;
  }

  get isFraction(): boolean {
    return this.between && !this.above;
  }

  copy(): ProgressScale {
    const copy = new ProgressScale();
    copy.between = this.between;
    copy.above = this.above;
    return copy;
  }
}
