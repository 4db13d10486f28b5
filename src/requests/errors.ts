import type { ReportName } from '../catalogue/index.js';
import { KnownError } from '../errors/known-error.js';
import type { RangeRefusal } from './date-range.js';

/** The range that was asked for does not exist now, or not for this report. */
export class RangeRefused extends KnownError {
  readonly code = 'range-refused';
  constructor(
    readonly report: ReportName,
    readonly refusal: RangeRefusal,
  ) {
    super(`The range was refused: ${refusal.refused}`);
  }
}

/** The request says `me`, and nobody knows the asker's e-mail address. */
export class AskerHasNoAddress extends KnownError {
  readonly code = 'asker-has-no-address';
  constructor() {
    super('The asker has no known e-mail address');
  }
}
