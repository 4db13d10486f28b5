import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../../playground/slack/server/script/find.js';
import { validateBlocks, validateMessage } from '../../../playground/slack/server/validator/validate.js';
import type { Digest, DigestRun } from '../../../src/digests/digest.js';
import type { AlertCondition } from '../../../src/requests/alert-condition.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { NotificationContent } from '../../../src/scheduler/ports.js';
import { digestBlocks, digestPageSize, historyMessage } from '../../../src/slack/messages/digest-list.js';
import { notificationMessage } from '../../../src/slack/messages/digest-notifications.js';
import { digestName, previewMessage } from '../../../src/slack/messages/digests.js';
import { propertyRuns } from '../../property-runs.js';
import { anyCadence } from '../../requests/random-cadence.js';
import { anyRequest } from '../../requests/random-request.js';

const digest = (changes: Partial<Digest> = {}): Digest => ({
  id: 'abcdefghjk',
  channel: 'C00LEARN01',
  owner: 'U00ADA0001',
  createdBy: 'U00ADA0001',
  request: plainRequest('engagement'),
  schedule: { cadence: { kind: 'daily', time: '09:00' }, zone: 'Europe/Berlin', firstDay: '2026-11-20' },
  skipEmpty: true,
  state: 'active',
  nextDue: 1_795_100_000_000,
  revision: 1,
  failures: 0,
  createdAt: 1_795_000_000_000,
  ...changes,
});

const run = (changes: Partial<DigestRun> = {}): DigestRun => ({
  id: 'mnpqrstuvw',
  digest: 'abcdefghjk',
  channel: 'C00LEARN01',
  dueAt: 1_795_000_000_000,
  state: 'posted',
  attempts: 1,
  rateLimited: 0,
  missed: 0,
  late: true,
  isByHand: false,
  rows: 412,
  message: { channel: 'C1', ts: '1.2', link: 'https://x.example/archives/C1/p12' },
  fileState: 'none',
  ...changes,
});

describe('a digest that failed and is paused', () => {
  it.each([
    ['because of that', 'is_archived', 'It is now paused after three failures in a row.'],
    ['by hand meanwhile', 'by-hand', 'It is now paused.'],
  ])('%s: says no more than that', (_, pauseReason, words) => {
    const failed = run({ state: 'failed', errorCode: 'is_archived' });
    const { text } = notificationMessage(
      { kind: 'failed', digest: digest({ state: 'paused', pauseReason }), run: failed },
      'U00ADA0001',
    );
    expect(text.endsWith(` ${words}`)).toBe(true);
  });
});

const codes = [
  'is_archived',
  'not_in_channel',
  'channel_not_found',
  'query-refused',
  'unexpected',
  'new_code',
];
const anyRun = fc
  .record({
    state: fc.constantFrom(...(['queued', 'posting', 'posted', 'skipped', 'failed', 'unknown'] as const)),
    errorCode: fc.constantFrom(...codes),
    reason: fc.constantFrom('That channel is archived.', 'It says: “<!channel> & *no*”'),
    fileState: fc.constantFrom(...(['none', 'failed', 'unknown', 'posted', 'skipped'] as const)),
    rows: fc.nat(),
    missed: fc.nat(),
  })
  .map((changes) => run(changes));
const anyDigest = fc
  .record({
    request: anyRequest,
    cadence: anyCadence,
    state: fc.constantFrom('active' as const, 'paused' as const),
    channel: fc.constantFrom('C00LEARN01', 'D00ADA0001'),
    owner: fc.constantFrom('U00ADA0001', 'forgotten'),
    when: fc.constantFrom<AlertCondition | undefined>(
      undefined,
      { kind: 'changed' },
      { kind: 'threshold', figure: '<!channel>', comparison: '<', value: 5, isPercent: true },
    ),
  })
  .map(({ cadence, ...changes }) =>
    digest({
      ...changes,
      schedule: { cadence, zone: 'America/Argentina/Buenos_Aires', firstDay: '2026-11-20' },
    }),
  );
/** All text in which Slack would see a mention. */
function marksIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value) return String(value.text);
  return Object.values(value).map(marksIn).join('\n');
}

const reader = { user: 'U00ADA0001', seesPeople: false, mayChange: () => true, withChannel: true };

it('the name of an alert has its condition', () => {
  const overdue = { request: { ...plainRequest('assignments'), view: 'overdue' } } as const;
  const when = {
    kind: 'threshold',
    figure: 'overdue',
    comparison: '>',
    value: 50,
    isPercent: false,
  } as const;
  expect(digestName(digest({ ...overdue, when }))).toBe(
    'Overdue assignments when overdue > 50, every day at 09:00',
  );
  expect(digestName(digest({ ...overdue, when: null }))).toBe('Overdue assignments, every day at 09:00');
});

describe('every message about digests', () => {
  it('is valid for any request and cadence, and mentions only its owner', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ digest: anyDigest, last: anyRun }), { minLength: 1, maxLength: 30 }),
        (rows) => {
          const [first] = rows;
          if (!first) return;
          const draft = {
            ...first.digest,
            cadence: first.digest.schedule.cadence,
            zone: first.digest.schedule.zone,
          };
          const failed = { digest: first.digest, run: first.last };
          const saved = {
            ...first.digest,
            name: 'Ada <!channel> *Sales*',
            changedAt: first.digest.createdAt,
          };
          const deliveries = (what: 'message' | 'file') =>
            rows.map((row) => ({ digest: row.digest, run: row.last, what }));
          const notifications: readonly NotificationContent[] = [
            { kind: 'failed', ...failed },
            { kind: 'file-failed', ...failed },
            { kind: 'without-owner', ...failed },
            { kind: 'unreadable', digest: first.digest },
            { kind: 'person-erased', digest: first.digest },
            { kind: 'saved-person-erased', saved },
            { kind: 'offer-ended', digest: first.digest },
            { kind: 'saved-offer-ended', saved },
            { kind: 'unconfirmed', deliveries: deliveries('message') },
            { kind: 'unconfirmed', deliveries: deliveries('file') },
          ];
          const messages = [
            previewMessage('draft', draft, [1_795_000_000_000, 1_795_100_000_000], ['A remark.']),
            historyMessage(
              first.digest,
              rows.map(({ last }) => last),
              'U00ADA0001',
              true,
            ),
            ...notifications.map((content) => notificationMessage(content, 'U00ADA0001')),
          ];
          for (const { text, blocks = [] } of messages) {
            expect(validateMessage({ text, blocks })).toEqual([]);
            expect(`${text}\n${marksIn(blocks)}`).not.toMatch(/<@|<!/);
          }
          const page = { items: rows.slice(0, digestPageSize), from: 8, more: true };
          const list = digestBlocks(page, reader, String);
          expect(validateMessage({ text: 'Digests', blocks: list })).toEqual([]);
          expect(validateBlocks(list)).toEqual([]);
          expect(marksIn(list)).not.toMatch(/<@|<!/);
          const mentioned = JSON.stringify(list).match(/"type":"(?:user|usergroup|broadcast)".{0,40}/g) ?? [];
          expect(mentioned.filter((one) => !one.startsWith('"type":"user","user_id":"U00ADA0001"'))).toEqual(
            [],
          );
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });

  it('lists commands without people that the reader may not see', () => {
    const filters = [{ object: 'user_filter', member: 'email', entries: ['kim@example.com'] }];
    const theirs = digest({ request: { ...plainRequest('engagement'), filters }, channel: 'D00ADA0001' });
    const seen = (reads: { user: string; seesPeople: boolean }) => {
      const page = { items: [{ digest: theirs }], from: 0, more: false };
      return wordsIn(digestBlocks(page, { ...reader, ...reads }, String)).join(' ');
    };
    expect(seen({ user: 'U00ADA0001', seesPeople: false })).toContain('kim@example.com');
    expect(seen({ user: 'U00NOAH001', seesPeople: true })).toContain('kim@example.com');
    const others = seen({ user: 'U00NOAH001', seesPeople: false });
    expect(others).toContain('/report engagement email:…');
    expect(others).not.toContain('kim');
    expect(others).toContain('its owner’s direct messages');
  });

  it('announces the start and the end of an outage', () => {
    const outage = { id: 'a', cause: 'service', code: 'token-refused', since: 1_795_000_000_000 } as const;
    const message = (isOver: boolean, zone: string) =>
      notificationMessage({ kind: 'outage', outage, isOver, zone }, 'U00ADA0001');
    expect(message(false, 'Europe/Berlin').text).toContain('Digests have been waiting since');
    expect(message(true, 'Europe/Berlin').text).toContain('Digests are running again');
    for (const over of [true, false]) {
      const { text, blocks = [] } = message(over, 'UTC');
      expect(validateMessage({ text, blocks })).toEqual([]);
    }
  });

  it('offers the matching fix', () => {
    const words = (code: string, channel = 'C1', mayJoin = true) =>
      wordsIn(
        notificationMessage(
          {
            kind: 'failed',
            digest: digest({ channel }),
            run: run({ state: 'failed', errorCode: code, reason: 'Why.' }),
          },
          'U00ADA0001',
          mayJoin,
        ).blocks,
      ).join('\n');
    expect(words('not_in_channel')).toContain('Join channel');
    expect(words('not_in_channel', 'C1', false)).not.toContain('Join channel');
    expect(words('not_in_channel', 'G1')).not.toContain('Join channel');
    expect(words('channel_not_found')).toContain('to <#C1>. Why.');
    expect(words('is_archived')).toContain('Change channel or time');
    expect(words('owner-not-member')).toContain('Hand over');
    const alone = (channel: string) =>
      wordsIn(
        notificationMessage(
          { kind: 'without-owner', digest: digest({ channel, state: 'paused' }), run: run() },
          'U00ADA0001',
        ).blocks,
      ).join('\n');
    expect(alone('C1')).toContain('Hand over');
    expect(alone('D00ADA0001')).not.toContain('Hand over');
    expect(alone('D00ADA0001')).toContain('to its owner’s direct messages, is paused.');
  });
});
