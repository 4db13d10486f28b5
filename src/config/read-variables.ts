import { ok, type Result, refused } from '../errors/failure.js';
import type { Variable } from './variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the text of a file. Throws if it cannot be read. */
export type ReadFile = (path: string) => string;

/** Where the values of variables come from. */
export interface Source {
  readonly environment: Environment;
  readonly readFile: ReadFile;
}

/** A variable that is missing or invalid. */
export interface VariableProblem {
  readonly variable: string;
  /** A sentence that begins with the name of the variable and says how to fix it. It never contains the value. */
  readonly sentence: string;
}

export function problemWith(variable: string, predicate: string): VariableProblem {
  return { variable, sentence: `${variable} ${predicate}.` };
}

export type Checked<Settings> = Result<Settings, readonly VariableProblem[]>;

type Values<Group> = {
  readonly [Key in keyof Group]: Group[Key] extends Variable<infer Value> ? Value : never;
};

/** Reads variables, each from the environment or from the file in `NAME_FILE`. Returns all problems at once. */
export function readVariables<Group extends Readonly<Record<string, Variable<unknown>>>>(
  group: Group,
  from: Source,
): Checked<Values<Group>> {
  const problems: VariableProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, { name, format }] of Object.entries(group)) {
    const text = textOf(name, from);
    if (typeof text === 'object') {
      problems.push(text);
      continue;
    }
    const checked = format.safeParse(text);
    if (checked.success) values[key] = checked.data;
    else problems.push(problemWith(name, checked.error.issues[0]?.message ?? 'is invalid'));
  }
  return problems.length > 0 ? refused(problems) : ok(values as Values<Group>);
}

type ValueOf<Part> = Part extends { readonly ok: true; readonly value: infer Value } ? Value : never;

/** The settings of several parts, or the problems of all, each once. */
export function together<Parts extends Readonly<Record<string, Checked<unknown>>>>(
  parts: Parts,
): Checked<{ readonly [Key in keyof Parts]: ValueOf<Parts[Key]> }> {
  const problems = Object.values(parts).flatMap((part) => (part.ok ? [] : part.refusal));
  if (problems.length > 0)
    return refused([...new Map(problems.map((problem) => [problem.sentence, problem])).values()]);
  const values = Object.entries(parts).map(([key, part]) => [key, part.ok ? part.value : undefined]);
  return ok(Object.fromEntries(values));
}

function textOf(name: string, { environment, readFile }: Source): string | undefined | VariableProblem {
  const direct = environment[name];
  const path = environment[`${name}_FILE`];
  if (!isSet(path)) return trimmedText(name, direct);
  if (isSet(direct)) {
    return problemWith(name, `is set twice: remove ${name} or ${name}_FILE`);
  }
  try {
    return trimmedText(name, readFile(path));
  } catch {
    return problemWith(`${name}_FILE`, 'names a file that cannot be read: check its path and permissions');
  }
}

/** A blank value counts as not set, except for OPERATIONS_PORT, where it turns the server off. */
function trimmedText(name: string, text: string | undefined): string | undefined {
  const trimmed = text?.replace(/^\uFEFF/, '').trim();
  return trimmed === '' && name !== 'OPERATIONS_PORT' ? undefined : trimmed;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
