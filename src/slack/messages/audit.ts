import type { Button } from '@slack/types';
import type {
  AskedDetails,
  ExportedDetails,
  RecordReadDetails,
  SearchedDetails,
} from '../../access/record.js';
import { formatDayAndTime, formatPlural } from '../../figures/format/values.js';
import { compact, displayText } from '../../requests/text.js';
import type { RecordedEvent } from '../../store/erasure/events.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { bold, buttons, code, context, type Line, richChannel, richTextLines, section } from './blocks.js';
import { notice } from './notices.js';

const maxWords = 150;

/**
 * One page of the record of access. Only admins see it, in their direct messages.
 *
 * @param events newest first
 * @param note a line on events that are not listed
 * @param pressable buttons to other pages and to the file
 * @param nameOf the name of the Slack ID of a person or a user group
 * @param zone the time zone of the reader
 */
export function auditPageMessage(
  title: string,
  events: readonly RecordedEvent[],
  note: string | undefined,
  pressable: readonly Button[],
  nameOf: (person: string) => string,
  zone: string,
): OutgoingMessage {
  return notice(
    title,
    events.length > 0
      ? richTextLines(...events.map((event) => eventLine(event, nameOf, zone)))
      : section('Nothing is recorded.'),
    note !== undefined && context(note),
    pressable.length > 0 && buttons(pressable),
  );
}

function eventLine(event: RecordedEvent, nameOf: (person: string) => string, zone: string): Line {
  const { place, subjects } = event;
  const { verb, code: quoted, rest } = describeEvent(event, nameOf);
  const others = subjects.filter((subject) => subject !== event.person).map((subject) => nameOf(subject));
  return [
    `${formatDayAndTime(event.at, zone)}  `,
    bold(actorOf(event, nameOf)),
    ` ${verb}`,
    quoted !== undefined && [' ', code(quoted, maxWords)],
    rest && ` ${rest}`,
    place !== undefined && [' in ', richChannel(place, 'direct messages')],
    others.length === 0 ? '\n' : `. People: ${displayText(others.join(', '), maxWords)}\n`,
  ];
}

export function actorOf(event: RecordedEvent, nameOf: (person: string) => string): string {
  if (event.person !== undefined) return nameOf(event.person);
  if (event.kind === 'setting-changed') return 'The operator';
  const { origin } = detailsOf(event);
  const isCommandLine = origin === 'command-line' || origin === 'command-line-assistant';
  return isCommandLine || event.kind === 'erased' || event.kind === 'record-read'
    ? 'The command line'
    : 'Rollcall';
}

/** The event in words: `exported`, `tracks_2026-11-01.csv`, `120 rows, 14 columns, for “Audit of Q3”`. */
export function describeEvent(event: RecordedEvent, nameOf: (person: string) => string) {
  const described = describeKind(event, nameOf);
  const { purpose } = detailsOf(event);
  // The words of a request hold its purpose.
  if (typeof purpose !== 'string' || event.kind === 'asked') return described;
  const { rest } = described;
  return { ...described, rest: `${rest === undefined ? '' : `${rest}, `}for “${purpose}”` };
}

function describeKind(event: RecordedEvent, nameOf: (person: string) => string) {
  const details = detailsOf(event);
  switch (event.kind) {
    case 'asked': {
      const { words, level, refused, origin }: Partial<AskedDetails> = details;
      return {
        verb: refused === undefined ? askedVerbs[origin ?? 'request'] : 'was refused',
        code: words && `/report ${words}`,
        rest: level && `(level ${level})`,
      };
    }
    case 'searched': {
      const { field, text }: Partial<SearchedDetails> = details;
      return { verb: 'searched for', code: text, rest: field && `(in ${field})` };
    }
    case 'upload-failed': {
      const { file }: Partial<ExportedDetails> = details;
      return { verb: 'got no file, because its upload failed:', code: file };
    }
    case 'record-read': {
      const { title, as }: Partial<RecordReadDetails> = details;
      // An erasure takes its title away.
      const verb = title ? 'read the record:' : 'read the record';
      return { verb, code: title, rest: as === 'file' ? 'as a file' : undefined };
    }
    case 'evidence-zipped':
      return { verb: 'wrote down the SHA-256 of evidence:', code: textOf(details.zip) };
    case 'evidence-made':
    case 'exported': {
      const { file, rowCount, columns }: Partial<ExportedDetails> = details;
      return {
        verb: event.kind === 'exported' ? 'exported' : 'made the evidence',
        code: file,
        rest: compact(
          rowCount !== undefined && formatPlural(rowCount, ['row', 'rows']),
          columns !== undefined && formatPlural(columns.length, ['column', 'columns']),
        ).join(', '),
      };
    }
    case 'shared':
      return { verb: 'shared', code: 'words' in details ? `/report ${textOf(details.words)}` : undefined };
    case 'approved':
      return { verb: 'allowed person-level data' };
    case 'released':
      return { verb: 'allowed in all channels the metadata field', code: textOf(details.key) };
    case 'withdrawn':
      if ('key' in details) return { verb: 'took back the metadata field', code: textOf(details.key) };
      return details.why === 'shared'
        ? { verb: 'ended the approval, because the channel is shared' }
        : { verb: 'ended the approval' };
    case 'rule-changed':
      return { verb: 'changed a rule:', rest: describeRule(event, nameOf) };
    case 'setting-changed':
      if (details.setting === 'file-age')
        return {
          verb: 'changed when files are deleted',
          rest: `${event.place === undefined ? 'in direct messages' : 'in a channel'}, from ${ageOf(details.before)} to ${ageOf(details.after)}`,
        };
      if (details.setting !== 'asker-names')
        return {
          verb: 'changed a setting:',
          code: textOf(details.setting),
          rest: `from ${textOf(details.before)} to ${textOf(details.after)}`,
        };
      return details.after === true
        ? { verb: 'allowed people to see who asked about them' }
        : { verb: 'hid from people who asked about them' };
    case 'handed-over':
      return { verb: `handed over the ${textOf(details.what)}`, code: textOf(details.name) };
    case 'deleted':
      return {
        verb: `${details.restored === true ? 'restored' : 'deleted'} the ${textOf(details.what)}`,
        code: textOf(details.name),
      };
    case 'erased':
      return { verb: 'erased a person’s data' };
    case 'checkpoint':
      return { verb: 'deleted events because of their age' };
  }
}

const askedVerbs = {
  request: 'asked',
  'file-button': 'asked for the file of',
  details: 'opened the details of',
  share: 'asked, to share it,',
  digest: 'got the digest',
  'command-line': 'asked',
  assistant: 'asked through an assistant',
  'command-line-assistant': 'asked through an assistant',
};

/** `everyone, tracks: totals (before: team)` */
function describeRule(event: RecordedEvent, nameOf: (person: string) => string) {
  const { subject, before, after, admin } = detailsOf(event);
  const group = groupOf(event);
  let whom = event.subjects.map(nameOf).join(', ');
  if (recordOf(subject).kind === 'everyone') whom = 'everyone';
  if (group !== undefined) whom = `group ${nameOf(group)}`;
  if (typeof admin === 'boolean') return `${whom} is ${admin ? 'now' : 'no longer'} an admin`;
  const report = event.report === undefined ? '' : `, ${event.report}`;
  const earlier = (Array.isArray(before) ? before : []).map((rule) => {
    const { report: of, level } = recordOf(rule);
    return of === undefined || of === event.report ? textOf(level) : `${textOf(of)} ${textOf(level)}`;
  });
  const was = earlier.length === 0 ? '' : ` (before: ${earlier.join(', ')})`;
  return `${whom}${report}: ${typeof after === 'string' ? after : 'no rule'}${was}`;
}

export function groupOf(event: RecordedEvent): string | undefined {
  const { kind, id } = recordOf(detailsOf(event).subject);
  return kind === 'group' ? textOf(id) : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Empty where the details were erased. */
export function detailsOf({ details }: RecordedEvent): Readonly<Record<string, unknown>> {
  return recordOf(details);
}

function ageOf(days: unknown): string {
  return typeof days === 'number' ? formatPlural(days, ['day', 'days']) : 'never';
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : '';
}
