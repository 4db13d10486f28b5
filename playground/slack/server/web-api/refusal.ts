import type { BrokenRule } from '../page-shapes.js';
import type { Thing } from '../workspace/records.js';

/** An answer `{ok: false, error}` of the Web API, with whatever else Slack adds to it. */
export class Refusal extends Error {
  readonly error: string;
  readonly more: Thing;
  readonly rules: readonly BrokenRule[];

  constructor(error: string, more: Thing = {}, rules: readonly BrokenRule[] = []) {
    super(error);
    this.name = 'Refusal';
    this.error = error;
    this.more = more;
    this.rules = rules;
  }
}

/** Slack's way to say which rules a payload broke; `within` is put before each pointer. */
export function brokenRules(error: string, rules: readonly BrokenRule[], within = ''): Refusal {
  const pointed = rules.map((rule) => ({ ...rule, pointer: `${within}${rule.pointer}` }));
  const errors = pointed.map((rule) => `${rule.message} [json-pointer:${rule.pointer}]`);
  return new Refusal(
    error,
    { errors, response_metadata: { messages: errors.map((text) => `[ERROR] ${text}`) } },
    pointed,
  );
}

export function missingArgument(name: string): Refusal {
  return brokenRules('invalid_arguments', [
    { code: 'missing', message: `missing required field: ${name}`, pointer: '' },
  ]);
}
