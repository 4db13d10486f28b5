import { type ConditionKind, conditionField, conditionFields } from '../catalogue/conditions.js';
import type { Report, ReportName } from '../catalogue/index.js';
import { quoteEntry } from './tokens.js';

/** `=` before a date takes a range: the date lies in it. `none` and `any` take no values: the field is empty, or not. */
export type ConditionSign = '=' | '!' | '>' | '>=' | '<' | '<=' | 'none' | 'any';

/** What rows have to meet beside the filters: something that the service cannot filter by. Decided on rows. */
export interface RowCondition {
  /** The ID of a `ConditionField`. */
  readonly field: string;
  readonly sign: ConditionSign;
  /**
   * Texts, numbers, `true` or `false`, or canonical words of ranges. `!` takes several, of which a row may have none; `=`
   * takes several texts, of which a row needs one.
   */
  readonly values: readonly string[];
}

/** At most so many conditions, so that a message can name them. */
export const maxConditions = 50;

/** Why the value of an option is no condition. */
export type RowConditionRefusal =
  /** No row says what the member filters by: `categories:!Sales`. */
  | 'no-field'
  /** `score:<` */
  | 'value-missing'
  /** `departments:Sales,!HR` */
  | 'sign-first'
  /** `score:>60,70` */
  | 'one-value'
  /** `departments:none,Sales` */
  | 'alone'
  /** `score:60` */
  | 'sign-missing'
  | 'not-a-number'
  | 'not-a-date'
  /** `last_login:>2026-03-05T10:00` */
  | 'date-with-time'
  /** `departments:>Sales` */
  | 'no-order'
  /** `is_manager:>yes` */
  | 'not-yes-or-no'
  /** `content_metadata:none` */
  | 'key-missing'
  /** `score:>60 score:<50` */
  | 'contradiction'
  | 'too-many';

export interface WithConditions {
  readonly conditions?: readonly RowCondition[] | undefined;
}

/** True where a condition is about people. One whose field the report does not have may be. */
export function conditionIsPersonLevel(report: Pick<Report, 'name'>, { field }: RowCondition): boolean {
  return conditionField(report, field)?.personLevel ?? true;
}

/** True where a condition is about what changes while time passes: no earlier time can be asked for it. */
export function hasConditionOfNow({
  report,
  conditions = [],
}: { readonly report: ReportName } & WithConditions): boolean {
  return conditions.some(({ field }) => conditionField({ name: report }, field)?.ofNow ?? true);
}

/** True for a sign that puts values in order. */
export function isComparison(sign: ConditionSign): boolean {
  return sign === '>' || sign === '>=' || sign === '<' || sign === '<=';
}

const signsInOrder: readonly ConditionSign[] = ['=', '!', '>', '>=', '<', '<=', 'none', 'any'];

/** In the order of the catalogue, each once; exclusions of one field are one condition. */
export function orderedConditions(
  report: Pick<Report, 'name'>,
  conditions: readonly RowCondition[],
): readonly RowCondition[] {
  const joined = new Map<string, RowCondition>();
  for (const condition of conditions) {
    const { field, sign, values } = condition;
    const key = sign === '!' ? JSON.stringify([field, sign]) : JSON.stringify(condition);
    const before = joined.get(key);
    // One that stays alone stays the same object.
    if (!before) joined.set(key, condition);
    else joined.set(key, { field, sign, values: [...new Set([...before.values, ...values])] });
  }
  const ids = conditionFields(report).map(({ id }) => id);
  const placeOf = ({ field }: RowCondition) => (ids.includes(field) ? ids.indexOf(field) : ids.length);
  return [...joined.values()].sort(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      Number(one.field > other.field) - Number(one.field < other.field) ||
      signsInOrder.indexOf(one.sign) - signsInOrder.indexOf(other.sign),
  );
}

/** `departments:!Sales,HR`, `score:<60`, `hired_on:this-year`, `last_login:none`. */
export function formatConditionOption(report: Pick<Report, 'name'>, condition: RowCondition): string {
  const { field, sign, values } = condition;
  const known = conditionField(report, field);
  return `${known?.name ?? field}:${formatConditionValue(known?.kind ?? 'text', sign, values)}`;
}

/** What stands after the colon. */
function formatConditionValue(kind: ConditionKind, sign: ConditionSign, values: readonly string[]): string {
  if (sign === 'none' || sign === 'any') return sign;
  if (kind === 'yes-no') return sign + values.map((value) => (value === 'true' ? 'yes' : 'no')).join(',');
  if (kind === 'number') return sign + values.join(',');
  if (kind === 'date') return `${sign === '=' ? '' : sign}${values.join(',')}`;
  return sign + values.map(quoteEntry).join(',');
}
