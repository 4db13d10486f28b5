import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ok, type Result, refused } from '../../../bot.js';
import type { Fault, Faults } from '../faults.js';
import type { Inspector } from '../inspector.js';
import { validateBlocks, validateMessage, validateView } from '../validator/validate.js';
import type { SlackObject } from '../workspace/records.js';
import { reportRefusal } from '../workspace/workspace.js';
import { conversationMethods } from './conversations.js';
import { fileMethods } from './files.js';
import { chatMethods } from './messages.js';
import {
  type Api,
  ApiError,
  describeApiError,
  isJsonObject,
  type Method,
  type Methods,
  optionalFlag,
  optionalJson,
  readArguments,
} from './method.js';
import type { RateLimits } from './rate-limits.js';
import { userMethods } from './users.js';
import { viewMethods } from './views.js';

/** Identity, connections and payload validation. */
const otherMethods: Methods = {
  'api.test': { token: 'none', tier: 4, run: (args) => ({ args }) },

  'auth.test': {
    token: 'bot',
    tier: 'special',
    run: (_args, api) => {
      const { team, bot } = api.workspace.seed;
      return {
        url: `${api.origin()}/`,
        team: team.name,
        user: bot.handle,
        team_id: team.id,
        user_id: bot.user,
        bot_id: bot.botId,
        is_enterprise_install: false,
      };
    },
  },

  'apps.connections.open': {
    token: 'app',
    tier: 1,
    scopes: ['connections:write'],
    run: (args, api) => ({ url: api.newSocketUrl(optionalFlag(args, 'debug_reconnects') ?? false) }),
  },

  'team.info': {
    token: 'bot',
    tier: 3,
    scopes: ['team:read'],
    run: (_args, { workspace: { seed } }) => ({
      team: { id: seed.team.id, name: seed.team.name, domain: seed.team.domain, email_domain: '' },
    }),
  },

  'blocks.validate': {
    token: 'none',
    tier: 'special',
    run(args) {
      const blocks = optionalJson(args, 'blocks', 'invalid_blocks_format');
      const message = optionalJson(args, 'message', 'invalid_arguments');
      const view = optionalJson(args, 'view', 'invalid_arguments');
      if ([blocks, message, view].filter((one) => one !== undefined).length !== 1)
        throw new ApiError('invalid_arguments');
      if (message !== undefined && !isJsonObject(message)) throw new ApiError('invalid_arguments');
      const validate = () => {
        if (blocks !== undefined) return validateBlocks(blocks);
        return message === undefined ? validateView(view) : validateMessage(message);
      };
      const rules = validate();
      return {
        errors: rules.map(({ code, message: words, pointer }) => ({ code, message: words, pointer })),
      };
    },
  },
};

export interface WebApiDependencies {
  readonly api: Api;
  readonly tokens: Tokens;
  readonly limits: RateLimits;
  readonly faults: Faults;
  readonly inspector: Inspector;
}

/** Serves `/api/METHOD` as Slack does: form or JSON in, JSON out, errors as `ok: false`. */
export function serveWebApi(server: FastifyInstance, dependencies: WebApiDependencies): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/api/:method',
    bodyLimit: 8 * 1024 * 1024,
    handler: (request, reply) => handleCall(request, reply, dependencies),
  });
}

async function handleCall(request: FastifyRequest, reply: FastifyReply, dependencies: WebApiDependencies) {
  const name = (request.params as { method: string }).method;
  const args = argumentsOf(request);
  const exchange = dependencies.inspector.begin({
    direction: 'bot to Slack',
    title: name,
    body: args.ok ? parseNestedJson(args.value) : String(request.body),
  });
  const fault = args.ok ? dependencies.faults.take(name, args.value) : undefined;
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
  const { posts } = dependencies.api.workspace;
  const before = posts.length;
  const answering = answerBeforeCall(fault) ?? runMethod(name, args, request, dependencies);
  // Methods post synchronously, so the posts added by now belong to this call.
  const posted = posts.slice(before);
  const shown = applyFault(fault, await answering);
  if (!shown.sent || shown.body.ok !== true) for (const post of posted) post.answered = false;
  const failed = shown.body.ok === true ? undefined : String(shown.body.error ?? shown.status);
  const sentState = failed ? 'refused' : 'ok';
  exchange.end({
    state: shown.sent ? sentState : 'failed',
    body: shown.sent ? shown.body : 'No answer: the connection was closed or left open.',
    error: failed,
  });
  if (shown.sent) {
    for (const [header, value] of Object.entries(shown.headers)) reply.header(header, value);
    return reply.code(shown.status).send(shown.body);
  }
  reply.hijack();
  if (fault?.kind !== 'done, then silent') request.raw.socket.destroy();
}

interface Answer {
  readonly status: number;
  readonly body: SlackObject;
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer of a fault that comes before the call; `undefined` when the call is carried out. */
function answerBeforeCall(fault: Fault | undefined): Answer | undefined {
  if (fault?.kind === 'ratelimited') return rateLimited(fault.retryAfter);
  if (fault?.kind === 'cut') return { status: 200, body: {}, headers: {} };
  if (fault?.kind === 'error' && !fault.done)
    return { status: 200, body: { ok: false, error: fault.error }, headers: {} };
  if (fault?.kind === 'status' && !fault.done) return { status: fault.status, body: {}, headers: {} };
  return undefined;
}

function applyFault(fault: Fault | undefined, answer: Answer): Answer & { sent: boolean } {
  if (fault?.kind === 'cut' || fault?.kind === 'done, then cut' || fault?.kind === 'done, then silent')
    return { ...answer, sent: false };
  if (fault?.kind === 'status') return { status: fault.status, body: {}, headers: {}, sent: true };
  if (fault?.kind === 'error') return { ...answer, body: { ok: false, error: fault.error }, sent: true };
  return { ...answer, sent: true };
}

async function runMethod(
  name: string,
  args: Arguments,
  request: FastifyRequest,
  dependencies: WebApiDependencies,
): Promise<Answer> {
  const method = findMethod(name);
  const headers = scopeHeaders(method, args, dependencies);
  try {
    if (!method) throw new ApiError('unknown_method', { req_method: name });
    if (!args.ok) throw args.refusal;
    dependencies.tokens.check(method, request.headers.authorization, args.value, dependencies.api);
    const channel = typeof args.value.channel === 'string' ? args.value.channel : undefined;
    const wait = dependencies.limits.take(name, method.tier, channel);
    if (wait !== undefined) return rateLimited(wait);
    return { status: 200, body: { ok: true, ...(await method.run(args.value, dependencies.api)) }, headers };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    reportApiError(name, args, error, dependencies);
    return { status: 200, body: { ok: false, error: error.error, ...error.more }, headers };
  }
}

function reportApiError(method: string, args: Arguments, error: ApiError, { api }: WebApiDependencies) {
  const channel = args.ok && typeof args.value.channel === 'string' ? args.value.channel : undefined;
  reportRefusal(api.workspace, {
    method,
    error: error.error,
    sentence: describeApiError(error),
    rules: error.rules,
    channel,
  });
}

function rateLimited(retryAfter: number): Answer {
  return {
    status: 429,
    body: { ok: false, error: 'ratelimited' },
    headers: { 'retry-after': String(retryAfter) },
  };
}

function scopesNeeded(method: Method | undefined, args: Arguments, api: Api): readonly string[] {
  if (typeof method?.scopes !== 'function') return method?.scopes ?? [];
  return args.ok ? method.scopes(args.value, api) : [];
}

function scopeHeaders(method: Method | undefined, args: Arguments, { api }: WebApiDependencies) {
  const needed = scopesNeeded(method, args, api);
  return { 'x-oauth-scopes': [...api.scopes].join(','), 'x-accepted-oauth-scopes': needed.join(',') };
}

type Arguments = Result<SlackObject, ApiError>;

function argumentsOf(request: FastifyRequest): Arguments {
  try {
    const query = isJsonObject(request.query) ? request.query : {};
    const body = typeof request.body === 'string' ? request.body : '';
    return ok(readArguments(request.headers['content-type'] ?? '', body, query));
  } catch (error) {
    if (error instanceof ApiError) return refused(error);
    throw error;
  }
}

/** Arguments for the inspector: JSON that a form carried as text is parsed. */
function parseNestedJson(args: SlackObject): SlackObject {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value !== 'string' || !/^[[{]/.test(value)) return [name, value];
      try {
        return [name, JSON.parse(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}

/** Authenticates and authorizes calls. */
export interface Tokens {
  check(method: Method, authorization: string | undefined, args: SlackObject, api: Api): void;
  /** Makes every call with the bot token fail with this error; `undefined` ends that. */
  revoke(error: 'token_revoked' | 'account_inactive' | 'invalid_auth' | undefined): void;
}

export function createTokens(bot: string, app: string): Tokens {
  let revoked: string | undefined;
  return {
    check(method, authorization, args, api) {
      if (method.token === 'none') return;
      const given = authorization?.replace(/^Bearer\s+/i, '') ?? args.token;
      if (given === undefined || given === '') throw new ApiError('not_authed');
      if (given !== bot && given !== app) throw new ApiError('invalid_auth');
      if (given === bot && revoked) throw new ApiError(revoked);
      if (given !== (method.token === 'bot' ? bot : app)) throw new ApiError('not_allowed_token_type');
      const needed = typeof method.scopes === 'function' ? method.scopes(args, api) : (method.scopes ?? []);
      const held = method.token === 'app' ? new Set(['connections:write']) : api.scopes;
      const missing = needed.find((scope) => !held.has(scope));
      if (missing) throw new ApiError('missing_scope', { needed: missing, provided: [...held].join(',') });
    },
    revoke(error) {
      revoked = error;
    },
  };
}

/** The supported methods of the Web API. Others answer `unknown_method`. */
const methodTable: Methods = {
  ...otherMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...userMethods,
  ...viewMethods,
};

function findMethod(name: string): Method | undefined {
  return Object.hasOwn(methodTable, name) ? methodTable[name] : undefined;
}
