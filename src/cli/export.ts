import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RecordReadDetails } from '../access/record.js';
import { htmlOf, jsonOf } from '../access/record-page.js';
import { systemCodeOf } from '../errors/failure.js';
import { compact } from '../requests/text.js';
import { recordCopy } from '../slack/messages/record-copy.js';
import { withExistingStore } from './backup.js';
import { wrongUsage } from './operator-messages.js';

export interface ExportFlags {
  /** The path of a page to read. Absent: JSON goes to standard output. */
  readonly html?: string;
}

/**
 * Writes what Rollcall keeps about a person, without other people's names: what `/report record` gives them in Slack. The
 * reading is an event, which comes first.
 *
 * @returns notes for the operator
 * @throws `wrong-usage`
 */
export async function exportPerson(
  person: string,
  { html }: ExportFlags,
  stdout: NodeJS.WritableStream,
): Promise<readonly string[]> {
  const named = person.trim();
  if (named === '') throw wrongUsage('Name a person: a Slack user ID, or an email address.');
  return withExistingStore(async (store) => {
    const now = Date.now();
    const owner = await store.ownRecord.ownerNamed(named);
    const { account, addresses, wanted } = owner;
    const details: RecordReadDetails = { title: 'What Rollcall keeps about a person', as: 'command-line' };
    const subjects = [...new Set(compact(account, named.includes('@') && named.toLowerCase()))];
    await store.events.append({ kind: 'record-read', at: now, subjects, details });
    const page = recordCopy(owner, now, store);
    const target = html === undefined ? stdout : createWriteStream(html, { mode: 0o600 });
    await pipeline(Readable.from((html === undefined ? jsonOf : htmlOf)(page)), target, {
      end: html !== undefined,
    }).catch((error: unknown) => {
      throw wrongUsage(`${html} cannot be written: the system reports ${systemCodeOf(error)}.`);
    });
    const isUnknown = account === undefined && wanted.length === 0;
    return compact(
      isUnknown && `No Slack account and no row of ${named} is known. The copy has what names that text.`,
      account === undefined &&
        named.includes('@') &&
        'Rollcall has seen no Slack account with this address, so the copy is about everybody who has had it.',
      account !== undefined &&
        addresses.length === 0 &&
        'No address of this account is in the record, so requests that named an address are not found.',
    );
  });
}
