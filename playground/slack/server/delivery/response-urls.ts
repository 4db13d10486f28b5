import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Faults } from '../faults.js';
import type { Inspector } from '../inspector.js';
import { readContent } from '../web-api/messages.js';
import { ApiError, describeApiError, isJsonObject, optionalFlag, optionalText } from '../web-api/method.js';
import { eraseMessage, findMessage, recordPost, reviseMessage } from '../workspace/messages.js';
import type { Message, SlackObject } from '../workspace/records.js';
import { reportRefusal, type Workspace } from '../workspace/workspace.js';

const maxUses = 5;
const lifetimeMs = 30 * 60_000;

/** The interaction that an answer by `response_url` or acknowledgement belongs to. */
interface ResponseTarget {
  readonly channel: string;
  readonly user: string;
  /** The message that was acted on. */
  readonly message?: Message;
}

export interface ResponseUrls {
  issue(to: ResponseTarget, kind: 'commands' | 'actions'): string;
  /** Posts the content of an acknowledgement. */
  post(to: ResponseTarget, content: SlackObject): void;
}

interface Issued extends ResponseTarget {
  readonly at: number;
  uses: number;
}

export interface ResponseUrlDependencies {
  readonly workspace: Workspace;
  readonly origin: () => string;
  readonly faults: Faults;
  readonly inspector: Inspector;
}

/** URLs that answer one interaction: five uses within 30 minutes, also in channels without the bot. */
export function serveResponseUrls(
  server: FastifyInstance,
  dependencies: ResponseUrlDependencies,
): ResponseUrls {
  const { workspace, origin, faults, inspector } = dependencies;
  const issued = new Map<string, Issued>();

  server.post('/:kind(commands|actions)/:team/:secret', async (request, reply) => {
    const { secret } = request.params as { secret: string };
    const exchange = inspector.begin({
      direction: 'bot to Slack',
      title: 'response_url',
      body: request.body,
    });
    const fault = faults.take('response_url', {});
    if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    if (fault?.kind === 'cut') {
      exchange.end({ state: 'failed', body: 'No answer: the connection was closed.' });
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    if (fault?.kind === 'status') {
      exchange.end({ state: 'failed', error: String(fault.status) });
      return reply.code(fault.status).send('');
    }
    const used = issued.get(secret);
    try {
      countUse(used);
      post(used, parseBody(request.body));
      if (fault?.kind === 'done, then cut') {
        exchange.end({ state: 'failed', body: 'No answer: the connection was closed.' });
        markUnanswered(workspace);
        reply.hijack();
        request.raw.socket.destroy();
        return;
      }
      exchange.end({ state: 'ok', body: 'ok' });
      return reply.send('ok');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      exchange.end({ state: 'refused', error: error.error });
      reportRefusal(workspace, {
        method: 'response_url',
        error: error.error,
        sentence: describeApiError(error),
        rules: error.rules,
        channel: used?.channel,
        user: used?.user,
      });
      const status = error.error === 'used_url' || error.error === 'expired_url' ? 404 : 400;
      return reply.code(status).send({ ok: false, error: error.error, ...error.more });
    }
  });

  /** Counts a use. Refused uses count too; Slack does not document this. */
  function countUse(used: Issued | undefined): asserts used is Issued {
    if (!used) throw new ApiError('invalid_url');
    if (workspace.clock.now() - used.at > lifetimeMs) throw new ApiError('expired_url');
    if (used.uses >= maxUses) throw new ApiError('used_url');
    used.uses += 1;
  }

  function post(to: ResponseTarget, content: SlackObject): void {
    const channel = workspace.channels.get(to.channel);
    if (!channel) throw new ApiError('channel_not_found');
    if (channel.archived) throw new ApiError('is_archived');
    const original = to.message && findMessage(workspace, to.channel, to.message.ts);
    if (optionalFlag(content, 'delete_original')) {
      if (!original) throw new ApiError('message_not_found');
      eraseMessage(workspace, original);
      return;
    }
    const { text, blocks, attachments } = readContent(content);
    if (optionalFlag(content, 'replace_original') && original) {
      // An ephemeral original stays ephemeral, whatever response_type says.
      reviseMessage(workspace, original, workspace.seed.bot.user, { text, blocks, attachments });
      return;
    }
    const inChannel = optionalText(content, 'response_type') === 'in_channel';
    const threadTs = optionalText(content, 'thread_ts');
    recordPost(workspace, 'response_url', {
      channel: to.channel,
      user: workspace.seed.bot.user,
      text,
      blocks,
      attachments,
      threadTs,
      visibleTo: inChannel ? undefined : to.user,
    });
  }

  return {
    issue(to, kind) {
      const secret = randomBytes(18).toString('base64url');
      issued.set(secret, { ...to, at: workspace.clock.now(), uses: 0 });
      return `${origin()}/${kind}/${workspace.seed.team.id}/${secret}`;
    },
    post,
  };
}

function parseBody(body: unknown): SlackObject {
  try {
    const parsed: unknown = JSON.parse(String(body));
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new ApiError('invalid_payload');
}

function markUnanswered(workspace: Workspace) {
  const last = workspace.posts.at(-1);
  if (last?.method === 'response_url') last.answered = false;
}
