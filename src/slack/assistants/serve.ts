import { createMcpHandler } from '@modelcontextprotocol/server';
import { shareQuestions } from '../../assistants/shared-questions.js';
import { assistantServer, type ToolSurroundings } from '../../assistants/tools.js';
import { type LogOf, randomId } from '../../logging/logger.js';
import type { Membership } from '../../store/membership.js';
import type { ListenerParts } from '../answers/context.js';
import type { AssistantCall } from '../transport/assistant-requests.js';
import { askersIn } from './asker.js';

interface AssistantParts extends ListenerParts {
  readonly log: ListenerParts['log'] & LogOf<'warn'>;
  readonly membership: Membership;
}

/**
 * Answers messages of the protocol. Nothing is kept between two of them but questions that run.
 *
 * @param isShared true where other processes may be on the database
 */
export function serveAssistants(
  parts: AssistantParts,
  isShared: boolean,
  onCall: ToolSurroundings['onCall'],
) {
  const { store, membership, log } = parts;
  const shared = isShared
    ? shareQuestions({ calls: store.longQuestions, hasEnded: membership.hasEnded, newId: randomId, log })
    : undefined;
  const askerOf = askersIn(parts, shared);
  const surroundings = { rowsGoTo: 'the asker’s direct messages with Rollcall', drawsBlocks: true, onCall };
  return {
    answer(request: Request, { message, user, hungUp }: AssistantCall): Promise<Response> {
      const handler = createMcpHandler(() => assistantServer(askerOf(user, hungUp), surroundings), {
        onerror: (err) => log.warn({ err }, 'A message of an assistant could not be answered'),
      });
      return handler.fetch(request, { parsedBody: message });
    },
    stop: async () => shared?.stop(),
  };
}
