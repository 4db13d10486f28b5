import { describe, expect, it } from 'vitest';
import {
  describeFailureCode,
  Failure,
  type FailureCode,
  type FailureDetails,
  failures,
  operatorTextOf,
  textsOf,
} from '../../src/errors/failure.js';
import { operatorFailures } from '../../src/errors/operator-failures.js';

/** A person in details, whom only the texts for the asker may name. */
const person = 'zz-marked-person@example.com';

/** Details for each code of the table: a new code does not compile without them. */
const samples: { readonly [Code in FailureCode]: FailureDetails<Code> } = {
  'service-unreachable': { reason: 'refused', systemCode: 'ECONNREFUSED' },
  'connection-lost': { afterFirstByte: true },
  'service-timed-out': { idleTimeoutMs: 60_000, afterFirstByte: false },
  'token-refused': { status: 401 },
  'no-such-report': {},
  'query-refused': { status: 422, serviceMessage: `${person} is unknown` },
  'service-broken': { status: 503, retryAfterMs: 1000 },
  'too-many-requests': { retryAfterMs: 1000 },
  'wait-too-long': { waitMs: 600_000 },
  'service-redirects': { status: 302 },
  'empty-answer': { status: 204 },
  'damaged-answer': { cutShort: false },
  'answer-not-json': { record: 3 },
  'answer-not-an-array': {},
  'record-not-an-object': { record: 3 },
  'answer-cut-short': { records: 3 },
  'answer-goes-on': { records: 3 },
  'record-too-big': { record: 3, limit: 'bytes', maximum: 100 },
  'answer-too-large': { maxBytes: 2e9 },
  'rows-outside-scope': {},
  'reading-thread-died': { reason: 'ERR_WORKER_OUT_OF_MEMORY' },
  cancelled: {},
  stopped: {},
  'range-refused': { words: person, because: 'That is not a range.' },
  'line-refused': { because: 'Its saved report no longer exists.' },
  'target-passed': { because: 'The target’s date has passed.' },
  'range-too-long': { operation: 'track-status', days: 1, maximumDays: 30 },
  'unknown-name': { object: 'user_filter', member: 'email', entry: person, nearest: [person] },
  'asker-has-no-address': {},
  'empty-team': { managers: person, isOwn: false },
  'title-undecided': { title: person },
  'person-erased': {},
  'too-large-for-excel': { limit: 'rows' },
  'too-many-rows-to-compare': { maximum: 1_000_000 },
  'managers-not-approved': { readers: 41, most: 25 },
  'alert-refused': { sentence: 'There is no figure “gone”.' },
  'over-time-refused': { sentence: 'There is no figure “views”.' },
  'file-not-written': { reason: 'ENOSPC' },
  'export-not-recorded': {},
  'access-refused': {
    refusal: { kind: 'nothing', admins: [person] },
    level: 'nothing',
    sentence: `Ask ${person}.`,
  },
  'asker-refused': { sentence: 'You are a guest here.' },
  'access-changed': {},
  'data-erased': {},
  'answer-not-posted': { reason: 'is_archived' },
  'file-not-shared': { reason: 'ratelimited', mayHaveArrived: false, retryAfterSeconds: 30 },
  'slack-refused': { reason: 'not_in_channel' },
  'owner-left': {},
  'owner-may-not-ask': {},
  'owner-not-member': {},
  'owner-level-unknown': {},
  'owner-not-described': {},
  'channel-not-described': {},
  'no-file': {},
  'no-purpose': {},
  deleted: {},
  unreadable: { id: 'a1' },
  'bad-config': { problems: [{ sentence: 'PORT is invalid: set it to a whole number.' }] },
  'slack-token-refused': { variable: 'SLACK_BOT_TOKEN', reason: 'invalid_auth' },
  'cannot-listen': { host: '127.0.0.1', port: 3000, reason: 'EADDRINUSE' },
  'wrong-usage': { sentence: 'Use either --all or a person.' },
  'evidence-unreadable': { path: 'evidence.zip', reason: 'ENOENT' },
  'run-words-refused': { sentence: 'One run writes one file. Use --csv or --xlsx.' },
  'database-unusable': { path: 'A.db', reason: 'SQLITE_FULL', trouble: 'full' },
  'database-too-new': { path: 'A.db', found: 3, known: 2 },
  'database-of-another-workspace': { path: 'A.db', found: 'T1', wanted: 'T2' },
  'database-in-use': { path: 'A.db' },
  'database-not-compacted': { reason: 'busy' },
  'backup-exists': { path: 'A.db' },
  'target-not-empty': { path: 'A.db' },
  'copy-differs': { path: 'A.db', table: 'posts', wanted: 3, found: 2 },
  'record-key-unusable': { path: 'A.key', reason: 'it is empty' },
  'record-key-differs': { isInUse: false },
  'not-leading': {},
  'post-erased': {},
};

const codes = Object.keys(failures) as FailureCode[];
const sampleOf = (code: FailureCode) => new Failure(code, samples[code]);
/** One sentence or more, with nothing that was not filled in. */
const sentences = /^[\p{Lu}“](?!.*(?:undefined|null|NaN|\[object| {2}| $)).*[.?”]$/u;

/** These end what nobody waits for. */
const inner: readonly string[] = ['not-leading', 'post-erased'];
const forOperators = codes.filter((code) => code in operatorFailures && !inner.includes(code));
const forAskers = codes.filter((code) => code === 'database-unusable' || !(code in operatorFailures));

it.each(forOperators)('the failure %s has a text for the terminal', (code) => {
  expect(operatorTextOf(sampleOf(code))).toMatch(sentences);
});

describe.each(forAskers)('the failure %s', (code) => {
  const texts = textsOf(sampleOf(code), { asTyped: (range) => range });

  it('has a text for its asker, and one for the history of a digest', () => {
    expect(texts?.sentence).toMatch(sentences);
    expect(texts?.reason).toMatch(sentences);
  });

  it('has a text for other readers, without details', () => {
    const others = describeFailureCode(code);
    expect(others).toMatch(sentences);
    expect(others).not.toContain(person);
  });

  it('quotes people to the asker alone where its filters name them', () => {
    const quotes = texts?.reason.includes(person) && code !== 'range-refused';
    expect(texts?.quotesFilters).toBe(quotes);
  });
});

it.each(codes)('the failure %s shows a logger its code and a message, and no details', (code) => {
  const error = sampleOf(code);
  expect(error.code).toBe(code);
  expect(error.message).not.toBe('');
  expect(JSON.stringify([error, error.message])).not.toContain(person);
  expect(Object.keys(error)).not.toContain('details');
});

it('a code is a plain name', () => {
  expect(codes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
});

it('an unknown code has no text', () => {
  expect(describeFailureCode('toString')).toBeUndefined();
  expect(describeFailureCode('no-such-code')).toBeUndefined();
});
