import { type FilterMember, type FilterObject, fieldOf, type Report } from '../bot.js';
import { quoted, Refusal } from './refusal.js';

/** The entries of one member of one filter object. Members narrow each other; entries of one widen it. */
export interface AskedFilter {
  readonly object: FilterObject;
  readonly member: FilterMember;
  /** Without blanks at the ends and without empty ones; none at all match nothing. Yes/no members: true, false. */
  readonly entries: readonly string[] | readonly boolean[];
}

/** A body that was understood. */
export interface Asked {
  /** In the order of the body; records have their members in this order too. */
  readonly flags: readonly string[];
  readonly filters: readonly AskedFilter[];
  readonly rangeTarget?: string;
  readonly sortBy?: string;
}

/**
 * Checks a body against the catalogue: nothing unknown and nothing of a wrong type passes.
 * @throws Refusal 400 that names the member at fault
 */
export function readAsked(report: Report, body: unknown): Asked {
  if (!isObject(body)) {
    throw new Refusal(400, 'not_an_object', `The body is a JSON object, not ${quoted(body)}.`);
  }
  const flags: string[] = [];
  const filters: AskedFilter[] = [];
  let rangeTarget: string | undefined;
  let sortBy: string | undefined;
  for (const [name, value] of Object.entries(body)) {
    const object = report.filters.find((filter) => filter.name === name);
    if (fieldOf(report, name)) {
      if (typeof value !== 'boolean') throw wrongType(name, 'true or false', value);
      if (value) flags.push(name);
    } else if (object) {
      filters.push(...readFilter(object, value));
    } else if (name === 'range_target' && report.dateField) {
      rangeTarget = oneOf(
        name,
        value,
        report.dateField.choices.map(({ flag }) => flag),
      );
    } else if (name === 'sort_by' && report.sorts.length > 0) {
      sortBy = oneOf(name, value, report.sorts);
    } else {
      throw unknownMember(name, `${report.operation} has no such flag or member`);
    }
  }
  return {
    flags,
    filters,
    ...(rangeTarget !== undefined ? { rangeTarget } : {}),
    ...(sortBy !== undefined ? { sortBy } : {}),
  };
}

function readFilter(object: FilterObject, value: unknown): AskedFilter[] {
  if (!isObject(value)) throw wrongType(object.name, 'an object', value);
  return Object.entries(value).map(([name, said]) => {
    const path = `${object.name}.${name}`;
    const member = object.members.find((each) => each.name === name);
    if (!member) {
      const known = object.members.map((each) => each.name).join(', ');
      throw unknownMember(path, `${object.name} has ${known}`);
    }
    if (typeof said !== 'string') throw wrongType(path, 'text, several entries with commas between', said);
    const entries = said
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    return { object, member, entries: member.kind === 'yes-no' ? yesOrNo(path, entries, said) : entries };
  });
}

function yesOrNo(path: string, entries: readonly string[], said: string): boolean[] {
  const known = entries.map((entry) => ['false', 'true'].indexOf(entry.toLowerCase()));
  if (known.length === 0 || known.includes(-1)) throw wrongType(path, 'the text "true" or "false"', said);
  return known.map((index) => index === 1);
}

function oneOf(name: string, value: unknown, choices: readonly string[]): string {
  if (typeof value === 'string' && choices.includes(value)) return value;
  throw new Refusal(400, 'wrong_value', `${name} is ${quoted(value)}: it takes ${choices.join(', ')}.`, {
    member: name,
  });
}

function wrongType(member: string, takes: string, value: unknown): Refusal {
  return new Refusal(400, 'wrong_type', `${quoted(member)} takes ${takes}, not ${quoted(value)}.`, {
    member,
  });
}

function unknownMember(member: string, because: string): Refusal {
  return new Refusal(400, 'unknown_member', `${quoted(member)} is unknown: ${because}.`, { member });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
