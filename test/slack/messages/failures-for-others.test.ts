import { describe, expect, it } from 'vitest';
import type { Digest, DigestRun } from '../../../src/digests/digest.js';
import { Failure } from '../../../src/errors/failure.js';
import { plainRequest } from '../../../src/requests/request.js';
import { digestBlocks, historyMessage } from '../../../src/slack/messages/digest-list.js';
import { notificationMessage } from '../../../src/slack/messages/digest-notifications.js';
import { describeFailure } from '../../../src/slack/messages/failures.js';

const mark = 'zz-marked-person@example.com';

const digest: Digest = {
  id: 'abcdefghjk',
  channel: 'C00LEARN01',
  owner: 'U00ADA0001',
  createdBy: 'U00NOAH001',
  request: plainRequest('engagement'),
  schedule: { cadence: { kind: 'daily', time: '09:00' }, zone: 'Europe/Berlin', firstDay: '2026-11-20' },
  skipEmpty: false,
  state: 'active',
  revision: 1,
  failures: 1,
  createdAt: 1_795_000_000_000,
};

const failed: DigestRun = {
  id: 'mnpqrstuvw',
  digest: digest.id,
  channel: digest.channel,
  dueAt: 1_795_000_000_000,
  state: 'failed',
  attempts: 1,
  rateLimited: 0,
  missed: 0,
  late: false,
  isByHand: false,
  fileState: 'none',
  errorCode: 'query-refused',
  reason: `It says: “${mark} is unknown”`,
};

/** Everything that shows why a run failed, as one person sees it. */
function shownTo(user: string): Record<string, string> {
  const reader = { user, seesPeople: true, mayChange: () => true, withChannel: true };
  const page = { items: [{ digest, last: failed }], from: 0, more: false };
  const shown = {
    'the list and the Home tab': digestBlocks(page, reader, String),
    'the history': historyMessage(digest, [failed], user, true),
    'a failed run': notificationMessage({ kind: 'failed', digest, run: failed }, user),
    'a failed file': notificationMessage({ kind: 'file-failed', digest, run: failed }, user),
    'a digest without an owner': notificationMessage({ kind: 'without-owner', digest, run: failed }, user),
  };
  return Object.fromEntries(
    Object.entries(shown).map(([where, content]) => [where, JSON.stringify(content)]),
  );
}

describe('why a run of a digest failed', () => {
  it('is told to its owner in the words of the service', () => {
    for (const [where, text] of Object.entries(shownTo(digest.owner))) expect(text, where).toContain(mark);
  });

  it.each(['U00NOAH001', 'U00BOB0001'])('is told to %s without words of the service', (user) => {
    for (const [where, text] of Object.entries(shownTo(user))) {
      expect(text, where).not.toContain(mark);
      expect(text, where).toContain('The Reporting Service did not accept this request.');
    }
  });
});

describe('a failure of a request with filters that somebody else chose', () => {
  it.each([
    [
      'the service quotes a filter',
      new Failure('query-refused', { status: 400, serviceMessage: `unknown: ${mark}` }),
    ],
    [
      'a name is not in the list of names',
      new Failure('unknown-name', { object: 'user_filter', member: 'email', entry: mark, nearest: [mark] }),
    ],
  ])('quotes none of them where %s', (_when, error) => {
    expect(describeFailure(error, 'r1').sentence).toContain(mark);
    const other = describeFailure(error, 'r1', { choseFilters: false });
    expect(JSON.stringify(other)).not.toContain(mark);
    expect(other.sentence).not.toBe('');
  });
});
