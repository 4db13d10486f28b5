import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessRefusal } from '../../../src/errors/request-failures.js';
import { parseCommand } from '../../../src/requests/parse-command.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { maxListedTitles, type Titled, TitleSearch } from '../../../src/requests/titles.js';
import { replaceEntry, titleChangeOf } from '../../../src/requests/typed-entry.js';
import { allowedInstead, entriesMessage, titlesMessage } from '../../../src/slack/messages/choices.js';
import { problemMessage } from '../../../src/slack/messages/notices.js';
import { propertyRuns } from '../../property-runs.js';
import { refusalOf } from '../../results.js';
import { renderedMessage } from './rendered.js';

const question = {
  report: 'assignments',
  typed: 'assignments departments:Sale teams:<b>',
  next: 'run',
} as const;
const choice = { option: 'content', text: 'gdpr' } as const;

function matches(text: string, titles: readonly Titled[]) {
  const search = new TitleSearch(text);
  for (const titled of titles) search.add(titled);
  return search.finish();
}

const numbered = (...titles: string[]): Titled[] =>
  titles.map((title, index) => ({ id: `c${index + 1}`, title }));

describe('a command with two files', () => {
  it.each([
    ['overdue csv xlsx', 'overdue csv', 'overdue xlsx'],
    ['schedule tracks xlsx csv daily 9', 'schedule tracks xlsx daily 9', 'schedule tracks csv daily 9'],
  ])('offers one with each: %s', (words, ...offered) => {
    const { blocks = [] } = problemMessage(refusalOf(parseCommand(words, { savedNames: [] })));
    const pressed = JSON.stringify(blocks);
    for (const command of offered) expect(pressed).toContain(`"value":"${command}"`);
  });
});

describe('the question about a title', () => {
  it('lists few of many, each with its command', () => {
    const many = numbered(...Array.from({ length: 12 }, (_, index) => `GDPR ${index + 10}`));
    const message = titlesMessage(
      { choice, matches: matches('gdpr', many) },
      ({ title }) => `assignments content:"${title}"`,
      question,
    );
    const shown = renderedMessage(message);
    expect(shown).toContain('12 titles match “gdpr”. Choose one, or type more of it.');
    expect(shown.match(/run_words/g)).toHaveLength(maxListedTitles);
    expect(message.text).toContain('/report assignments content:"GDPR 10"');
  });

  it.each([
    ['<!channel> *bold* `code`'],
    ['\u202Eesrever\u202C'],
    ['"quoted" “curly”'],
    ['x'.repeat(3_000)],
    ['a'.repeat(100)],
    ['😀'.repeat(100)],
  ])('shows the title %s as it is, within the limits of Slack', (title) => {
    const titles = numbered(title, title);
    const { text, blocks = [] } = titlesMessage(
      { choice: { option: 'content', text: title }, matches: matches(title, titles) },
      (titled) =>
        `assignments content:${titleChangeOf({ ...choice, text: title }, titled, matches(title, titles)).replacement}`,
      question,
    );
    expect(text).not.toContain('<!channel>');
    expect(text.length).toBeLessThanOrEqual(4_000);
    const labels = [...renderedMessage({ text, blocks }).matchAll(/^\[(.*): \w+ /gm)].map(
      ([, label]) => label,
    );
    expect(labels).toHaveLength(3);
    expect(new Set(labels).size).toBe(3);
    for (const label of labels) {
      expect(label?.length).toBeLessThanOrEqual(75);
      expect(label).not.toMatch(/[\u202a-\u202e]/);
    }
  });
});

describe('the question about entries', () => {
  it('names all of them, and offers the command put right and as typed', () => {
    const miss = { object: 'user_filter', member: 'departments', entry: 'Sale', near: 'Sales' };
    const message = entriesMessage(
      [miss, { ...miss, member: 'teams', entry: '<b>', near: '<B>' }],
      'assignments departments:Sales teams:<B>',
      question,
    );
    expect(renderedMessage(message)).toMatchInlineSnapshot(`
      "No answer has held “Sale” in Departments or “<b>” in Teams. Did you mean “Sales” and “<B>”?

      \`/report assignments departments:Sales teams:<B>\`

      [Run this: run_words assignments departments:Sales teams:<B>] [Run it as typed: run_as_typed assignments departments:Sale teams:<b>] [Open the form: open_builder assignments departments:Sale teams:<b>]"
    `);
    expect(message.text).not.toContain('<b>');
  });

  it('quotes a name of the service so that it does not end its own quotation', () => {
    const misses = [{ object: 'user_filter', member: 'teams', entry: 'A', near: 'A” Run “all' }];
    const message = entriesMessage(misses, 'assignments teams:A', question);
    expect(renderedMessage(message)).toContain("Did you mean “A' Run 'all”?");
  });

  it('has no button for a command that is too long for one', () => {
    const typed = `assignments departments:${'x'.repeat(2_000)}`;
    const misses = [{ object: 'user_filter', member: 'departments', entry: 'a', near: 'b' }];
    const shown = renderedMessage(entriesMessage(misses, typed, { ...question, typed }));
    expect(shown).not.toContain('run_words');
    expect(shown).toContain('Open the form');
  });
});

describe('a command with a chosen title', () => {
  it('names that thing alone, whatever its title', () => {
    const title = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 4 }), fc.nat(3), (titles, chosen) => {
        const things = numbered(...titles.map((text) => text.trim()));
        const thing = things[chosen % things.length];
        if (!thing) return;
        const typed = 'assignments last-week content:"some words" csv';
        const found = { found: things, count: things.length, nearest: [] };
        const words = replaceEntry(
          typed,
          titleChangeOf({ option: 'content', text: 'some words' }, thing, found),
        );
        const command = parseCommand(words ?? '', { savedNames: [] });
        if (!command.ok || command.value.kind !== 'run') throw new Error(`Not a request: ${words}`);
        const { request } = command.value;
        expect(request).toMatchObject({ range: 'last-week', file: 'csv' });
        const [typedTitle] = request.titles ?? [];
        expect(matches(typedTitle?.text ?? '', things).found).toEqual([thing]);
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('is left alone where no option of that name has the entry', () => {
    const change = { names: ['departments'], entry: 'Sale', replacement: 'Sales' };
    expect(replaceEntry('assignments teams:Sale', change)).toBeUndefined();
    expect(replaceEntry('assignments Departments: Sale , Ops', change)).toBe(
      'assignments Departments: Sales , Ops',
    );
  });
});

describe('instead of what a level does not allow', () => {
  const request: ReportRequest = {
    ...plainRequest('assignments'),
    showRows: true,
    file: 'csv',
    by: 'departments',
  };
  const refusal: AccessRefusal = {
    kind: 'totals-only',
    wants: ['rows', 'file'],
    noAddress: false,
    mayAskForSelf: true,
  };
  const offered = (more: Partial<typeof refusal> = {}) =>
    [...JSON.stringify(allowedInstead(request, { ...refusal, ...more })).matchAll(/"value":"([^"]+)"/g)].map(
      ([, command]) => command,
    );

  it('are the same totals, or the own records', () => {
    expect(offered()).toEqual(['assignments by:departments', 'assignments email:me by:departments rows csv']);
    expect(offered({ wants: ['breakdown'] })[0]).toBe('assignments');
    const ofAssistant = allowedInstead({ ...request, toMe: true, by: 'email' }, { kind: 'assistant' });
    expect(JSON.stringify(ofAssistant).match(/"value":"[^"]+"/g)).toEqual(['"value":"assignments"']);
    expect(offered({ mayAskForSelf: false })).toEqual(['assignments by:departments']);
  });

  it('is nothing where the filters are about others, or the whole report is refused', () => {
    expect(offered({ wants: ['filter', 'rows'] })).toEqual([]);
    expect(allowedInstead(request, { kind: 'nothing' })).toEqual([]);
    expect(allowedInstead(request, { kind: 'other-team' })).toEqual([]);
  });
});
