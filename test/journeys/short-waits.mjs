// Loaded into the bot before anything else: where it waits 50 s or a minute for an assistant, it waits 2 or 5 s.
const real = globalThis.setTimeout;
const shorter = new Map([
  [50_000, 2_000],
  [60_000, 5_000],
]);
globalThis.setTimeout = Object.assign(
  (call, milliseconds, ...args) => real(call, shorter.get(milliseconds) ?? milliseconds, ...args),
  real,
);
