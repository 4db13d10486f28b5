/**
 * The value, or the reason for a refusal. Functions return it for input that people or services can get wrong. Failures
 * that the caller does not handle are thrown as errors.
 */
export type Result<Value, Refusal = string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function refused<const Refusal>(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}
