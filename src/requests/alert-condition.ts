/** Percentages of a rate are written with their sign: `completion-rate < 80%`. */
export type AlertComparison = '>' | '>=' | '<' | '<=';

/**
 * What an alert waits for. Plain data.
 * - `threshold`: a figure, by its ID, is on one side of a value. Rates are in percent.
 * - `changed`: any figure differs from the last run.
 * - `new-rows`: there are rows that the last run did not have.
 */
export type AlertCondition =
  | {
      readonly kind: 'threshold';
      readonly figure: string;
      readonly comparison: AlertComparison;
      readonly value: number;
      readonly isPercent: boolean;
    }
  | { readonly kind: 'changed' }
  | { readonly kind: 'new-rows' };

/** Why the words after `when` are no condition. */
export type ConditionRefusal =
  /** `when daily 9` */
  | 'condition-missing'
  /** `when > 50` */
  | 'figure-missing'
  /** `when overdue`, `when overdue 50` */
  | 'comparison-missing'
  /** `when anything changes` */
  | 'not-a-condition'
  /** `when overdue = 50` */
  | 'not-a-comparison'
  /** `when overdue >` */
  | 'value-missing'
  | 'not-a-value'
  /** `when overdue > 50 and late > 5` */
  | 'one-condition'
  | 'options-after'
  /** `when overdue > 50 assignments` */
  | 'unit'
  | 'words-after'
  /** `skip-empty` beside a condition. */
  | 'skip-empty';

/** The words after `when`: `overdue > 50`. */
export function formatCondition(condition: AlertCondition): string {
  if (condition.kind !== 'threshold') return condition.kind;
  const { figure, comparison, value, isPercent } = condition;
  return `${figure} ${comparison} ${value}${isPercent ? '%' : ''}`;
}

/** Whether a value meets a threshold. */
export function meets(
  { comparison, value }: Extract<AlertCondition, { kind: 'threshold' }>,
  found: number,
): boolean {
  switch (comparison) {
    case '>':
      return found > value;
    case '>=':
      return found >= value;
    case '<':
      return found < value;
    case '<=':
      return found <= value;
  }
}

/** Five percent of the threshold: a figure that moves to and fro around it does not post each time. */
const shareToArm = 0.05;

/**
 * The value that a figure has to reach, on the other side of its threshold, before the alert can post again. A number of
 * things is never below 0, and a rate never above 100 %. Scores can be below 0.
 */
export function armsAgainAt({
  comparison,
  value,
  isPercent,
}: Extract<AlertCondition, { kind: 'threshold' }>): number {
  const step = Math.abs(value) * shareToArm;
  if (comparison === '>' || comparison === '>=') return value < 0 ? value - step : Math.max(0, value - step);
  return isPercent ? Math.min(100, value + step) : value + step;
}

/** Whether a value is far enough on the other side of the threshold. */
export function armsAgain(condition: Extract<AlertCondition, { kind: 'threshold' }>, found: number): boolean {
  if (meets(condition, found)) return false;
  const limit = armsAgainAt(condition);
  return condition.comparison.startsWith('>') ? found <= limit : found >= limit;
}
