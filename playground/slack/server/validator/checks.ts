import type { RuleViolation } from '../page-shapes.js';

export type ReportViolation = (rule: RuleViolation) => void;

/** Validates a value of a payload and reports each violation. `pointer` is the value's JSON pointer. */
export type Check = (value: unknown, pointer: string, report: ReportViolation) => void;

export type PayloadObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is PayloadObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Length for Slack's limits: UTF-16 units of the escaped text, the strictest count. */
export function lengthOf(text: string): number {
  return text.length;
}

interface TextRules {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** Description of the pattern for messages. */
  readonly like?: string;
}

export function text({ min = 1, max, pattern, like }: TextRules = {}): Check {
  return (value, pointer, report) => {
    if (typeof value !== 'string')
      return report({ code: 'wrong_type', message: 'must provide a string', pointer });
    if (lengthOf(value) < min)
      report({ code: 'too_short', message: `must be more than ${min - 1} characters`, pointer });
    if (max !== undefined && lengthOf(value) > max)
      report({ code: 'too_long', message: `must be less than ${max + 1} characters`, pointer });
    if (pattern && !pattern.test(value))
      report({ code: 'bad_format', message: `must be ${like ?? 'in another form'}`, pointer });
  };
}

interface NumberRules {
  readonly whole?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** Exclusive minimum. */
  readonly above?: number;
}

export function number({ whole = false, min, max, above }: NumberRules = {}): Check {
  return (value, pointer, report) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      return report({ code: 'wrong_type', message: 'must provide a number', pointer });
    if (whole && !Number.isInteger(value))
      report({ code: 'wrong_type', message: 'must provide a whole number', pointer });
    if (min !== undefined && value < min)
      report({ code: 'too_small', message: `must be at least ${min}`, pointer });
    if (max !== undefined && value > max)
      report({ code: 'too_large', message: `must be at most ${max}`, pointer });
    if (above !== undefined && value <= above)
      report({ code: 'too_small', message: `must be more than ${above}`, pointer });
  };
}

export const flag: Check = (value, pointer, report) => {
  if (typeof value !== 'boolean') report({ code: 'wrong_type', message: 'must provide a boolean', pointer });
};

export function oneOf(...values: readonly (string | number)[]): Check {
  return (value, pointer, report) => {
    if (!values.some((allowed) => allowed === value))
      report({ code: 'not_one_of', message: `must be one of: ${values.join(', ')}`, pointer });
  };
}

export function list(of: Check, { min = 0, max }: { min?: number; max?: number } = {}): Check {
  return (value, pointer, report) => {
    if (!Array.isArray(value))
      return report({ code: 'wrong_type', message: 'must provide an array', pointer });
    if (value.length < min)
      report({ code: 'too_few', message: `at least ${min} item${min === 1 ? '' : 's'} required`, pointer });
    if (max !== undefined && value.length > max)
      report({ code: 'too_many', message: `no more than ${max} items allowed`, pointer });
    for (const [index, item] of value.entries()) of(item, `${pointer}/${index}`, report);
  };
}

interface ObjectRules {
  /** Required members. */
  readonly needs?: readonly string[];
  /** At least one of these is required. */
  readonly needsAnyOf?: readonly string[];
  /** Exactly one of these is required. */
  readonly needsOneOf?: readonly string[];
  /** Rules over several members. */
  readonly also?: (thing: PayloadObject, pointer: string, report: ReportViolation) => void;
}

/** An object with these members and `type`, and no others. */
export function object(members: Readonly<Record<string, Check>>, rules: ObjectRules = {}): Check {
  return (value, pointer, report) => {
    if (!isObject(value)) return report({ code: 'wrong_type', message: 'must provide an object', pointer });
    for (const name of rules.needs ?? []) if (value[name] === undefined) reportMissing(name, pointer, report);
    reportWrongCount(value, pointer, report, rules);
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || name === 'type') continue;
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check) check(member, `${pointer}/${name}`, report);
      else report({ code: 'unknown_member', message: `invalid additional property: ${name}`, pointer });
    }
    rules.also?.(value, pointer, report);
  };
}

function reportMissing(name: string, pointer: string, report: ReportViolation) {
  report({ code: 'missing', message: `missing required field: ${name}`, pointer });
}

function reportWrongCount(
  value: PayloadObject,
  pointer: string,
  report: ReportViolation,
  { needsAnyOf, needsOneOf }: ObjectRules,
) {
  const present = (names: readonly string[]) => names.filter((name) => value[name] !== undefined).length;
  if (needsAnyOf && present(needsAnyOf) === 0)
    report({ code: 'missing', message: `one of ${needsAnyOf.join(', ')} is required`, pointer });
  if (needsOneOf && present(needsOneOf) !== 1)
    report({ code: 'not_one', message: `exactly one of ${needsOneOf.join(', ')} is required`, pointer });
}

/** An object whose `type` selects its check. Other types are not allowed. */
export function byType(kinds: () => Readonly<Record<string, Check>>): Check {
  return (value, pointer, report) => {
    if (!isObject(value)) return report({ code: 'wrong_type', message: 'must provide an object', pointer });
    if (value.type === undefined) return reportMissing('type', pointer, report);
    const known = kinds();
    const check = typeof value.type === 'string' && Object.hasOwn(known, value.type) && known[value.type];
    if (check) check(value, pointer, report);
    else report({ code: 'not_allowed_here', message: `unsupported type: ${String(value.type)}`, pointer });
  };
}

/** The checks of the named types. */
export function only(
  kinds: Readonly<Record<string, Check>>,
  ...names: readonly string[]
): Readonly<Record<string, Check>> {
  return Object.fromEntries(
    names.map((name) => {
      const check = kinds[name];
      if (!check) throw new Error(`There is no check for ${name}.`);
      return [name, check];
    }),
  );
}
