import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

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
