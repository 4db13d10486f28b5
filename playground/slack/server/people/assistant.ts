import { signature } from '../delivery/delivery.js';
import type { Inspector } from '../inspector.js';
import type { JsonObject } from '../page-shapes.js';
import type { SlackObject } from '../workspace/records.js';
import { NotAllowed } from './context.js';

/** Slackbot, as far as it uses the tools of the app. */
export interface Assistant {
  /** Sends a message of the Model Context Protocol in the name of a person, and returns its result. */
  call(user: string, method: string, params: JsonObject): Promise<JsonObject>;
}

interface AssistantOptions {
  /** The address of the tools. */
  readonly url: string;
  readonly signingSecret: string;
  readonly teamId: string;
  readonly inspector: Inspector;
}

/** Slackbot waits this long for an answer, in milliseconds. */
const maxWaitMs = 60_000;

/** Signs requests as Slack does, and says in them who asks. */
export function createAssistant({ url, signingSecret, teamId, inspector }: AssistantOptions): Assistant {
  let calls = 0;
  return {
    async call(user, method, params) {
      calls += 1;
      const _meta = { slack: { user_id: user, team_id: teamId } };
      const message = { jsonrpc: '2.0', id: calls, method, params: { ...params, _meta } };
      const body = JSON.stringify(message);
      const title = `${method} ${typeof params.name === 'string' ? params.name : ''}`.trim();
      const exchange = inspector.begin({ direction: 'Slack to bot', title, body: message });
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...signature(body, signingSecret),
          },
          body,
          redirect: 'manual',
          signal: AbortSignal.timeout(maxWaitMs),
        });
        const text = await response.text();
        const answer = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as SlackObject;
        exchange.end({ state: 'ok', body: answer });
        const error = answer.error as SlackObject | undefined;
        if (error) throw new NotAllowed(String(error.message));
        return answer.result as JsonObject;
      } catch (error) {
        if (error instanceof NotAllowed) throw error;
        exchange.end({ state: 'failed', error: String(error) });
        throw new NotAllowed('Rollcall did not answer Slackbot. Try again.');
      }
    },
  };
}
