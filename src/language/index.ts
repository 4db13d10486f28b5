export type { Command, CommandContext, ScheduleCommand, WordsOnTop } from './command.js';
export { layOnTop } from './on-top.js';
export { parseCommand } from './parse-command.js';
export { isProblem, type Problem, quotable } from './problem.js';
export { checkEntry } from './quote-entry.js';
export { checkSavedName, type SavedNameRefusal, savedNameKey } from './saved-names.js';
export { sayRequest } from './say-request.js';
export { undress } from './undress.js';
