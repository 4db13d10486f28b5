import { KnownError } from '../errors/known-error.js';

/** A command got invalid arguments. */
export class WrongUsage extends KnownError {
  readonly code = 'wrong-usage';
  /** @param sentence the problem and its fix, for the terminal */
  constructor(readonly sentence: string) {
    super('The command was not understood');
  }
}

/** `rollcall run` got invalid words, or words that work only in Slack. */
export class RunWordsRefused extends KnownError {
  readonly code = 'run-words-refused';
  /** @param sentence the problem and its fix, for the terminal */
  constructor(readonly sentence: string) {
    super('The words after run were not understood');
  }
}

/** The data is erased, but its old bytes may still be in the file. */
export class DatabaseNotCompacted extends KnownError {
  readonly code = 'database-not-compacted';
  constructor(readonly reason: 'busy' | 'disk-full') {
    super(`The database could not be compacted: ${reason}`);
  }
}
