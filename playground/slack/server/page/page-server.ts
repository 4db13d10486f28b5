import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerSocket } from '../delivery/socket-mode.js';
import type { ActionRequest, ActionResult, PageClock, ServerMessage, Snapshot } from '../page-protocol.js';
import { findPerson, NotAllowed } from '../people/context.js';
import type { Person } from '../workspace/records.js';
import type { WorkspaceChange } from '../workspace/workspace.js';
import { type PageActionContext, runPageAction } from './page-actions.js';
import {
  createRefusalLog,
  isMessageVisibleTo,
  pageChannel,
  pageMessage,
  pageUsers,
  pageView,
  type RefusalLog,
  visibleChannels,
} from './visible-state.js';

export interface PageDependencies extends PageActionContext {
  readonly botConnected: () => boolean;
  /** Called when the connection may have changed. Returns a function that unsubscribes. */
  readonly onBotChange: (listener: () => void) => () => void;
  /** ID of the person that a new page acts as. */
  readonly firstPerson: string;
  readonly onUnexpected: (error: unknown) => void;
}

/** Serves `/page/socket`. Each socket sees what one person sees. */
export function servePageSocket(server: FastifyInstance, dependencies: PageDependencies): void {
  const refusals = createRefusalLog(dependencies.context.api.workspace);
  server.get('/page/socket', { websocket: true }, (socket: ServerSocket, request: FastifyRequest) => {
    // Pages of other sites in the same browser must not read the workspace.
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) return socket.close(4003, 'another origin');
    handlePageSocket(socket, dependencies, refusals);
  });
}

function handlePageSocket(socket: ServerSocket, dependencies: PageDependencies, refusals: RefusalLog) {
  const { context, clock, inspector } = dependencies;
  const { workspace, views } = context.api;
  let me: Person = findPerson(context, dependencies.firstPerson);
  let visibleChannelIds = new Set<string>();

  const send = (message: ServerMessage) => {
    if (socket.readyState === 1) socket.send(JSON.stringify(message));
  };
  const currentClock = (): PageClock => ({ now: clock.now(), offsetMs: clock.offsetMs() });
  const modals = () => views.stackOf(me.id).map(pageView);

  function sendSnapshot() {
    const channels = visibleChannels(workspace, me);
    visibleChannelIds = new Set(channels.map((one) => one.id));
    const { team, bot, openChannel } = workspace.seed;
    const home = views.homeOf(me.id);
    const snapshot: Snapshot = {
      type: 'snapshot',
      team: { id: team.id, name: team.name },
      me: me.id,
      users: pageUsers(workspace),
      bot: { user: bot.user, name: bot.name, connected: dependencies.botConnected() },
      commands: context.api.app.commands,
      shortcuts: context.api.app.shortcuts,
      channels: channels.map((one) => pageChannel(workspace, one, me)),
      openChannel: visibleChannelIds.has(openChannel) ? openChannel : (channels[0]?.id ?? openChannel),
      messages: channels.flatMap((one) => messagesIn(one.id)),
      modals: modals(),
      refusals: refusals.visibleTo(me.id),
      inspector: inspector.entries(),
      clock: currentClock(),
      home: home && pageView(home),
      processes: dependencies.processes()?.all(),
    };
    send(snapshot);
  }

  const messagesIn = (channel: string) =>
    [...(workspace.messages.get(channel)?.values() ?? [])]
      .filter((one) => isMessageVisibleTo(one, me))
      .map((one) => pageMessage(workspace, one, me));

  function sendChange(change: WorkspaceChange) {
    switch (change.type) {
      case 'message':
        if (visibleChannelIds.has(change.message.channel) && isMessageVisibleTo(change.message, me))
          send({ type: 'message', message: pageMessage(workspace, change.message, me) });
        break;
      case 'message deleted': {
        const { channel, ts } = change.message;
        send({ type: 'message-removed', channel, ts });
        break;
      }
      case 'channel':
      case 'deleted':
      case 'seen':
        sendChannel(change.channel.id);
        break;
      case 'modals':
        if (change.user === me.id) send({ type: 'modals', modals: modals() });
        break;
      case 'home': {
        const home = views.homeOf(me.id);
        if (change.user === me.id && home) send({ type: 'home', home: pageView(home) });
        break;
      }
      default:
    }
  }

  /** A change can make a channel visible to the person, or hide it. */
  function sendChannel(id: string) {
    const channel = visibleChannels(workspace, me).find((one) => one.id === id);
    if (!channel) {
      if (visibleChannelIds.delete(id)) send({ type: 'channel-removed', channel: id });
      return;
    }
    send({ type: 'channel', channel: pageChannel(workspace, channel, me) });
    if (visibleChannelIds.has(id)) return;
    visibleChannelIds.add(id);
    for (const message of messagesIn(id)) send({ type: 'message', message });
  }

  function sendProcesses() {
    send({ type: 'processes', processes: dependencies.processes()?.all() ?? [] });
  }

  async function handleRequest(text: string) {
    let request: ActionRequest;
    try {
      request = JSON.parse(text);
    } catch {
      return socket.close(4000, 'not JSON');
    }
    const reply = (more: Omit<ActionResult, 'type' | 'id'>) =>
      send({ type: 'result', id: request.id, ...more });
    try {
      if (request.type === 'switch-user') {
        me = findPerson(context, request.user);
        sendSnapshot();
        return reply({ ok: true });
      }
      reply({ ok: true, ...(await runPageAction(dependencies, me.id, request)) });
      if (request.type === 'clear-inspector') sendSnapshot();
    } catch (error) {
      if (!(error instanceof NotAllowed)) dependencies.onUnexpected(error);
      const problem =
        error instanceof NotAllowed ? error.message : 'Something went wrong in the local Slack. Try again.';
      reply({ ok: false, problem });
    }
  }

  const unsubscribe = [
    workspace.changes.subscribe(sendChange),
    inspector.subscribe((entry) => send({ type: 'inspector', entry })),
    refusals.subscribe(({ refusal, user }) => {
      if (!user || user === me.id) send({ type: 'refusal', refusal });
    }),
    clock.onJump(() => send({ type: 'clock', clock: currentClock() })),
    dependencies.processes()?.onChange(sendProcesses) ?? (() => {}),
    dependencies.onBotChange(() => send({ type: 'bot', connected: dependencies.botConnected() })),
  ];
  socket.on('message', (data) => void handleRequest(data.toString()));
  socket.on('close', () => {
    for (const stop of unsubscribe) stop();
  });
  sendSnapshot();
}

/** Serves the built page at `/`, or a message with the build command. */
export async function servePage(server: FastifyInstance, folder: string): Promise<void> {
  // Permalinks of messages point here.
  server.get('/archives/:channel/:message', (request, reply) => {
    const { channel } = request.params as { channel: string };
    return reply.redirect(`/#${encodeURIComponent(channel)}`);
  });
  if (existsSync(folder)) {
    await server.register(fastifyStatic, { root: folder, prefix: '/' });
    return;
  }
  server.get('/', (_request, reply) =>
    reply.code(503).type('text/plain').send('The page is not built. Run: npm run build\n'),
  );
}

/** Accepts only loopback host names. This blocks DNS rebinding. */
export function rejectForeignHosts(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const name = request.headers.host?.replace(/:\d+$/, '');
    if (name !== '127.0.0.1' && name !== 'localhost' && name !== '[::1]')
      return reply.code(403).type('text/plain').send('This server accepts requests to localhost only.\n');
    return undefined;
  });
}
