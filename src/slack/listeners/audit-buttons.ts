import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { recordExport } from '../../access/record.js';
import type { RecordedEvent } from '../../store/erasure/events.js';
import { dayAt, formatIsoDay } from '../../time/calendar.js';
import type { PlacedContext } from '../context/request-context.js';
import { actorOf, describeEvent, detailsOf } from '../messages/audit.js';
import { describeFailure } from '../messages/failures.js';
import { adminsOnly } from '../messages/notices.js';
import { allEvents, auditActions, auditPage, parseAuditPosition, readingEvent } from './audit.js';
import { type OnPress, press, type Route, replaceMessage } from './router.js';

const columns = ['number', 'time', 'event', 'person', 'place', 'report', 'people', 'description', 'details'];

function cellsOf(event: RecordedEvent) {
  const asIs = (person: string) => person;
  const { verb, code, rest } = describeEvent(event, asIs);
  return [
    String(event.seq),
    new Date(event.at).toISOString(),
    event.kind,
    actorOf(event, asIs),
    event.place ?? '',
    event.report ?? '',
    event.subjects.join('; '),
    [verb, code, rest].filter((text) => text !== undefined && text !== '').join(' '),
    event.details === undefined ? '' : JSON.stringify(detailsOf(event)),
  ];
}

function csvLine(cells: readonly string[]) {
  // The package guards no line feed, and quotes no single one.
  const guarded = cells.map((text) => (text.startsWith('\n') ? `'${text}` : text));
  return stringify([guarded], {
    escape_formulas: true,
    record_delimiter: 'windows',
    quoted_match: /[;\r\n]/,
  });
}

/** Admins read the record in their own direct messages. */
function forReadersOfRecord(then: OnPress): OnPress<PlacedContext> {
  return (pressed, parts) =>
    pressed.context.conversation.kind === 'direct' ? then(pressed, parts) : pressed.reply(adminsOnly);
}

/** Newer, Older: replaces a page of the record, and records that. */
const turnPage = forReadersOfRecord(async (pressed, parts) => {
  const { value, context } = pressed;
  const position = parseAuditPosition(value);
  const page = await auditPage(position, context.member.zone, parts);
  await parts.store.events.append(readingEvent([position.view], context.asker, 'message', parts));
  await replaceMessage(pressed, page);
});

/** CSV: shares a file with all events of a view in the admin's direct messages, and records that. */
const sendAuditFile = forReadersOfRecord(async ({ value, context, purpose, reply }, parts) => {
  const { asker, requestId: id } = context;
  const { store, files: folder, clock, log } = parts;
  const { view } = parseAuditPosition(value);
  const path = folder.pathFor(id);
  let rowCount = 0;
  async function* lines() {
    yield `\uFEFF${csvLine(columns)}`;
    for await (const event of allEvents(store.events, view)) {
      rowCount += 1;
      yield csvLine(cellsOf(event));
    }
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }));
    const { size: bytes } = await stat(path);
    const channel = await parts.channels.directWith(asker);
    const name = `record_${formatIsoDay(dayAt(Math.floor(clock.now() / 1000), 'UTC'))}.csv`;
    const share = await parts.share({ path, bytes, name });
    const details = { file: name, columns, rowCount, words: view.title, purpose };
    const at = clock.now();
    await recordExport(store.events, readingEvent([view], asker, 'file', parts));
    await recordExport(store.events, { kind: 'exported', at, person: asker, place: channel, details });
    const { fileId } = await share({ channel });
    await store.postedItems
      .add({ kind: 'file', channel, item: fileId }, clock.now())
      .catch((err: unknown) => log.warn({ err }, 'A file could not be noted for its deletion'));
  } catch (error) {
    log.warn({ err: error, id }, 'The file of the record was not shared');
    await reply(describeFailure(error, id).sentence);
  } finally {
    await folder.remove(id);
  }
});

export const auditRoutes = (): readonly Route[] => [
  press(auditActions.newer, 'admin in conversation', turnPage),
  press(auditActions.older, 'admin in conversation', turnPage),
  press(auditActions.file, 'admin in conversation', sendAuditFile, { asksPurpose: true }),
];
