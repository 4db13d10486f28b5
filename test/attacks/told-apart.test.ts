import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type RunningReportingService,
  startReportingService,
} from '../../playground/reporting-service/reporting-service.js';
import { allReports, hasLearners } from '../../src/catalogue/index.js';
import { EntryNeighbours, fieldsOfNeighbours } from '../../src/figures/neighbours.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { type FilterChoice, plainRequest } from '../../src/requests/request.js';
import { fieldsOfPeople, neighbourFilters } from '../../src/runner/neighbour-filters.js';
import { LatestPeople } from '../../src/runner/people-index-builder.js';
import { ask, friday, type JsonRecord } from '../playground/reporting-service/service.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';

const secret = [1, 2, 3, 4] as const;

/*
 * The count that an attacker would make: every question with at most two filters, answered or refused by the rule itself,
 * and each two of the answered ones subtracted from each other.
 */

const smallestGroup = 5;
const learners = 400;

/** A filter with the people who match it, as bits. */
interface Filter extends FilterChoice {
  readonly people: Bits;
}

type Bits = Int32Array;

interface Question {
  readonly filters: readonly Filter[];
  readonly people: Bits;
  readonly size: number;
}

let service: RunningReportingService;
let rows: readonly JsonRecord[] = [];
let everybody: Bits;
const look = new LatestPeople(secret);

beforeAll(async () => {
  service = await startReportingService({ learners, seed: 1, now: () => friday * 1000 });
  for (const report of allReports.filter(hasLearners)) {
    const fields = fieldsOfPeople(report);
    const records = await ask(service, report.name, {
      body: Object.fromEntries(fields.map((flag) => [flag, true])),
    });
    const reading = look.begin(report.name, fields);
    for (const record of records) reading.add(plainRecord(fields, record));
    reading.end();
    if (report.name === 'engagement') rows = records;
  }
  everybody = bitsOf(rows.keys());
});

afterAll(() => service.stop());

const words = Math.ceil(learners / 32) + 1;

function bitsOf(positions: Iterable<number>): Bits {
  const bits = new Int32Array(words);
  for (const at of positions) bits[at >> 5] = (bits[at >> 5] as number) | (1 << (at & 31));
  return bits;
}

const both = (a: Bits, b: Bits) => a.map((word, i) => word & (b[i] as number));
const either = (a: Bits, b: Bits) => a.map((word, i) => word | (b[i] as number));
const without = (a: Bits, b: Bits) => a.map((word, i) => word & ~(b[i] as number));

/** A loop, since it compares millions. */
function contains(a: Bits, b: Bits): boolean {
  for (let i = 0; i < words; i++) if (((b[i] as number) & ~(a[i] as number)) !== 0) return false;
  return true;
}

function sizeOf(bits: Bits): number {
  let size = 0;
  for (let word of bits) for (; word !== 0; word &= word - 1) size += 1;
  return size;
}

/** The values of a member with their people. */
function valuesOf(member: string): readonly { readonly name: string; readonly people: Bits }[] {
  const positions = new Map<string, number[]>();
  rows.forEach((row, i) => {
    const value = row[member];
    for (const name of Array.isArray(value) ? value : [value]) {
      if (typeof name !== 'string' && typeof name !== 'boolean') continue;
      const known = positions.get(String(name)) ?? [];
      known.push(i);
      positions.set(String(name), known);
    }
  });
  return [...positions].map(([name, of]) => ({ name, people: bitsOf(of) }));
}

interface Filters {
  readonly single: readonly Filter[];
  readonly several: readonly Filter[];
}

/** One value, two, all but one, all but two. */
function filtersOn(member: string): Filters {
  const values = valuesOf(member);
  const filter = (chosen: typeof values): Filter => ({
    object: 'user_filter',
    member,
    entries: chosen.map(({ name }) => name),
    people: chosen.reduce((all, { people }) => either(all, people), bitsOf([])),
  });
  const pairs = values.flatMap((one, i) => values.slice(i + 1).map((other) => [one, other]));
  const but = (left: typeof values) => values.filter((value) => !left.includes(value));
  const several = [...values.map((one) => but([one])), ...pairs, ...pairs.map(but)];
  return {
    single: values.map((one) => filter([one])),
    several: several.filter(({ length }) => length > 1 && length < values.length).map(filter),
  };
}

function questionOf(filters: readonly Filter[]): Question {
  const people = filters.reduce((all, filter) => both(all, filter.people), everybody);
  return { filters, people, size: sizeOf(people) };
}

const pairsOf = (one: readonly Filter[], other: readonly Filter[]) =>
  one.flatMap((a) => other.map((b) => questionOf([a, b])));

/** True where the rule answers: enough people, and nobody or enough between it and each neighbour. */
function isAnswered({ filters, people, size }: Question): boolean {
  if (size < smallestGroup) return false;
  const compared = neighbourFilters({ ...plainRequest('engagement'), filters });
  const { answer } = look.differences({ report: 'engagement', filters: compared, smallestGroup });
  if (answer.some((between) => between > 0 && between < smallestGroup)) return false;
  const entries = new EntryNeighbours(compared, fieldsOfNeighbours(compared));
  if (entries.entries === 0) return true;
  const taken = new Uint32Array(entries.entries);
  const flags = new Uint8Array(entries.entries);
  records(fieldsOfNeighbours(compared)).forEach((record, i) => {
    if (((people[i >> 5] as number) & (1 << (i & 31))) === 0) return;
    entries.read(record, flags, 0);
    flags.forEach((flag, entry) => {
      taken[entry] = (taken[entry] as number) + flag;
    });
  });
  return taken.every((between) => between === 0 || between >= smallestGroup);
}

const recordsOf = new Map<string, ReturnType<typeof plainRecord>[]>();

function records(fields: readonly string[]): readonly ReturnType<typeof plainRecord>[] {
  const known = recordsOf.get(fields.join()) ?? rows.map((row) => plainRecord(fields, row));
  recordsOf.set(fields.join(), known);
  return known;
}

/** The people who are told apart by two answers: alone, or together with few others. */
function toldApart(questions: readonly Question[]): { readonly alone: number; readonly amongFew: number } {
  const different = [...new Map(questions.map((question) => [question.people.join(), question])).values()];
  const bySize: Question[][] = [];
  for (const question of different) {
    bySize[question.size] ??= [];
    bySize[question.size]?.push(question);
  }
  let alone = bitsOf([]);
  let amongFew = bitsOf([]);
  for (const wider of different) {
    for (let few = 1; few < smallestGroup; few++) {
      for (const narrower of bySize[wider.size - few] ?? []) {
        if (!contains(wider.people, narrower.people)) continue;
        const between = without(wider.people, narrower.people);
        amongFew = either(amongFew, between);
        if (few === 1) alone = either(alone, between);
      }
    }
  }
  return { alone: sizeOf(alone), amongFew: sizeOf(amongFew) };
}

/** Every question with at most two filters, of which one has one entry. Of the many teams, two or all but two stand alone. */
function everyQuestion(): readonly Question[] {
  const all = ['departments', 'locations', 'teams', 'groups'].map(filtersOn);
  const combined = all.map(({ single, several }) => ({
    single,
    several: several.length > 1000 ? several.slice(0, single.length) : several,
  }));
  return [
    questionOf([]),
    ...all.flatMap(({ single, several }) => [...single, ...several].map((filter) => questionOf([filter]))),
    ...combined.flatMap((one, i) =>
      combined
        .slice(i + 1)
        .flatMap((other) => [
          ...pairsOf(one.single, other.single),
          ...pairsOf(one.single, other.several),
          ...pairsOf(one.several, other.single),
        ]),
    ),
  ].filter(({ size }) => size >= smallestGroup);
}

test('nearly nobody is told apart by two answers, where most people were before', () => {
  const questions = everyQuestion();
  const answered = questions.filter(isAnswered);
  const before = toldApart(questions);
  const after = toldApart(answered);
  expect(before.alone).toBeGreaterThan(250);
  expect(before.amongFew).toBe(learners);
  expect(after.amongFew).toBeLessThanOrEqual(10);
  expect(answered.length).toBeGreaterThan(questions.length / 10);
}, 60_000);

/** The lines that a breakdown shows, with their people; the joined line stands for all others. */
function linesOf(filters: readonly Filter[], by: string, isProtected: boolean): readonly Question[] {
  const whole = questionOf(filters);
  const neighbours = isProtected ? neighbourFilters({ ...plainRequest('engagement'), filters }) : [];
  const plan: FiguresPlan = {
    report: 'engagement',
    by,
    people: false,
    now: friday * 1000,
    smallestGroup,
    neighbours,
    zone: 'UTC',
  };
  const fields = fieldsToCount(plan);
  const reading = startCounting(plan, fields, look);
  const isIn = (i: number) => ((whole.people[i >> 5] as number) & (1 << (i & 31))) !== 0;
  records(fields).forEach((record, i) => {
    if (isIn(i)) reading.add(record);
  });
  const { breakdown } = reading.finish();
  if (breakdown?.kind !== 'groups') return [];
  const firstOf = ({ [by]: value }: JsonRecord) => (Array.isArray(value) ? value[0] : value) ?? null;
  const shown = breakdown.rows.filter(({ joined }) => joined === undefined).map(({ label }) => label);
  const lines = shown.map((label) =>
    bitsOf([...rows.keys()].filter((i) => isIn(i) && firstOf(rows[i] as JsonRecord) === label)),
  );
  const rest = lines.reduce(without, whole.people);
  return [...lines, rest]
    .map((people) => ({ filters, people, size: sizeOf(people) }))
    .filter(({ size }) => size > 0);
}

test('hardly anybody is told apart by the lines of two breakdowns, where most people were before', () => {
  const filters = ['departments', 'locations', 'groups'].flatMap((member) => {
    const { single, several } = filtersOn(member);
    return [...single, ...several.slice(0, single.length)];
  });
  const asked = [[], ...filters.map((filter) => [filter])];
  const pool = (isProtected: boolean) =>
    asked.flatMap((chosen) => [
      ...(isProtected && !isAnswered(questionOf(chosen)) ? [] : [questionOf(chosen)]),
      ...['departments', 'locations', 'teams', 'job_title'].flatMap((by) => linesOf(chosen, by, isProtected)),
    ]);
  const before = toldApart(pool(false));
  const after = toldApart(pool(true));
  expect(before.amongFew).toBeGreaterThan(100);
  expect(after.alone).toBeLessThanOrEqual(10);
  expect(after.amongFew).toBeLessThan(before.amongFew / 10);
}, 60_000);

test('hardly any question that people ask is refused by the rule', () => {
  const refusedOf = (questions: readonly Question[]) => [
    questions.length,
    questions.filter((question) => question.size >= smallestGroup && !isAnswered(question)).length,
  ];
  const [departments, locations] = [filtersOn('departments'), filtersOn('locations')];
  const [asked, refused = 0] = refusedOf(pairsOf(departments.single, locations.single));
  expect(asked).toBe(160);
  expect(refused).toBeLessThanOrEqual(1);
  const two = departments.several.filter(({ entries }) => entries.length === 2);
  expect(refusedOf(two.map((filter) => questionOf([filter])))).toEqual([45, 0]);
});
