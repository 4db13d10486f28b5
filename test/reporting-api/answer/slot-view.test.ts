import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastHash } from '../../../src/figures/hash.js';
import type { RecordView } from '../../../src/figures/record-view.js';
import { ObjectReader } from '../../../src/reporting-api/answer/object-reader.js';
import { RecordStream } from '../../../src/reporting-api/answer/record-stream.js';
import { SlotView } from '../../../src/reporting-api/answer/slot-view.js';
import { propertyRuns } from '../../property-runs.js';
import { type PlainObject, parsePlainJson } from './plain-json.js';
import { plainRecord } from './plain-record.js';
import { anyAnswer, anyValue, flags } from './random-answers.js';

const fields = flags.slice(0, 4);
const memberNames = ['id', 'name', 'title', 'group_id', 'é', '=x', '', '\ud800', '__proto__', 'never'];

/** All values of a record view. */
function everything(view: RecordView): unknown {
  return fields.map((_, field) => ({
    missing: view.isMissing(field),
    isText: view.isText(field),
    number: view.number(field),
    instant: view.instant(field),
    day: view.isDayOnly(field),
    yes: view.yesOrNo(field),
    text: view.text(field),
    hashes: [false, true].map((inLowerCase) => view.hashText(field, inLowerCase) && { ...lastHash }),
    entries: view.entries(field),
    members: memberNames.map((name) => {
      const member = view.member(field, name);
      return [member.instant(), member.isDayOnly(), member.text()];
    }),
  }));
}

/** The values of the fast view for each record of an answer. */
function readAll(answer: string): unknown[] {
  const reader = ObjectReader.ofRecords(fields);
  const stream = new RecordStream(reader);
  const view = new SlotView(reader);
  const found: unknown[] = [];
  stream.append(Buffer.from(answer));
  stream.close();
  while (stream.next()) found.push(everything(view));
  reader.scanner.release();
  return found;
}

function plainly(answer: string): unknown[] {
  const records = parsePlainJson(Buffer.from(answer).toString());
  if (!Array.isArray(records)) throw new Error('Not an array');
  return records.map((record) => everything(plainRecord(fields, record as PlainObject)));
}

const two = (most: number) =>
  fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));
const anyMoment = fc
  .tuple(
    fc.constantFrom('2026', '2024', '2000', '1900', '0001', '1969', '9999'),
    two(13),
    two(32),
    fc.constantFrom('', 'T', ' ', 't', '  '),
    two(25),
    two(60),
    fc.constantFrom('', ':00', ':59', ':60', ':61', ':07.5', ':07.123456', ':07,999'),
    fc.constantFrom(
      '',
      'Z',
      'z',
      '+02:00',
      '-0530',
      '+01',
      ' UTC',
      ' GMT',
      ' +0200',
      '+24:00',
      '+02:60',
      'CET',
    ),
  )
  .map(([year, month, day, separator, hour, minute, second, offset]) =>
    separator === ''
      ? `${year}-${month}-${day}`
      : `${year}-${month}-${day}${separator}${hour}:${minute}${second}${offset}`,
  );
const anyDigits = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '-', '+', '.'),
      fc.nat().map(String),
      fc.constantFrom('', '.', '.5', '.000', 'e3', 'E+2', 'e', '.5.5'),
    )
    .map((parts) => parts.join('')),
  fc.double().map(String),
  fc.bigInt().map(String),
);
const blank = fc.constantFrom('', ' ', '\u00a0', '\n', '\u2003 ');

describe('the view of a record', () => {
  it('gives the values of the plain view for any record', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        expect(readAll(answer)).toEqual(plainly(answer));
      }),
      { numRuns: propertyRuns(1000) },
    );
  }, 120_000);

  it('gives the values of the plain view for dates and numbers, as text or not', () => {
    fc.assert(
      fc.property(fc.oneof(anyMoment, anyDigits), blank, blank, (text, before, after) => {
        const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? text : 'null';
        const answer = `[{"alpha":${JSON.stringify(before + text + after)},"beta":${number},"gamma":{"id":${number},"title":${JSON.stringify(text)}}}]`;
        expect(readAll(answer)).toEqual(plainly(answer));
      }),
      { numRuns: propertyRuns(4000) },
    );
  }, 120_000);

  it('gives the same values for repeated text', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 5 }), (values) => {
        const answer = `[${[...values, ...values].map((value) => `{"beta":${value}}`).join()}]`;
        const said = readAll(answer);
        expect(said).toEqual(plainly(answer));
        expect(said.slice(0, values.length)).toEqual(said.slice(values.length));
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('finds members above the limit of five hundred', () => {
    const many = Array.from({ length: 700 }, (_, number) => `"m${number}":${number}`).join();
    const reader = ObjectReader.ofRecords(['alpha']);
    const stream = new RecordStream(reader);
    const view = new SlotView(reader);
    stream.append(Buffer.from(`[{"alpha":{${many}}},{"alpha":{"m3":"x"}}]`));
    expect(stream.next()).toBe(true);
    expect([view.member(0, 'm0').text(), view.member(0, 'm699').text()]).toEqual(['0', '699']);
    expect(view.member(0, 'm700').text()).toBeUndefined();
    expect(stream.next()).toBe(true);
    expect([view.member(0, 'm3').text(), view.member(0, 'm699').text()]).toEqual(['x', undefined]);
  });
});

describe('the JSON of a short list', () => {
  const jsonOf = (...values: string[]) => {
    const reader = ObjectReader.ofRecords(['list']);
    const stream = new RecordStream(reader);
    const view = new SlotView(reader);
    stream.append(Buffer.from(`[${values.map((value) => `{"list":${value}}`).join(',')}]`));
    stream.close();
    const found: (string | undefined)[] = [];
    while (stream.next()) found.push(view.rawList(0));
    return found;
  };

  it('is what was sent, blanks, escapes and digits included', () => {
    const lists = ['[]', '[ "a" ]', '["a","b"]', '["\\u0061", 1.0]', '["é"]', '[{"id":1}]'];
    expect(jsonOf(...lists, ...lists)).toEqual([...lists, ...lists]);
  });

  it('is not given for longer lists and other values', () => {
    const [short, long] = [`["${'x'.repeat(60)}"]`, `["${'x'.repeat(61)}"]`];
    expect(jsonOf(short, long, '"[1]"', '{"a":[1]}', 'null', '12', '""')).toEqual([
      short,
      ...Array(6).fill(undefined),
    ]);
  });

  it('is right for any lists in any order', () => {
    const anyList = fc.array(fc.oneof(fc.string({ maxLength: 8 }), fc.nat(99)), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(anyList, { maxLength: 50 }), (lists) => {
        const sent = lists.map((list) => JSON.stringify(list));
        const expected = sent.map((json) => (Buffer.byteLength(json) <= 64 ? json : undefined));
        expect(jsonOf(...sent)).toEqual(expected);
      }),
    );
  });
});
