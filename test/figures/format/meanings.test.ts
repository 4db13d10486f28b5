import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allReports } from '../../../src/catalogue/index.js';
import { meanings, meaningsForAll } from '../../../src/figures/format/meanings.js';
import { fieldsToCount, startCounting } from '../../../src/figures/reports/count-report.js';
import { nameOf, planFor, sixRequests } from '../fixed-answers.js';

const page = readFileSync(new URL('../../../docs/figures.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');

describe('what the figures mean', () => {
  test.each(sixRequests.map((request) => [nameOf(request), request] as const))(
    'every figure of %s has its meaning',
    (_, request) => {
      const plan = planFor(request);
      const labels = startCounting(plan, fieldsToCount(plan))
        .finish()
        .figures.map(({ label }) => label);
      expect(meanings[request.report].map(({ term }) => term)).toEqual(expect.arrayContaining(labels));
    },
  );

  test.each(allReports.map((report) => [report.title, report.name] as const))(
    'the page says the same of %s',
    (_, name) => {
      for (const { term, sentence } of [...meanings[name], ...meaningsForAll])
        expect(page).toContain(`**${term}**: ${sentence}`);
    },
  );
});
