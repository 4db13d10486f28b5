import { ok, type Result, refused } from '../errors/result.js';
import { type Values, type VariableName, variables } from './variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the text of a file. Throws if it cannot be read. */
export type ReadFile = (path: string) => string;

/** A variable that is missing or invalid. */
export interface Problem {
  readonly variable: string;
  /** A sentence that begins with the name of the variable and says how to fix it. It never contains the value. */
  readonly sentence: string;
}

export function problemWith(variable: string, predicate: string): Problem {
  return { variable, sentence: `${variable} ${predicate}.` };
}

/** Reads variables, each from the environment or from the file in `NAME_FILE`. Returns all problems at once. */
export function readVariables<Name extends VariableName>(
  names: readonly Name[],
  environment: Environment,
  readFile: ReadFile,
): Result<Pick<Values, Name>, readonly Problem[]> {
  const problems: Problem[] = [];
  const values: Partial<Values> = {};
  for (const name of names) {
    const text = textOf(name, environment, readFile);
    if (typeof text === 'object') {
      problems.push(text);
      continue;
    }
    const checked = variables.shape[name].safeParse(text);
    if (checked.success) Object.assign(values, { [name]: checked.data });
    else problems.push(problemWith(name, checked.error.issues[0]?.message ?? 'is invalid'));
  }
  return problems.length > 0 ? refused(problems) : ok(values as Pick<Values, Name>);
}

/** True if the variable is set, directly or as a file. */
export function isProvided(name: VariableName, environment: Environment): boolean {
  return isSet(environment[name]) || isSet(environment[`${name}_FILE`]);
}

function textOf(
  name: VariableName,
  environment: Environment,
  readFile: ReadFile,
): string | undefined | Problem {
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
function trimmedText(name: VariableName, text: string | undefined): string | undefined {
  const trimmed = text?.replace(/^\uFEFF/, '').trim();
  return trimmed === '' && name !== 'OPERATIONS_PORT' ? undefined : trimmed;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
