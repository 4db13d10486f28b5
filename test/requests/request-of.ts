import { parseCommand } from '../../src/requests/parse-command.js';
import type { ReportRequest } from '../../src/requests/request.js';

/** The request of a command that runs a report: what follows `/report`. Throws for anything else. */
export function requestOf(words: string): ReportRequest {
  const command = parseCommand(words, { savedNames: [] });
  if (!command.ok || command.value.kind !== 'run') throw new Error(`${words} is no request`);
  return command.value.request;
}
