import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, randomFor } from '../../../playground/reporting-service/generator/random.js';
import { allReports, type ReportName } from '../../../src/catalogue/index.js';
import { generatedWorld, type WorldInArrays } from './generated-world.js';
import { ask, day, everyFlag, friday, type JsonRecord, startService } from './service.js';

let made: WorldInArrays;
beforeAll(async () => {
  made = await generatedWorld({ seed: 1, learners: 400, now: friday });
});
afterAll(() => made.service.stop());

function rows(report: ReportName, body: JsonRecord, from = 0, until = friday + 400 * day) {
  return ask(made.service, report, { from, until, body });
}

const share = (records: readonly JsonRecord[], holds: (record: JsonRecord) => boolean) =>
  records.filter(holds).length / records.length;

describe('the generated organization', () => {
  it('has the requested number of people, who joined years ago to last month', async () => {
    const people = await rows('engagement', everyFlag('engagement'), friday - 420 * day, friday);
    expect(people).toHaveLength(400);
    expect(new Set(people.map(({ email }) => email)).size).toBe(400);
    const hired = people.map(({ hired_on }) => Date.parse(String(hired_on ?? '2000-01-01')) / 1000);
    expect(hired.filter((at) => at > friday - 35 * day).length).toBeGreaterThan(3);
    expect(hired.filter((at) => at < friday - 3 * 365 * day).length).toBeGreaterThan(50);
    expect(Math.max(...hired)).toBeLessThanOrEqual(friday);
    const quiet = share(people, ({ last_login }) => last_login === null);
    expect(quiet).toBeGreaterThan(0.02);
    expect(quiet).toBeLessThan(0.2);
    const suspended = share(people, (person) => person.suspended === true);
    expect(suspended).toBeGreaterThan(0.01);
    expect(suspended).toBeLessThan(0.15);
    for (const person of people) expect(person.suspended_on !== null).toBe(person.suspended);
    expect(people.filter(({ is_manager }) => is_manager === true).length).toBeGreaterThan(20);
  });

  it('has names in many languages and scripts, and awkward ones', async () => {
    const people = await rows('engagement', everyFlag('engagement'), 0, 1);
    const said = JSON.stringify(people);
    for (const script of [
      'Latin',
      'Cyrillic',
      'Greek',
      'Arabic',
      'Devanagari',
      'Han',
      'Hangul',
      'Hiragana',
    ]) {
      expect(said).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    }
    const titles = JSON.stringify(await rows('completions', { content: true, content_metadata: true }));
    for (const awkward of ['\\"', ', ', "'", '<', '&', '=', '🚀']) expect(said).toContain(awkward);
    for (const awkward of ['\\"', ', ', '🎣', '=SUM()', '; ']) expect(titles).toContain(awkward);
  });

  it('has a few very active people and many quiet ones', async () => {
    const people = await rows('engagement', { sessions: true }, friday - 90 * day, friday);
    const sessions = people.map((person) => Number(person.sessions)).sort((a, b) => b - a);
    const total = sessions.reduce((sum, count) => sum + count, 0);
    const top = sessions.slice(0, 40).reduce((sum, count) => sum + count, 0);
    expect(top / total).toBeGreaterThan(0.25);
    expect(share(people, (person) => Number(person.sessions) === 0)).toBeGreaterThan(0.05);
  });

  it('is active on working days, and less in August than in September', async () => {
    const sessions = made.tables.events.filter(({ kind }) => kind === 'signed_in');
    const on = (pick: (date: Date) => boolean) =>
      sessions.filter(({ at }) => pick(new Date(at * 1000))).length;
    expect(on((date) => date.getUTCDay() === 0)).toBeLessThan(on((date) => date.getUTCDay() === 2) / 4);
    expect(on((date) => date.getUTCMonth() === 7)).toBeLessThan(on((date) => date.getUTCMonth() === 8));
  });

  it('completes assignments on time, late, never, or by a manager', async () => {
    const given = await rows('assignments', everyFlag('assignments'), 0, friday - 60 * day);
    const due = given.filter(({ due_date }) => due_date !== null);
    const lead = ({ completed_date, due_date }: JsonRecord) =>
      (Date.parse(String(due_date)) - Date.parse(String(completed_date))) / 86_400_000;
    expect(share(due, (row) => row.completed_date !== null)).toBeGreaterThan(0.6);
    expect(share(due, (row) => lead(row) >= 0 && lead(row) < 3)).toBeGreaterThan(0.15);
    expect(share(due, (row) => lead(row) < 0)).toBeGreaterThan(0.05);
    expect(share(due, (row) => row.completed_date === null)).toBeGreaterThan(0.05);
    expect(share(given, (row) => row.manual_completed_by !== null)).toBeGreaterThan(0.01);
    expect(share(given, (row) => row.due_date === null)).toBeGreaterThan(0.01);
    expect(new Set(given.map((row) => row.assignment_status))).toEqual(
      new Set(['assigned', 'in_progress', 'completed']),
    );
  });

  it('passes, fails, repeats and waits for grading', async () => {
    const results = await rows('assessments', everyFlag('assessments'));
    expect(new Set(results.map((row) => row.assessment_status))).toEqual(
      new Set(['not_started', 'in_progress', 'waiting_for_grading', 'passed', 'failed']),
    );
    expect(share(results, (row) => Number(row.assessment_attempts) > 1)).toBeGreaterThan(0.05);
    expect(new Set((await rows('tracks', { track_status: true })).map((row) => row.track_status))).toEqual(
      new Set(['not_started', 'in_progress', 'completed']),
    );
  });

  it('has workshops with waitlists, cancellations, absences and late attendance records', async () => {
    const sessions = await rows('workshops', everyFlag('workshops'));
    expect(new Set(sessions.map((row) => row.workshop_status))).toEqual(
      new Set(['scheduled', 'completed', 'canceled']),
    );
    const some = (holds: (row: JsonRecord) => boolean) =>
      expect(sessions.filter(holds).length).toBeGreaterThan(0);
    some((row) => row.registered_seats === row.offered_seats);
    some((row) => row.offered_seats === null);
    some((row) => Number(row.total_absentees) > 0);
    some((row) => Number(row.canceled_registrations) > 0);
    some((row) => row.waitlist_enabled === false);
    some((row) => row.archived === true);
    const waited = made.tables.events.filter(({ kind }) => kind === 'waitlist_joined');
    const passedOn = made.tables.events.filter(({ kind }) => kind === 'seat_passed_on');
    expect(waited.length).toBeGreaterThan(passedOn.length);
    expect(passedOn.length).toBeGreaterThan(0);
    const ends = new Map(made.tables.instances.map((instance) => [instance.id, instance.ends_at]));
    const late = made.tables.events.filter(
      ({ kind, at, instance }) => kind === 'attended' && at > (ends.get(instance ?? 0) ?? 0) + day,
    );
    expect(late.length).toBeGreaterThan(0);
  });
});

describe('at any moment', () => {
  it('last week has data, in every report', async () => {
    const monday = friday - 4 * day;
    for (const now of [monday, friday, friday + 2 * day + 13 * 3600, Date.UTC(2026, 0, 1, 0, 0, 1) / 1000]) {
      const service = await startService({ learners: 120, now: () => now * 1000 });
      const midnight = Math.floor(now / day) * day;
      const thisMonday = midnight - ((Math.floor(midnight / day) + 3) % 7) * day;
      const lastWeek = { from: thisMonday - 7 * day, until: thisMonday };
      for (const { name } of allReports.filter((report) => report.name !== 'workshops')) {
        expect((await ask(service, name, lastWeek)).length, `${name} at ${now}`).toBeGreaterThan(0);
      }
      const people = await ask(service, 'engagement', { ...lastWeek, body: { sessions: true } });
      expect(people.some(({ sessions }) => Number(sessions) > 0)).toBe(true);
      await service.stop();
    }
  });

  it('answers contain nothing from the future except plans', async () => {
    const plans = new Set(['due_date', 'workshop_start_date', 'workshop_end_date', 'due_at']);
    const ahead: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -300 * day, max: 60 * day }), async (elapsed) => {
        made.now = friday + elapsed;
        for (const { name } of allReports) {
          for (const record of await rows(name, everyFlag(name), made.now - 30 * day, made.now + 365 * day)) {
            JSON.stringify(record, (key, value) => {
              const instant =
                typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) / 1000 : 0;
              if (instant > made.now && !plans.has(key)) ahead.push(`${name} ${key} ${value}`);
              return value;
            });
          }
        }
      }),
      { numRuns: 6 },
    );
    made.now = friday;
    expect(ahead).toEqual([]);
  });

  it('there are new events each week for the next eight weeks', async () => {
    let before = 0;
    for (let weeks = 0; weeks <= 8; weeks += 1) {
      made.now = friday + weeks * 7 * day;
      const sessions = await rows('engagement', { sessions: true }, made.now - 7 * day, made.now);
      expect(sessions.reduce((sum, row) => sum + Number(row.sessions), 0)).toBeGreaterThan(50);
      const people = sessions.length;
      expect(people).toBeGreaterThanOrEqual(before);
      before = people;
    }
    expect(before).toBeGreaterThan(400);
    made.now = friday;
  });
});

describe('any size', () => {
  it.each([1, 2, 3, 7])('even %i', async (learners) => {
    const service = await startService({ learners });
    expect(await ask(service, 'engagement')).toHaveLength(learners);
    for (const { name } of allReports) await ask(service, name, { body: everyFlag(name) });
    await service.stop();
  });
});

describe('random numbers', () => {
  it('depend on the subject', () => {
    const draw = (...subject: string[]) => Array.from({ length: 5 }, randomFor(1, ...subject).share);
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
  });

  it('stay within their limits', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, low, extent) => {
        const random = randomFor(seed, 'x');
        const whole = random.whole(low, low + extent);
        expect(whole).toBeGreaterThanOrEqual(low);
        expect(whole).toBeLessThanOrEqual(low + extent);
        expect(random.share()).toBeLessThan(1);
        expect(random.some([1, 2, 3], 2)).toHaveLength(2);
        expect(random.count(extent)).toBeGreaterThanOrEqual(0);
        expect(['a', 'b']).toContain(
          random.weighted([
            ['a', 1],
            ['b', 3],
            ['c', 0],
          ]),
        );
      }),
    );
  });

  it('have the expected mean', () => {
    const random = randomFor(1, 'count');
    for (const mean of [0.2, 3, 80]) {
      let sum = 0;
      for (let draw = 0; draw < 4000; draw += 1) sum += random.count(mean);
      expect(Math.abs(sum / 4000 - mean)).toBeLessThan(0.1 * mean + 0.05);
    }
  });

  it('make unique identifiers of 24 hexadecimal characters', () => {
    const made = new Set(Array.from({ length: 20_000 }, (_, index) => identifier(1, 'person', index)));
    expect(made.size).toBe(20_000);
    for (const each of made) expect(each).toMatch(/^[0-9a-f]{24}$/);
  });
});
