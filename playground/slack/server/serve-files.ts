import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Faults } from './faults.js';
import type { Inspector } from './inspector.js';
import type { Api } from './web-api/method.js';

export interface FileParts {
  readonly api: Api;
  readonly faults: Faults;
  readonly inspector: Inspector;
}

/** The second step of an upload, at `/upload/v1/TICKET`, and the bytes for whoever reads, at `/files/F…/name`. */
export function serveFiles(server: FastifyInstance, { api, faults, inspector }: FileParts): void {
  void server.register(async (uploads) => {
    // Bytes are not gathered in memory: the route reads the request itself.
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null));

    uploads.post('/upload/v1/:ticket', { bodyLimit: 2 ** 30 + 1 }, async (request, reply) => {
      const { ticket } = request.params as { ticket: string };
      const exchange = inspector.begin({ between: 'bot to Slack', title: 'upload', body: '(bytes)' });
      const fault = faults.take('upload', {});
      if (fault?.kind === 'status' && !fault.done) {
        request.raw.resume();
        exchange.end({ state: 'failed', error: String(fault.status) });
        return reply.code(fault.status).send('');
      }
      const problem =
        fault?.kind === 'cut' ? undefined : await api.uploads.receive(ticket, await bytesOf(request));
      if (fault?.kind === 'cut' || fault?.kind === 'done, then cut') {
        exchange.end({ state: 'failed', body: 'No answer: the connection was cut.' });
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      }
      if (problem) {
        exchange.end({ state: 'refused', error: problem });
        return reply.code(problem === 'unknown ticket' ? 404 : 400).send(problem);
      }
      const text = `OK - ${request.headers['content-length'] ?? 'chunked'}`;
      exchange.end({ state: 'ok', body: text });
      return reply.send(text);
    });
  });

  server.get('/files/:id/:name', (request, reply) => {
    const { id } = request.params as { id: string };
    const file = api.workspace.files.get(id);
    if (file?.state !== 'complete') return reply.code(404).send('There is no such file.');
    const asDownload = 'download' in (request.query as object);
    const name = encodeURIComponent(file.name);
    return (
      reply
        .header(
          'content-type',
          file.mimetype.startsWith('text/') ? `${file.mimetype}; charset=utf-8` : file.mimetype,
        )
        .header('content-length', file.size)
        // Files are data from outside: nothing in them runs as a page of this server.
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('content-disposition', `${asDownload ? 'attachment' : 'inline'}; filename*=UTF-8''${name}`)
        .send(createReadStream(file.path))
    );
  });
}

/** The bytes of an upload: the body as it is, or the one file of a form, which is what `filesUploadV2` sends. */
async function bytesOf(request: FastifyRequest): Promise<Readable> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return request.raw;
  const body = Readable.toWeb(request.raw) as unknown as ConstructorParameters<typeof Response>[0];
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const part = [...form.values()].find((value) => typeof value !== 'string');
  return part ? Readable.fromWeb(part.stream() as unknown as WebStream) : Readable.from([]);
}
