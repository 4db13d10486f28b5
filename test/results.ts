import type { Result } from '../src/errors/failure.js';

/** The value of a result. @throws if it is a refusal */
export function accepted<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`Refused: ${JSON.stringify(result.refusal)}`);
  return result.value;
}

/** The refusal of a result. @throws if it is a value */
export function refusalOf<Refusal>(result: Result<unknown, Refusal>): Refusal {
  if (result.ok) throw new Error(`Not refused: ${JSON.stringify(result.value)}`);
  return result.refusal;
}
