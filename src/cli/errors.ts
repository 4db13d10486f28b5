import { KnownError } from '../errors/known-error.js';

/** A command of the command line was called in a way that it does not know. */
export class WrongUsage extends KnownError {
  readonly code = 'wrong-usage';
  /** @param sentence what is wrong and the way out, ready to be printed */
  constructor(readonly sentence: string) {
    super('The command was not understood');
  }
}

/** The words of `rollcall run` were not understood, or ask for what only Slack has. */
export class RunWordsRefused extends KnownError {
  readonly code = 'run-words-refused';
  /** @param sentence what is wrong and the way out, ready to be printed */
  constructor(readonly sentence: string) {
    super('The words after run were not understood');
  }
}
