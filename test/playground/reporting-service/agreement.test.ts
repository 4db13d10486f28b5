import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { allReports, reportNamed } from '../../../src/catalogue/index.js';
import { propertyRuns } from '../../property-runs.js';
import { generatedWorld, type WorldInArrays } from './generated-world.js';
import { naiveAnswer } from './naive/answer.js';
import { edges, questions } from './queries.js';
import { ask, day, everyFlag, friday } from './service.js';

const worlds = new Map<string, Promise<WorldInArrays>>();

function world(seed: number, learners: number): Promise<WorldInArrays> {
  const key = `${seed}/${learners}`;
  const made = worlds.get(key) ?? generatedWorld({ seed, learners, now: friday });
  worlds.set(key, made);
  return made;
}

afterAll(async () => {
  for (const made of worlds.values()) await (await made).service.stop();
});

/** JSON carries fifteen digits of an average, a double has more. */
function rounded(records: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(records), (_, value) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  );
}

async function expectAgreement(made: WorldInArrays, question: Parameters<typeof naiveAnswer>[1]) {
  const { report, from, until, body } = question;
  const answered = await ask(made.service, report.name, { from, until, body });
  expect(rounded(answered)).toEqual(rounded(naiveAnswer(made.tables, question, made.now)));
  return answered.length;
}

describe('the SQL and a second, naive implementation', () => {
  it.each(allReports.map(({ name }) => name))('agree on every field and date of %s', async (name) => {
    const made = await world(7, 18);
    const report = reportNamed(name);
    const targets = report.dateField?.choices.map(({ flag }) => flag) ?? [];
    for (const target of [undefined, ...targets]) {
      const body = { ...everyFlag(name), ...(target === undefined ? {} : { range_target: target }) };
      const question = { report, from: friday - 800 * day, until: friday + 90 * day, body };
      expect(await expectAgreement(made, question)).toBeGreaterThan(2);
    }
  });

  it('agree on every boundary of ranges and times', async () => {
    const made = await world(7, 18);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...allReports),
        fc.tuple(edges(made.tables), edges(made.tables), edges(made.tables)),
        async (report, instants) => {
          const [from = 0, until = 0, now = 0] = [...instants].sort((a, b) => a - b);
          made.now = now;
          for (const [start, end] of [
            [from, until],
            [from, now],
            [until, now + 1],
          ] as const) {
            await expectAgreement(made, { report, from: start, until: end, body: everyFlag(report.name) });
          }
        },
      ),
      { numRuns: propertyRuns(40) },
    );
    made.now = friday;
  });

  it('agree on seats of workshops', async () => {
    const made = await world(12, 80);
    const joined = made.tables.events.filter(
      ({ kind, at }) => (kind === 'waitlist_left' || kind === 'seat_passed_on') && at < friday + 56 * day,
    );
    expect(new Set(joined.map(({ kind }) => kind)).size).toBe(2);
    for (const weeks of [-20, 0, 8]) {
      made.now = friday + weeks * 7 * day;
      const question = {
        report: reportNamed('workshops'),
        from: 0,
        until: friday + 400 * day,
        body: everyFlag('workshops'),
      };
      expect(await expectAgreement(made, question)).toBeGreaterThan(20);
    }
  });

  it('agree on every order of completions', async () => {
    const made = await world(7, 18);
    const report = reportNamed('completions');
    for (const sort_by of report.sorts) {
      const body = { content: true, email: true, sort_by };
      const question = { report, from: friday - 60 * day, until: friday, body };
      expect(await expectAgreement(made, question)).toBeGreaterThan(20);
    }
  });

  it.each([
    [1, 3],
    [2, 12],
    [3, 25],
  ])('agree on any question to world %i of %i people, at any moment', async (seed, learners) => {
    const made = await world(seed, learners);
    let [answers, empty] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        questions(made.tables, friday),
        fc.oneof(fc.integer({ min: friday - 400 * day, max: friday + 60 * day }), edges(made.tables)),
        async (question, now) => {
          made.now = now;
          answers += 1;
          if ((await expectAgreement(made, question)) === 0) empty += 1;
        },
      ),
      { numRuns: propertyRuns(40) },
    );
    // Two empty answers would agree as well. How many are empty is chance.
    expect(answers - empty).toBeGreaterThan(learners > 20 ? 0 : -1);
  });
});
