import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerSocket } from '../delivery/socket-mode.js';
import type { Done, PageClock, PageToServer, ServerToPage, Snapshot } from '../page-protocol.js';
import { NotAllowed, personNamed } from '../people/context.js';
import type { Person } from '../workspace/records.js';
import type { WorkspaceChange } from '../workspace/workspace.js';
import { type PageActionContext, runPageAction } from './page-actions.js';
import {
  channelsSeenBy,
  messageIsFor,
  pageChannel,
  pageMessage,
  pageUsers,
  pageView,
  type Refusals,
  storeRefusals,
} from './visible-state.js';

export interface PageParts extends PageActionContext {
  readonly botConnected: () => boolean;
  /** Called when that may have changed. Returns the way to stop listening. */
  readonly onBotChange: (listener: () => void) => () => void;
  /** The person that a page is at first. */
  readonly firstPerson: string;
  readonly onUnexpected: (error: unknown) => void;
}

/** The page's side of the workspace, at `/page/socket`: each socket sees what one person sees. */
export function servePageSocket(server: FastifyInstance, parts: PageParts): void {
  const refusals = storeRefusals(parts.stage.api.workspace);
  server.get('/page/socket', { websocket: true }, (socket: ServerSocket, request: FastifyRequest) => {
    // A page of another site in the same browser has no business here.
    const { origin, host } = request.headers;
    if (origin !== undefined && origin !== `http://${host}`) return socket.close(4003, 'another origin');
    serveOnePage(socket, parts, refusals);
  });
}

function serveOnePage(socket: ServerSocket, parts: PageParts, refusals: Refusals) {
  const { stage, clock, inspector } = parts;
  const { workspace, views } = stage.api;
  let me: Person = personNamed(stage, parts.firstPerson);
  let known = new Set<string>();

  const send = (news: ServerToPage) => {
    if (socket.readyState === 1) socket.send(JSON.stringify(news));
  };
  const clockNow = (): PageClock => ({ now: clock.now(), ahead: clock.ahead() });
  const modals = () => views.stackOf(me.id).map(pageView);

  function sendSnapshot() {
    const channels = channelsSeenBy(workspace, me);
    known = new Set(channels.map((one) => one.id));
    const { team, bot, openChannel } = workspace.seed;
    const home = views.homeOf(me.id);
    const snapshot: Snapshot = {
      type: 'snapshot',
      team: { id: team.id, name: team.name },
      me: me.id,
      users: pageUsers(workspace),
      bot: { user: bot.user, name: bot.name, connected: parts.botConnected() },
      commands: stage.api.app.commands,
      shortcuts: stage.api.app.shortcuts,
      channels: channels.map((one) => pageChannel(workspace, one, me)),
      openChannel: known.has(openChannel) ? openChannel : (channels[0]?.id ?? openChannel),
      messages: channels.flatMap((one) => messagesIn(one.id)),
      modals: modals(),
      refusals: refusals.seenBy(me.id),
      inspector: inspector.entries(),
      clock: clockNow(),
      ...(home && { home: pageView(home) }),
    };
    send(snapshot);
  }

  const messagesIn = (channel: string) =>
    [...(workspace.messages.get(channel)?.values() ?? [])]
      .filter((one) => messageIsFor(one, me))
      .map((one) => pageMessage(workspace, one, me));

  function tell(happening: WorkspaceChange) {
    switch (happening.type) {
      case 'message':
        if (known.has(happening.message.channel) && messageIsFor(happening.message, me))
          send({ type: 'message', message: pageMessage(workspace, happening.message, me) });
        break;
      case 'message gone': {
        const { channel, ts } = happening.message;
        send({ type: 'message-gone', channel, ts });
        break;
      }
      case 'channel':
      case 'deleted':
      case 'seen':
        tellChannel(happening.channel.id);
        break;
      case 'modals':
        if (happening.user === me.id) send({ type: 'modals', modals: modals() });
        break;
      case 'home': {
        const home = views.homeOf(me.id);
        if (happening.user === me.id && home) send({ type: 'home', home: pageView(home) });
        break;
      }
      default:
    }
  }

  /** A channel may come into sight, or go out of it. */
  function tellChannel(id: string) {
    const channel = channelsSeenBy(workspace, me).find((one) => one.id === id);
    if (!channel) {
      if (known.delete(id)) send({ type: 'channel-gone', channel: id });
      return;
    }
    send({ type: 'channel', channel: pageChannel(workspace, channel, me) });
    if (known.has(id)) return;
    known.add(id);
    for (const message of messagesIn(id)) send({ type: 'message', message });
  }

  async function take(text: string) {
    let asked: PageToServer;
    try {
      asked = JSON.parse(text);
    } catch {
      return socket.close(4000, 'not JSON');
    }
    const done = (more: Omit<Done, 'type' | 'id'>) => send({ type: 'done', id: asked.id, ...more });
    try {
      if (asked.type === 'become') {
        me = personNamed(stage, asked.user);
        sendSnapshot();
        return done({ ok: true });
      }
      done({ ok: true, ...(await runPageAction(parts, me.id, asked)) });
      if (asked.type === 'clear-inspector') sendSnapshot();
    } catch (error) {
      if (!(error instanceof NotAllowed)) parts.onUnexpected(error);
      const problem =
        error instanceof NotAllowed ? error.message : 'That did not work, for a reason of the local Slack.';
      done({ ok: false, problem });
    }
  }

  const stops = [
    workspace.news.listen(tell),
    inspector.listen((entry) => send({ type: 'inspector', entry })),
    refusals.listen(({ refusal, user }) => {
      if (!user || user === me.id) send({ type: 'refusal', refusal });
    }),
    clock.onJump(() => send({ type: 'clock', clock: clockNow() })),
    parts.onBotChange(() => send({ type: 'bot', connected: parts.botConnected() })),
  ];
  socket.on('message', (data) => void take(data.toString()));
  socket.on('close', () => {
    for (const stop of stops) stop();
  });
  sendSnapshot();
}

/** Serves the built page at `/`, or says how to build it. */
export async function servePage(server: FastifyInstance, folder: string): Promise<void> {
  // Where permalinks of messages lead.
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

/** Only this machine's own names reach the server, so that no site can point a name of its own at it. */
export function refuseOtherHosts(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    const name = request.headers.host?.replace(/:\d+$/, '');
    if (name !== '127.0.0.1' && name !== 'localhost' && name !== '[::1]')
      return reply.code(403).type('text/plain').send('Only for this machine.\n');
    return undefined;
  });
}
