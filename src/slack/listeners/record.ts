import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AccessEvent, type RecordReadDetails, recordExport } from '../../access/record.js';
import { htmlOf, jsonOf, type RecordPage } from '../../access/record-page.js';
import type { RecordPosition } from '../../store/erasure/own-record.js';
import { dayAt, formatIsoDay } from '../../time/calendar.js';
import type { ListenerParts } from '../answers/context.js';
import type { MemberContext } from '../context/request-context.js';
import { sendMessage } from '../delivery/post-message.js';
import { ownerOf, recordFacts } from '../home/own-record.js';
import { describeFailure } from '../messages/failures.js';
import { replierIn } from '../messages/notices.js';
import { recordActions, recordMessage, recordTitle } from '../messages/record.js';
import { recordCopy } from '../messages/record-copy.js';
import { type OnPress, press, type Route, replaceMessage } from './router.js';

const pageSize = 15;

/** Handles `/report record`: a person's own record goes to their direct messages, wherever they asked. */
export async function showOwnRecord(context: MemberContext, parts: ListenerParts): Promise<void> {
  const { asker, member } = context;
  const reply = replierIn(context, parts);
  const direct = await parts.channels.directWith(asker);
  try {
    const facts = await recordFacts(await ownerOf(asker, parts), pageSize, undefined, parts);
    // Before anyone sees it.
    await parts.store.events.append(ownReading(asker, 'message', parts));
    const thread = context.channel === direct ? context.thread : undefined;
    await sendMessage(recordMessage(facts, true, member.zone), { channel: direct, thread }, parts.client);
  } catch (err) {
    parts.log.warn({ err }, 'The record of a person could not be sent');
    return reply('I could not send it to your direct messages. Try again in a minute.');
  }
  if (context.channel !== direct) await reply('I sent it to your direct messages.');
}

/** People read their own record, and that is an event too. */
export function ownReading(
  person: string,
  as: RecordReadDetails['as'],
  { clock }: Pick<ListenerParts, 'clock'>,
): AccessEvent {
  const details: RecordReadDetails = { title: recordTitle, as };
  return { kind: 'record-read', at: clock.now(), person, details };
}

/** Older, Newest: replaces the page. */
const turnPage: OnPress = async (pressed, parts) => {
  const { asker, member, channel } = pressed.context;
  if (!channel.startsWith('D')) return showOwnRecord(pressed.context, parts);
  const position = parsePosition(pressed.value);
  const facts = await recordFacts(await ownerOf(asker, parts), pageSize, position, parts);
  await parts.store.events.append(ownReading(asker, 'message', parts));
  await replaceMessage(pressed, recordMessage(facts, position === undefined, member.zone));
};

/** Buttons hold only what Rollcall wrote into them. A position says where to go on, and nothing about whom. */
function parsePosition(value: string): RecordPosition | undefined {
  return value.startsWith('{') ? JSON.parse(value) : undefined;
}

/** Shares a copy of all that Rollcall keeps about the person who presses, with that person alone. */
const sendCopy: OnPress = async ({ actionId, context: { asker, requestId: id }, reply }, parts) => {
  const { store, clock, log } = parts;
  const [write, name] = actionId === recordActions.json ? [jsonOf, 'json'] : [htmlOf, 'html'];
  try {
    const page = recordCopy(await ownerOf(asker, parts), clock.now(), store);
    const record = () => recordExport(store.events, ownReading(asker, 'file', parts));
    await sharePage(page, write, `my_record_${today(parts)}.${name}`, { asker, id, record }, parts);
  } catch (error) {
    log.warn({ err: error, id }, 'The copy of a record was not shared');
    await reply(describeFailure(error, id).sentence);
  }
};

export function today({ clock }: Pick<ListenerParts, 'clock'>): string {
  return formatIsoDay(dayAt(Math.floor(clock.now() / 1000), 'UTC'));
}

/**
 * Shares a page as a file in somebody's direct messages.
 *
 * @param whose `id`: of the file on disk; `record`: called before it is shared, and stops that if it throws
 */
export async function sharePage(
  page: RecordPage,
  write: (page: RecordPage) => AsyncGenerator<string>,
  name: string,
  {
    asker,
    id,
    record,
  }: { readonly asker: string; readonly id: string; readonly record: () => Promise<unknown> },
  { files, channels, share, store, clock, log }: ListenerParts,
): Promise<void> {
  const path = files.pathFor(id);
  try {
    await pipeline(Readable.from(write(page)), createWriteStream(path, { mode: 0o600 }));
    const { size: bytes } = await stat(path);
    const channel = await channels.directWith(asker);
    const shareIn = await share({ path, bytes, name });
    await record();
    const { fileId } = await shareIn({ channel });
    await store.postedItems
      .add({ kind: 'file', channel, item: fileId }, clock.now())
      .catch((err: unknown) => log.warn({ err }, 'A file could not be noted for its deletion'));
  } finally {
    await files.remove(id);
  }
}

export const recordRoutes = (): readonly Route[] => [
  press(recordActions.older, 'member', turnPage),
  press(recordActions.newest, 'member', turnPage),
  press(recordActions.html, 'member', sendCopy),
  press(recordActions.json, 'member', sendCopy),
];
