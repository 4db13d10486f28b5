import type { FiguresPlan } from '../plan.js';
import type { FiguresResult } from '../result.js';
import { dayAlone, ZoneDays } from './dates.js';
import type { GivenDate } from './due-dates.js';

/** Tells which completions had happened by an instant, by their dates, and counts those that have none to tell by. */
export class CompletedBy {
  private readonly lastDay: number;

  private constructor(
    private readonly asOf: number,
    private readonly days: ZoneDays,
    private completed: number,
    private undated: number,
  ) {
    this.lastDay = days.dayOf(asOf);
  }

  /** Undefined where everything counts as it stands now. */
  static start({ asOf, zone }: FiguresPlan): CompletedBy | undefined {
    return asOf === undefined ? undefined : new CompletedBy(asOf, new ZoneDays(zone), 0, 0);
  }

  /**
   * False for what is completed now and was not then. Without a date nothing says that it was.
   *
   * @param done when it was completed; its instant is NaN where nothing readable says it
   */
  had({ instant, dayOnly }: GivenDate): boolean {
    this.completed++;
    if (Number.isNaN(instant)) {
      this.undated++;
      return false;
    }
    // Today's completions count now, whatever their time, so those of the last day count then.
    return dayOnly ? dayAlone(instant) <= this.lastDay : instant <= this.asOf;
  }

  copy(): CompletedBy {
    return new CompletedBy(this.asOf, this.days, this.completed, this.undated);
  }

  finish(): NonNullable<FiguresResult['recounted']> {
    return { completed: this.completed, undated: this.undated };
  }
}
