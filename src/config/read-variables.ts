import { type Values, type VariableName, variables } from './variables.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The whole text of a file; throws where it cannot be read. */
export type ReadFile = (path: string) => string;

/** Something that is wrong with a variable. */
export interface Problem {
  readonly variable: string;
  /** A whole sentence that begins with the variable's name and says what to do; it never holds a value. */
  readonly sentence: string;
}

export interface ReadVariables<Name extends VariableName> {
  /** Absent where there are problems. */
  readonly values?: Pick<Values, Name>;
  readonly problems: readonly Problem[];
}

export function problemWith(variable: string, whatIsWrong: string): Problem {
  return { variable, sentence: `${variable} ${whatIsWrong}.` };
}

/** Reads the named variables, each from the environment or from the file that `NAME_FILE` gives. */
export function readVariables<Name extends VariableName>(
  names: readonly Name[],
  environment: Environment,
  readFile: ReadFile,
): ReadVariables<Name> {
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
    else problems.push(problemWith(name, checked.error.issues[0]?.message ?? 'is not understood'));
  }
  return problems.length > 0 ? { problems } : { problems, values: values as Pick<Values, Name> };
}

/** True when a variable is given, directly or as a file. */
export function isGiven(name: VariableName, environment: Environment): boolean {
  return isSet(environment[name]) || isSet(environment[`${name}_FILE`]);
}

function textOf(
  name: VariableName,
  environment: Environment,
  readFile: ReadFile,
): string | undefined | Problem {
  const direct = environment[name];
  const path = environment[`${name}_FILE`];
  if (!isSet(path)) return textGiven(name, direct);
  if (isSet(direct)) {
    return problemWith(name, `is set twice: keep ${name} or ${name}_FILE, and remove the other`);
  }
  try {
    return textGiven(name, readFile(path));
  } catch {
    return problemWith(
      `${name}_FILE`,
      'names a file that cannot be read: check its path and its permissions',
    );
  }
}

/** Blank text counts as not set, save for the one variable that gives it a meaning of its own. */
function textGiven(name: VariableName, text: string | undefined): string | undefined {
  const trimmed = text?.replace(/^\uFEFF/, '').trim();
  return trimmed === '' && name !== 'OPERATIONS_PORT' ? undefined : trimmed;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
