import type { BrokenRule } from '../page-shapes.js';

export type ReportRule = (rule: BrokenRule) => void;

/** Looks at one value of a payload and says every rule that it breaks; `at` is the value's JSON pointer. */
export type Check = (value: unknown, at: string, say: ReportRule) => void;

export type PayloadObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is PayloadObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Length as Slack's limits are held here: UTF-16 units of the escaped text, the strictest way to count. */
export function lengthOf(text: string): number {
  return text.length;
}

interface TextRules {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** What the pattern asks for, in words. */
  readonly like?: string;
}

export function text({ min = 1, max, pattern, like }: TextRules = {}): Check {
  return (value, at, say) => {
    if (typeof value !== 'string')
      return say({ code: 'wrong_type', message: 'must provide a string', pointer: at });
    if (lengthOf(value) < min)
      say({ code: 'too_short', message: `must be more than ${min - 1} characters`, pointer: at });
    if (max !== undefined && lengthOf(value) > max)
      say({ code: 'too_long', message: `must be less than ${max + 1} characters`, pointer: at });
    if (pattern && !pattern.test(value))
      say({ code: 'bad_format', message: `must be ${like ?? 'in another form'}`, pointer: at });
  };
}

interface NumberRules {
  readonly whole?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** Exclusive lower end. */
  readonly above?: number;
}

export function number({ whole = false, min, max, above }: NumberRules = {}): Check {
  return (value, at, say) => {
    if (typeof value !== 'number' || !Number.isFinite(value))
      return say({ code: 'wrong_type', message: 'must provide a number', pointer: at });
    if (whole && !Number.isInteger(value))
      say({ code: 'wrong_type', message: 'must provide a whole number', pointer: at });
    if (min !== undefined && value < min)
      say({ code: 'too_small', message: `must be at least ${min}`, pointer: at });
    if (max !== undefined && value > max)
      say({ code: 'too_large', message: `must be at most ${max}`, pointer: at });
    if (above !== undefined && value <= above)
      say({ code: 'too_small', message: `must be more than ${above}`, pointer: at });
  };
}

export const flag: Check = (value, at, say) => {
  if (typeof value !== 'boolean') say({ code: 'wrong_type', message: 'must provide a boolean', pointer: at });
};

export function oneOf(...values: readonly (string | number)[]): Check {
  return (value, at, say) => {
    if (!values.some((allowed) => allowed === value))
      say({ code: 'not_one_of', message: `must be one of: ${values.join(', ')}`, pointer: at });
  };
}

export function list(of: Check, { min = 0, max }: { min?: number; max?: number } = {}): Check {
  return (value, at, say) => {
    if (!Array.isArray(value))
      return say({ code: 'wrong_type', message: 'must provide an array', pointer: at });
    if (value.length < min)
      say({ code: 'too_few', message: `at least ${min} item${min === 1 ? '' : 's'} required`, pointer: at });
    if (max !== undefined && value.length > max)
      say({ code: 'too_many', message: `no more than ${max} items allowed`, pointer: at });
    for (const [index, item] of value.entries()) of(item, `${at}/${index}`, say);
  };
}

interface ThingRules {
  /** Members that must be there. */
  readonly needs?: readonly string[];
  /** At least one of these must be there. */
  readonly needsAnyOf?: readonly string[];
  /** Exactly one of these must be there. */
  readonly needsOneOf?: readonly string[];
  /** Rules over several members. */
  readonly also?: (thing: PayloadObject, at: string, say: ReportRule) => void;
}

/** An object that has these members and no other; `type` is always among them. */
export function object(members: Readonly<Record<string, Check>>, rules: ThingRules = {}): Check {
  return (value, at, say) => {
    if (!isObject(value)) return say({ code: 'wrong_type', message: 'must provide an object', pointer: at });
    for (const name of rules.needs ?? []) if (value[name] === undefined) sayMissing(name, at, say);
    sayHowMany(value, at, say, rules);
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || name === 'type') continue;
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check) check(member, `${at}/${name}`, say);
      else say({ code: 'unknown_member', message: `invalid additional property: ${name}`, pointer: at });
    }
    rules.also?.(value, at, say);
  };
}

function sayMissing(name: string, at: string, say: ReportRule) {
  say({ code: 'missing', message: `missing required field: ${name}`, pointer: at });
}

function sayHowMany(
  value: PayloadObject,
  at: string,
  say: ReportRule,
  { needsAnyOf, needsOneOf }: ThingRules,
) {
  const present = (names: readonly string[]) => names.filter((name) => value[name] !== undefined).length;
  if (needsAnyOf && present(needsAnyOf) === 0)
    say({ code: 'missing', message: `one of ${needsAnyOf.join(', ')} is required`, pointer: at });
  if (needsOneOf && present(needsOneOf) !== 1)
    say({ code: 'not_one', message: `exactly one of ${needsOneOf.join(', ')} is required`, pointer: at });
}

/** An object whose `type` decides which check it gets; a type that is not listed is not allowed here. */
export function byType(kinds: () => Readonly<Record<string, Check>>): Check {
  return (value, at, say) => {
    if (!isObject(value)) return say({ code: 'wrong_type', message: 'must provide an object', pointer: at });
    if (value.type === undefined) return sayMissing('type', at, say);
    const known = kinds();
    const check = typeof value.type === 'string' && Object.hasOwn(known, value.type) && known[value.type];
    if (check) check(value, at, say);
    else say({ code: 'not_allowed_here', message: `unsupported type: ${String(value.type)}`, pointer: at });
  };
}

/** Keeps only the named kinds. */
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
