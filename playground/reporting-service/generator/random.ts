/** Numbers that look random and are the same for the same seed and subject, on every machine. */
export interface Random {
  /** At least 0, below 1. */
  share(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** One of the choices, each as likely as its weight. */
  weighted<T>(choices: readonly (readonly [choice: T, weight: number])[]): T;
  /** Different choices, in the order drawn; all of them when there are no more. */
  some<T>(choices: readonly T[], count: number): T[];
  /** Around 0, two thirds of them within 1. */
  normal(): number;
  /** How many happen when `mean` are expected. */
  count(mean: number): number;
}

/** A stream of its own for each subject, so that a change to one leaves the others as they were. */
export function randomFor(seed: number, ...subject: readonly (string | number)[]): Random {
  let state = hash([seed, ...subject].join('/'));

  // Mulberry32: a public-domain generator of 32-bit numbers.
  function share(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const whole = (low: number, high: number) => low + Math.floor(share() * (high - low + 1));
  function pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(share() * choices.length)];
    if (choice === undefined) throw new RangeError('Nothing to pick from');
    return choice;
  }
  return {
    share,
    whole,
    chance: (probability) => share() < probability,
    pick,
    weighted(choices) {
      let left = share() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return pick(choices)[0];
    },
    some(choices, count) {
      const left = [...choices];
      const drawn = [];
      while (drawn.length < count && left.length > 0) {
        drawn.push(...left.splice(whole(0, left.length - 1), 1));
      }
      return drawn;
    },
    normal() {
      let sum = 0;
      for (let draw = 0; draw < 12; draw += 1) sum += share();
      return sum - 6;
    },
    count(mean) {
      if (mean > 30) {
        let sum = 0;
        for (let draw = 0; draw < 12; draw += 1) sum += share();
        return Math.max(0, Math.round(mean + Math.sqrt(mean) * (sum - 6)));
      }
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = share(); product > limit; product *= share()) count += 1;
      return count;
    },
  };
}

/** Twenty-four hexadecimal characters, different for every number of a kind. */
export function identifier(seed: number, kind: string, number: number): string {
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
  return hex(hash(`${seed}/${kind}`)) + hex(hash(`${kind}/${number}/${seed}`)) + hex(number);
}

/** FNV-1a over UTF-16 units, stirred at the end so that near texts give far numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}
