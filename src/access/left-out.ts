import { createHmac } from 'node:crypto';
import { ok, type Result, refused } from '../errors/failure.js';

/** The people of LEFT_OUT. Their rows are only in their own answers. */
export interface LeftOutPeople {
  /** Addresses in lower case and user IDs, each once, sorted, with line feeds between them. */
  readonly lines: string;
  readonly count: number;
}

/** Which rows of an answer are left out. Plain data: it crosses to the thread that reads. */
export interface LeftOutCheck {
  readonly people: string;
  /** The reader's address in lower case, where only their own rows were asked for: those stay. */
  readonly own?: string | undefined;
}

interface LeftOutProblem {
  /** 1 is the first line of the file. */
  readonly line: number;
  /** Fits after "line 3". It repeats nothing of the line. */
  readonly what: string;
}

/** A list travels with each query. */
const maxEntries = 20_000;

/** Reads the list: one address or user ID in each line. Blank lines and those that begin with `#` do not count. */
export function parseLeftOut(text: string): Result<LeftOutPeople, readonly LeftOutProblem[]> {
  const entries = new Set<string>();
  const problems: LeftOutProblem[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const entry = line.trim();
    if (entry === '' || entry.startsWith('#')) continue;
    if (isAddress(entry)) entries.add(entry.toLowerCase());
    else if (isUserId(entry)) entries.add(entry);
    else problems.push({ line: index + 1, what: 'is neither an e-mail address nor a user ID' });
    if (entries.size > maxEntries) {
      problems.push({ line: index + 1, what: `is beyond the ${maxEntries} people that the list may have` });
      break;
    }
  }
  if (problems.length > 0) return refused(problems);
  return ok({ lines: [...entries].sort().join('\n'), count: entries.size });
}

export function isAddress(entry: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(entry);
}

function isUserId(entry: string): boolean {
  return /^[^\s@\p{C}]+$/u.test(entry);
}

/**
 * A number that tells lists apart. It is stored with figures, so it is keyed: without the key, no one can find out who
 * is on a list by trying people.
 */
export function identityOfLeftOut({ lines }: LeftOutPeople, key: string): number {
  return createHmac('sha256', key).update(lines).digest().readUIntBE(0, 6);
}
