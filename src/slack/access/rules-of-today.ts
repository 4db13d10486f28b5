import { type Level, levels } from '../../access/levels.js';
import type { PageRow, RecordPage } from '../../access/record-page.js';
import { allReports } from '../../catalogue/index.js';
import type { AccessSettings } from '../../config/config.js';
import type { Digest } from '../../digests/digest.js';
import { UnreadableDigest } from '../../digests/quarantine.js';
import { formatPlural } from '../../figures/format/values.js';
import { directMessages } from '../../posts/posted-items.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { type ReportRequest, requestsIn } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { retentionMs } from '../../store/database/expiry.js';
import type { TableName } from '../../store/database/schema.js';
import type { EventQuery, RecordedEvent } from '../../store/erasure/events.js';
import type { ListenerParts } from '../answers/context.js';
import { levelWords } from '../messages/access-levels.js';
import { describeEvent } from '../messages/audit.js';

const pageSize = 200;
const dayMs = 24 * 3_600_000;
const maxCounted = 1_000_000;

/** The file for a works council: what holds today, what changed, and how much was asked. It names nobody. */
export async function rulesOfToday(since: number, parts: ListenerParts): Promise<RecordPage> {
  const { store, clock, keepRecordDays } = parts;
  const namesFrom = await store.recordSettings.askerNamesFrom();
  const directDays = await store.channelAges.find(directMessages);
  return {
    title: 'Rules of today',
    notes: [
      'What Rollcall allows, what changed and how much was asked. For a works council or a data protection officer. It names no people.',
    ],
    about: { made: momentOf(clock.now()), changes_since: dayOf(since) },
    sections: [
      {
        key: 'settings',
        title: 'Settings',
        columns: ['what', 'now'],
        rows: [
          ...settingRows(parts.settings),
          {
            what: 'Channels that admins allowed to get names',
            now: (await store.approvals.approvedChannels()).length,
          },
          {
            what: 'People see in their own record who asked',
            now: namesFrom === undefined ? 'no' : `since ${dayOf(namesFrom)}`,
          },
          {
            what: 'Files in direct messages are deleted after',
            now: directDays === undefined ? 'never' : formatDays(directDays),
          },
          { what: 'Admins', now: (await parts.access.admins()).length },
        ],
      },
      {
        key: 'levels',
        title: 'Levels',
        columns: ['level', 'allows'],
        rows: levels.map((level) => ({ level: levelWords[level].label, allows: levelWords[level].allows })),
      },
      {
        key: 'rules',
        title: 'Rules in force',
        notes: ['A rule for a person goes before one for a group, and that before one for everyone.'],
        columns: ['for', 'report', 'level', 'rules'],
        rows: await rulesInForce(parts),
      },
      {
        key: 'metadata',
        title: 'Metadata fields allowed in all channels',
        columns: ['field'],
        rows: (await store.approvals.releasedKeys()).map(({ subject }) => ({ field: subject })),
      },
      {
        key: 'changes',
        title: `What changed since ${dayOf(since)}`,
        columns: ['day', 'by', 'what'],
        rows: changesSince(since, parts),
      },
      {
        key: 'requests',
        title: `How often each report was asked since ${dayOf(since)}`,
        notes: ['By the level of who asked. Where few people may ask, a number can still tell who it was.'],
        columns: ['report', 'level', 'answered', 'refused', 'by digests'],
        rows: await requestsSince(since, parts),
      },
      {
        key: 'digests',
        title: 'Digests, alerts and managers’ digests that run',
        columns: ['kind', 'report', 'when', 'condition'],
        rows: runningDigests(parts),
      },
      {
        key: 'retention',
        title: 'How long data is kept',
        notes: ['docs/privacy.md has the whole list, with what is stored about whom.'],
        columns: ['data', 'kept for'],
        rows: retention.map(([data, table, after = '']) => ({
          data,
          'kept for': `${formatDays(retentionMs(table, keepRecordDays) / dayMs)}${after}`,
        })),
      },
      {
        key: 'not_protected',
        title: 'What is not protected',
        columns: ['what'],
        rows: notProtected.map((what) => ({ what })),
      },
    ],
  };
}

const settingWords: AccessSettings = {
  DEFAULT_ACCESS: 'Level of everybody whom no rule names',
  SMALLEST_GROUP: 'In totals, no figure is about fewer people than',
  KEEP_RECORD_DAYS: 'The record of who asked what is kept for',
  ASK_PURPOSE: 'Whoever takes a file or sets a rule has to say why',
  LEFT_OUT: 'Some people are left out of all answers',
  NAMES_DAILY: 'People of the last 90 days are read once a day, to protect small groups',
  PERSON_LEVEL_CHANNELS: 'Channels that the operator allows to get names',
  ROLLCALL_ADMINS: 'Admins that the operator named',
  TRUST_SLACK_EMAIL: 'An email address counts if Slack does not say whether it is confirmed',
  MCP: 'An assistant in Slack can ask for totals',
};

function settingRows(settings: AccessSettings): readonly PageRow[] {
  const shown: AccessSettings = {
    ...settings,
    DEFAULT_ACCESS: levelWords[settings.DEFAULT_ACCESS as Level].label,
    SMALLEST_GROUP: settings.SMALLEST_GROUP === '1' ? 'off' : settings.SMALLEST_GROUP,
    KEEP_RECORD_DAYS: formatDays(Number(settings.KEEP_RECORD_DAYS)),
    PERSON_LEVEL_CHANNELS:
      settings.PERSON_LEVEL_CHANNELS === 'all' ? 'all that are not shared' : settings.PERSON_LEVEL_CHANNELS,
  };
  const names = Object.keys(settingWords) as (keyof AccessSettings)[];
  return names.map((name) => ({ what: `${settingWords[name]} (${name})`, now: shown[name] }));
}

const retention: readonly (readonly [string, TableName, string?])[] = [
  ['Requests: who asked what, where and when', 'requests'],
  ['Answers, files and runs of digests: state, time, number of rows', 'posts'],
  ['Events of the record of access', 'event_chain'],
  ['Files and rows that were sent, with numbers of the people in them', 'sent_rows'],
  ['Numbers of people, with keyed hashes', 'person_numbers', ' after the last file or table with them'],
  ['Figures of last runs, without rows and people', 'last_figures'],
  ['Totals of answers for Details', 'answer_totals'],
  ['Names for filters, such as departments and titles', 'suggestions', ' after the last answer with them'],
  ['Forms and digests that were not finished', 'builder_drafts'],
  ['Deleted digests', 'digests'],
  ['Messages about digests', 'notifications'],
];

const notProtected = [
  'Everybody who can read a conversation in Slack reads what was posted there. Slack’s own retention applies.',
  'A person who may see a file can pass it on. The record does not show who read a message or passed on a file.',
  'The operators of the Reporting Service and of the machine can read everything.',
  'The command line has the level Everything. It is recorded only on a machine with the database of the bot.',
  'Somebody who controls the database, the key of the record and the log can change the record unnoticed.',
  'Small differences between totals can tell about single people: docs/privacy.md has the list.',
];

async function rulesInForce({ store }: ListenerParts): Promise<PageRow[]> {
  const counts = new Map<string, { readonly row: PageRow; count: number }>();
  for (const { subject, report, level } of await store.accessRules.all()) {
    const row = {
      for: { everyone: 'Everyone', group: 'A user group', person: 'A person' }[subject.kind],
      report: report ?? 'all reports',
      level: levelWords[level].label,
    };
    const key = JSON.stringify(row);
    const known = counts.get(key) ?? { row, count: 0 };
    counts.set(key, { row, count: known.count + 1 });
  }
  return [...counts.values()].map(({ row, count }) => ({ ...row, rules: count }));
}

async function* changesSince(from: number, { store: { events } }: ListenerParts): AsyncGenerator<PageRow> {
  const kinds = ['rule-changed', 'setting-changed', 'approved', 'withdrawn', 'released', 'erased'] as const;
  const query: EventQuery = { kinds, from };
  for (let after: number | undefined; ; ) {
    const page = await events.oldest(query, pageSize, after);
    for (const event of page) yield changeOf(event);
    after = page.at(-1)?.seq;
    if (page.length < pageSize) return;
  }
}

/** Without names, and without the purpose, which may have some. */
function changeOf(event: RecordedEvent): PageRow {
  const { purpose: _purpose, ...details } = (event.details ?? {}) as Record<string, unknown>;
  const nameOf = (id: string) => (/^S[A-Z0-9]{6,}$/.test(id) ? 'of people' : 'a person');
  const { verb, code, rest } = describeEvent({ ...event, details }, nameOf);
  return {
    day: dayOf(event.at),
    by: roleOf(event),
    what: compact(verb, code, rest).join(' '),
  };
}

function roleOf({ person, kind }: RecordedEvent): string {
  if (person !== undefined) return 'an admin';
  return kind === 'erased' || kind === 'setting-changed' ? 'the operator' : 'Rollcall';
}

async function requestsSince(from: number, { store: { overview } }: ListenerParts): Promise<PageRow[]> {
  const counts = await overview.countRequests(from, maxCounted);
  const sum = (some: typeof counts) => some.reduce((total, { count }) => total + count, 0);
  return allReports.flatMap(({ name }) =>
    [...levels, undefined].flatMap((level): PageRow[] => {
      const ofLevel = counts.filter((one) => one.report === name && (one.level ?? undefined) === level);
      if (ofLevel.length === 0) return [];
      const refused = ofLevel.filter((one) => (one.refused ?? undefined) !== undefined);
      const digests = ofLevel.filter((one) => one.origin === 'digest' && !refused.includes(one));
      return [
        {
          report: name,
          level: labelOf(level),
          answered: sum(ofLevel) - sum(refused) - sum(digests),
          refused: sum(refused),
          'by digests': sum(digests),
        },
      ];
    }),
  );
}

function labelOf(level: Level | undefined): string {
  return level === undefined
    ? 'of digests, of the command line, or no longer known'
    : levelWords[level].label;
}

async function* runningDigests({ store: { digests } }: ListenerParts): AsyncGenerator<PageRow> {
  for (let after = ''; ; ) {
    const page = await digests.active(pageSize, after);
    for (const digest of page) {
      after = digest.id;
      if (digest instanceof UnreadableDigest) continue;
      const { request, schedule, when } = digest;
      yield {
        kind: kindOf(digest),
        report: reportsIn(request),
        when: `${describeCadence(schedule.cadence)}, ${schedule.zone}`,
        condition:
          when?.kind === 'threshold'
            ? `${when.figure} ${when.comparison} ${when.value}${when.isPercent ? '%' : ''}`
            : when?.kind,
      };
    }
    if (page.length < pageSize) return;
  }
}

function kindOf(digest: Digest): string {
  if ('audience' in digest && digest.audience === 'managers') return 'Managers’ digest';
  if (digest.request.scorecard) return 'Scorecard';
  return digest.when ? 'Alert' : 'Digest';
}

/** Of saved reports only the number: their names can name people. */
function reportsIn(request: ReportRequest): string {
  const names = new Set(requestsIn(request).map(({ report }) => report));
  const saved = request.scorecard?.lines.filter((line) => 'name' in line).length ?? 0;
  return compact(...names, saved > 0 && formatPlural(saved, ['saved report', 'saved reports'])).join(', ');
}

const formatDays = (days: number) => formatPlural(days, ['day', 'days']);

function dayOf(at: number): string {
  return timeOf(at).slice(0, 10);
}

/** `2026-11-28 17:42 UTC`. */
function momentOf(at: number): string {
  return `${timeOf(at).slice(0, 16).replace('T', ' ')} UTC`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
