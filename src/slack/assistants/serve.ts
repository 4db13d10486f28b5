import { createMcpHandler } from '@modelcontextprotocol/server';
import { assistantServer, type ToolSurroundings } from '../../assistants/tools.js';
import type { LogOf } from '../../logging/logger.js';
import type { ListenerParts } from '../answers/context.js';
import type { AssistantCall } from '../transport/assistant-requests.js';
import { askersIn } from './asker.js';

/** Answers messages of the protocol. Nothing is kept between two of them but questions that run. */
export function serveAssistants(
  parts: ListenerParts & { readonly log: LogOf<'warn'> },
  onCall: ToolSurroundings['onCall'],
) {
  const askerOf = askersIn(parts);
  const surroundings = { rowsGoTo: 'the asker’s direct messages with Rollcall', drawsBlocks: true, onCall };
  return (request: Request, { message, user, hungUp }: AssistantCall): Promise<Response> => {
    const handler = createMcpHandler(() => assistantServer(askerOf(user, hungUp), surroundings), {
      onerror: (err) => parts.log.warn({ err }, 'A message of an assistant could not be answered'),
    });
    return handler.fetch(request, { parsedBody: message });
  };
}
