import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Faults } from '../faults.js';
import type { Inspector } from '../inspector.js';
import { findMessage, recordPost, touchMessage } from '../workspace/messages.js';
import type { Channel, SlackObject, StoredFile } from '../workspace/records.js';
import { findWritableChannel } from './conversations.js';
import { describeFile, readContent } from './messages.js';
import {
  type Api,
  ApiError,
  commaList,
  isJsonObject,
  type Methods,
  missingArgumentError,
  optionalJson,
  optionalNumber,
  optionalText,
  requiredText,
} from './method.js';

const maxFileBytes = 1_073_741_824;
const maxSnippetBytes = 1_048_576;

export const fileMethods: Methods = {
  'files.getUploadURLExternal': {
    token: 'bot',
    tier: 4,
    scopes: ['files:write'],
    async run(args, api) {
      const name = requiredText(args, 'filename');
      const size = optionalNumber(args, 'length');
      if (size === undefined || size <= 0 || !Number.isInteger(size)) throw missingArgumentError('length');
      if (size > maxFileBytes) throw new ApiError('file_upload_size_restricted');
      if (optionalText(args, 'snippet_type') !== undefined && size > maxSnippetBytes)
        throw new ApiError('snippet_too_large');
      const altText = optionalText(args, 'alt_txt') ?? '';
      if (altText.length > 1000) throw new ApiError('alt_txt_too_large');
      const { file, ticket } = await api.uploads.declare({ name, size, altText });
      return { upload_url: `${api.origin()}/upload/v1/${ticket}`, file_id: file.id };
    },
  },

  'files.completeUploadExternal': {
    token: 'bot',
    tier: 4,
    scopes: ['files:write'],
    run(args, api) {
      const filesToShare = filesToComplete(args, api);
      const channels = channelsToShareIn(args, api);
      const threadTs = optionalText(args, 'thread_ts');
      if (threadTs && channels.length > 1) throw new ApiError('invalid_arguments');
      for (const channel of channels)
        if (threadTs && !findMessage(api.workspace, channel.id, threadTs))
          throw new ApiError('thread_not_found');
      const comment = optionalText(args, 'initial_comment');
      const content =
        comment === undefined && args.blocks === undefined
          ? { text: '', blocks: [], attachments: [] }
          : readContent(comment === undefined ? { blocks: args.blocks } : { text: comment });
      for (const { file, title } of filesToShare) {
        file.state = 'complete';
        if (title !== undefined) file.title = title;
      }
      const described = filesToShare.map(({ file }) => describeFile(api.workspace, file, api.origin()));
      for (const channel of channels) share(api, channel, filesToShare, content, threadTs);
      // Slack shares files after it answers, so the answer does not contain the messages.
      return { files: described };
    },
  },

  'files.info': {
    token: 'bot',
    tier: 4,
    scopes: ['files:read'],
    run: (args, api) => ({
      file: describeFile(api.workspace, findFile(api, requiredText(args, 'file')), api.origin()),
    }),
  },

  'files.delete': {
    token: 'bot',
    tier: 3,
    scopes: ['files:write'],
    async run(args, api) {
      const file = findFile(api, requiredText(args, 'file'));
      await api.uploads.remove(file);
      file.state = 'deleted';
      for (const one of file.shares)
        touchMessage(api.workspace, findMessage(api.workspace, one.channel, one.ts));
      return {};
    },
  },
};

function findFile(api: Api, id: string): StoredFile {
  const file = api.workspace.files.get(id);
  if (!file || file.state === 'expected' || file.state === 'uploaded') throw new ApiError('file_not_found');
  if (file.state === 'deleted') throw new ApiError('file_deleted');
  return file;
}

interface FileToShare {
  readonly file: StoredFile;
  readonly title: string | undefined;
}

function filesToComplete(args: SlackObject, api: Api): readonly FileToShare[] {
  const files = optionalJson(args, 'files', 'invalid_arguments');
  if (files === undefined) throw missingArgumentError('files');
  if (!Array.isArray(files) || files.length === 0) throw new ApiError('invalid_arguments');
  return files.map((one: unknown) => {
    if (!isJsonObject(one) || typeof one.id !== 'string') throw new ApiError('invalid_arguments');
    const file = api.workspace.files.get(one.id);
    // A file can be completed once.
    if (file?.state !== 'uploaded') throw new ApiError('file_not_found');
    return { file, title: typeof one.title === 'string' ? one.title : undefined };
  });
}

function channelsToShareIn(args: SlackObject, api: Api): readonly Channel[] {
  const names = [...new Set([...commaList(args, 'channel_id'), ...commaList(args, 'channels')])];
  if (names.length > 100) throw new ApiError('invalid_arguments');
  return names.map((name) => findWritableChannel(api, name));
}

function share(
  api: Api,
  channel: Channel,
  filesToShare: readonly FileToShare[],
  content: { text: string; blocks: readonly SlackObject[]; attachments: readonly SlackObject[] },
  threadTs: string | undefined,
) {
  const message = recordPost(api.workspace, 'files.completeUploadExternal', {
    channel: channel.id,
    user: api.workspace.seed.bot.user,
    ...content,
    files: filesToShare.map(({ file }) => file.id),
    threadTs,
  });
  for (const { file } of filesToShare) file.shares.push({ channel: channel.id, ts: message.ts, threadTs });
}

export interface FileDependencies {
  readonly api: Api;
  readonly faults: Faults;
  readonly inspector: Inspector;
}

/** Serves the second step of an upload at `/upload/v1/TICKET`, and files at `/files/F…/name`. */
export function serveFiles(server: FastifyInstance, { api, faults, inspector }: FileDependencies): void {
  void server.register(async (uploads) => {
    // The route streams the request, so that files are not held in memory.
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null));

    uploads.post('/upload/v1/:ticket', { bodyLimit: 2 ** 30 + 1 }, async (request, reply) => {
      const { ticket } = request.params as { ticket: string };
      const exchange = inspector.begin({ direction: 'bot to Slack', title: 'upload', body: '(bytes)' });
      const fault = faults.take('upload', {});
      if (fault?.kind === 'status' && !fault.done) {
        request.raw.resume();
        exchange.end({ state: 'failed', error: String(fault.status) });
        return reply.code(fault.status).send('');
      }
      const received =
        fault?.kind === 'cut' ? undefined : await api.uploads.receive(ticket, await bytesOf(request));
      if (fault?.kind === 'cut' || fault?.kind === 'done, then cut') {
        exchange.end({ state: 'failed', body: 'No answer: the connection was closed.' });
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      }
      if (received?.ok === false) {
        exchange.end({ state: 'refused', error: received.refusal });
        return reply.code(received.refusal === 'unknown ticket' ? 404 : 400).send(received.refusal);
      }
      const text = `OK - ${request.headers['content-length'] ?? 'chunked'}`;
      exchange.end({ state: 'ok', body: text });
      return reply.send(text);
    });
  });

  server.get('/files/:id/:name', (request, reply) => {
    const { id } = request.params as { id: string };
    const file = api.workspace.files.get(id);
    if (file?.state !== 'complete') return reply.code(404).send('This file does not exist.');
    const asDownload = 'download' in (request.query as object);
    const name = encodeURIComponent(file.name);
    return (
      reply
        .header(
          'content-type',
          file.mimetype.startsWith('text/') ? `${file.mimetype}; charset=utf-8` : file.mimetype,
        )
        .header('content-length', file.size)
        // Files are untrusted: nothing in them may run as a page of this server.
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('content-disposition', `${asDownload ? 'attachment' : 'inline'}; filename*=UTF-8''${name}`)
        .send(createReadStream(file.path))
    );
  });
}

/** The content of an upload: the raw body, or the file of a form, which `filesUploadV2` sends. */
async function bytesOf(request: FastifyRequest): Promise<Readable> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) return request.raw;
  const body = Readable.toWeb(request.raw) as unknown as ConstructorParameters<typeof Response>[0];
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const part = [...form.values()].find((value) => typeof value !== 'string');
  return part ? Readable.fromWeb(part.stream() as unknown as WebStream) : Readable.from([]);
}
