import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { completeRequest, findTitlesInService } from '../../src/runner/complete-request.js';
import type { ReportSource } from '../../src/runner/ports.js';
import { openStore } from '../../src/store/store.js';
import { propertyRuns } from '../property-runs.js';
import { freshFolder } from '../store/fresh-folder.js';

/*
 * Random companies: for a reader whose figures are protected, no title and no name comes back that too few people have,
 * whatever was asked and answered before.
 */

const folder = freshFolder();
const smallestGroup = 3;
const now = Date.parse('2026-11-23T09:00:00Z');
const asker = { id: 'U1', zone: 'UTC', email: 'ada@example.com' };

const titles = ['Alcohol at work', 'Alcohol and driving', 'Anger management', 'Fire safety', 'Fire drill'];
const departments = ['Sales', 'Sale', 'Labs', 'Legal', 'Regal'];

interface Row {
  readonly userid?: string | number | null | undefined;
  readonly email?: string | null | undefined;
  readonly departments: readonly string[];
  readonly content_id: string;
  readonly content_title: string;
}

/** People are named by user ID, by address, or by both. */
const anyRow: fc.Arbitrary<Row> = fc
  .record({
    person: fc.integer({ min: 0, max: 6 }),
    named: fc.constantFrom('id', 'address', 'both', 'nobody'),
    department: fc.subarray(departments, { minLength: 1, maxLength: 2 }),
    title: fc.integer({ min: 0, max: titles.length - 1 }),
  })
  .map(({ person, named, department, title }) => ({
    userid: named === 'id' || named === 'both' ? person : null,
    email: named === 'address' || named === 'both' ? `P${person}@example.com` : undefined,
    departments: department,
    content_id: `c${title}`,
    content_title: titles[title] ?? '',
  }));

/** The most people that rows can be about: keys that some row joins are one person. */
function peopleIn(rows: readonly Row[], company: readonly Row[]): number {
  const joined = new Map<string, string>();
  const rootOf = (key: string): string => {
    const parent = joined.get(key);
    return parent === undefined ? key : rootOf(parent);
  };
  const keysOf = ({ userid, email }: Row) =>
    [userid ?? undefined, email?.toLowerCase()].filter((key) => key !== undefined).map(String);
  for (const row of company) {
    const [one, other] = keysOf(row).map(rootOf);
    if (one !== undefined && other !== undefined && one !== other) joined.set(one, other);
  }
  return new Set(rows.flatMap(keysOf).map(rootOf)).size;
}

const anyQuestion = fc.record({
  text: fc.oneof(
    fc.constantFrom(...titles, 'alcohol', 'a', 'fier', 'c0', 'c3', 'angr managment', 'Fire'),
    fc.string({ maxLength: 6 }),
  ),
  department: fc.option(fc.constantFrom(...departments, 'Sals', 'Lab', 'Legl'), { nil: undefined }),
  isProtected: fc.boolean(),
});

function requestOf({ text, department }: { text: string; department?: string | undefined }): ReportRequest {
  const filters =
    department === undefined ? [] : [{ object: 'user_filter', member: 'departments', entries: [department] }];
  return { ...plainRequest('assignments'), filters, titles: [{ option: 'content', text }] };
}

describe('names and titles', () => {
  it('that too few people have never come back to a protected reader', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { maxLength: 25 }),
        fc.array(anyQuestion, { minLength: 1, maxLength: 5 }),
        async (company, questions) => {
          const store = await openStore(folder.databaseWithTables(), () => now);
          const source: ReportSource = {
            async read({ body }, plan) {
              const user = body.user_filter as { departments?: string } | undefined;
              const found = company.filter(
                (row) => user?.departments === undefined || row.departments.includes(user.departments),
              );
              const reading = new AnswerStream(plan, startCounting);
              await reading.beginAnswer();
              await reading.write(Buffer.from(JSON.stringify(found)));
              await reading.endAnswer();
              return reading.finish();
            },
          };
          const isRare = (has: (row: Row) => boolean) =>
            peopleIn(company.filter(has), company) < smallestGroup;
          try {
            for (const question of questions) {
              const minPeople = question.isProtected ? smallestGroup : 1;
              const scope = { ...unlimitedScope, smallestGroup: minPeople };
              const request = requestOf(question);
              const completion = await completeRequest(
                request,
                {
                  minPeople,
                  async findTitles(choices) {
                    const { matches, values, isLook } = await findTitlesInService(
                      request,
                      choices,
                      { asker, requestedAt: now, scope, minPeople, signal: new AbortController().signal },
                      { source, weekStart: 'monday' },
                    );
                    await store.suggestions.add(values, now, isLook);
                    return matches;
                  },
                },
                { suggestions: store.suggestions },
              );
              if (!question.isProtected) continue;
              const typed = JSON.stringify(request);
              const told = JSON.stringify([
                completion,
                await store.suggestions.all(['departments', 'content_id'], minPeople),
                await store.suggestions.find(['content_id'], question.text, 9, minPeople),
              ]).replaceAll(typed.slice(1, -1), '');
              for (const [index, title] of titles.entries()) {
                if (typed.includes(JSON.stringify(title)) || !told.includes(JSON.stringify(title))) continue;
                expect(
                  isRare((row) => row.content_id === `c${index}`),
                  title,
                ).toBe(false);
              }
              for (const name of departments) {
                if (typed.includes(JSON.stringify(name)) || !told.includes(JSON.stringify(name))) continue;
                expect(
                  isRare((row) => row.departments.includes(name)),
                  name,
                ).toBe(false);
              }
            }
          } finally {
            await store.close();
          }
        },
      ),
      { numRuns: propertyRuns(120) },
    );
  });
});
