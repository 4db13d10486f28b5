import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ok, type Result, refused } from '../../../bot.js';
import type { StoredFile } from './records.js';
import type { Workspace } from './workspace.js';

/** Uploads in three steps: declare, send the bytes to a one-time URL, complete. The bytes are stored in a folder. */
export interface Uploads {
  declare(file: {
    name: string;
    size: number;
    altText: string;
  }): Promise<{ file: StoredFile; ticket: string }>;
  /** Writes the bytes to disk. A ticket is good for one complete upload. */
  receive(ticket: string, bytes: Readable): Promise<Result<StoredFile, 'unknown ticket' | 'wrong length'>>;
  /** Removes the bytes of one file. */
  remove(file: StoredFile): Promise<void>;
  /** Removes all of them. */
  stop(): Promise<void>;
}

const mimetypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  txt: 'text/plain',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

export function openUploads(workspace: Workspace): Uploads {
  let folder: Promise<string> | undefined;
  const tickets = new Map<string, StoredFile>();

  return {
    async declare({ name, size, altText }) {
      folder ??= mkdtemp(join(tmpdir(), 'local-slack-files-'));
      const id = workspace.newId('F');
      const file: StoredFile = {
        id,
        name,
        title: name,
        size,
        mimetype: mimetypes[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream',
        altText,
        path: join(await folder, id),
        state: 'expected',
        created: Math.floor(workspace.clock.now() / 1000),
        shares: [],
      };
      const ticket = randomBytes(24).toString('base64url');
      tickets.set(ticket, file);
      workspace.files.set(id, file);
      return { file, ticket };
    },

    async receive(ticket, bytes) {
      const file = tickets.get(ticket);
      if (!file) {
        bytes.resume();
        return refused('unknown ticket');
      }
      let received = 0;
      await pipeline(
        bytes,
        async function* countAndLimit(chunks) {
          for await (const chunk of chunks) {
            received += chunk.length;
            // Read the rest without storing it, so that the sender gets the answer.
            if (received <= file.size) yield chunk;
          }
        },
        createWriteStream(file.path),
      );
      if (received !== file.size) return refused('wrong length');
      tickets.delete(ticket);
      file.state = 'uploaded';
      return ok(file);
    },

    remove: (file) => rm(file.path, { force: true }),

    async stop() {
      if (folder) await rm(await folder, { recursive: true, force: true });
    },
  };
}
