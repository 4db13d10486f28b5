import { vi } from 'vitest';

/** Vitest gives up after a second, which a loaded machine can take for anything. */
const patienceMs = 20_000;

const patient = Symbol.for('rollcall.patient');

// Workers load modules once and run this before each file.
if (!Reflect.has(vi, patient)) {
  const { waitFor } = vi;
  Object.assign(vi, {
    waitFor: ((check, options = patienceMs) => waitFor(check, options)) satisfies typeof waitFor,
  });
  Reflect.set(vi, patient, true);
}
