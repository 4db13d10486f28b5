import { describe, expect, it } from 'vitest';
import { allReports } from '../../src/catalogue/index.js';
import { cadenceWords } from '../../src/requests/cadence-words.js';
import {
  cadenceLines,
  conditionLines,
  firstExamples,
  futureRangeLines,
  type Help,
  helpFor,
  rangeLines,
} from '../../src/requests/help.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { parseRangeWords } from '../../src/requests/range-words.js';
import { subcommands } from '../../src/requests/vocabulary.js';
import { accepted } from '../results.js';

const nothingSaved = { savedNames: [] };

function typedIn(help: Help): readonly string[] {
  return help.sections.flatMap(({ lines }) => lines.map(({ syntax }) => syntax));
}

function kindOf(text: string): string {
  const command = parseCommand(text, nothingSaved);
  return command.ok ? command.value.kind : 'problem';
}

describe('help on everything', () => {
  it('lists every subcommand, report and way to say a range', () => {
    const typed = typedIn(helpFor());
    for (const { word } of subcommands)
      expect(typed.some((line) => line.startsWith(`/report ${word}`))).toBe(true);
    for (const { name } of allReports) expect(typed).toContain(name);
    expect(typed).toEqual(expect.arrayContaining(['/report', '/report <report> [range] [option…]']));
  });

  it('shows only ranges that are understood', () => {
    for (const { syntax, description } of [...rangeLines, ...futureRangeLines]) {
      const others = /also (.+)/.exec(description)?.[1]?.split(', ') ?? [];
      const whole = others.filter((other) => /^(?:this|last|next)-|^\d{4}/.test(other));
      for (const range of [syntax, ...whole])
        expect([range, parseRangeWords(range).ok]).toEqual([range, true]);
    }
  });

  it('shows only options that some report takes', () => {
    const options = helpFor().sections.find(({ title }) => title === 'Options')?.lines ?? [];
    expect(options.length).toBeGreaterThan(5);
    for (const { syntax } of options) {
      const named = [...allReports.map(({ name }) => name), 'overdue'];
      const taken = named.filter((name) => kindOf(`${name} ${syntax}`) === 'run');
      expect([syntax, taken.length > 0]).toEqual([syntax, true]);
    }
  });
});

it('help says what is used where nothing is typed', () => {
  const lines = helpFor().sections.flatMap(({ lines }) => lines);
  const assigned = lines.find(({ syntax }) => syntax === 'assigned:2025');
  expect(assigned?.description).toContain('not typed: since 1 January of last year');
});

describe('the first examples', () => {
  it.each(firstExamples)('$typed runs a report', ({ syntax }) => {
    expect([syntax, kindOf(syntax)]).toEqual([syntax, 'run']);
  });
});

describe('help on a report', () => {
  it.each(allReports)('lists all that $name takes, as it is typed', (report) => {
    const help = helpFor(report.name);
    const typed = typedIn(help);
    for (const { flag } of report.fields) expect(typed).toContain(flag);
    for (const line of typed.filter((option) => option.endsWith(':'))) {
      const values = ['x', 'yes'].map((value) => kindOf(`${report.name} ${line}${value}`));
      expect([line, values]).toEqual([line, expect.arrayContaining(['run'])]);
    }
    for (const { flag } of report.dateField?.choices ?? []) expect(typed).toContain(flag);
    for (const sort of report.sorts) expect(typed).toContain(sort);
  });

  it.each(allReports)('shows examples of $name that are understood', ({ name, examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect(accepted(parseCommand(example, nothingSaved))).toMatchObject({
        kind: 'run',
        request: { report: name },
      });
      expect(typedIn(helpFor(name))).toContain(`/report ${example}`);
    }
  });
});

describe('help on a view', () => {
  it.each(['overdue', 'due'] as const)('of %s is short, and names the default of its own', (view) => {
    const help = helpFor('assignments', view);
    const lines = help.sections.flatMap(({ lines }) => lines);
    expect(lines.length).toBeLessThanOrEqual(8);
    for (const { syntax } of lines) {
      const command = syntax.startsWith('/report ') ? syntax : `${view} ${syntax}`;
      expect(accepted(parseCommand(command, nothingSaved))).toMatchObject({ request: { view } });
    }
    const everything = helpFor().sections.flatMap(({ lines }) => lines);
    const said = everything.find(({ syntax }) => syntax === 'assigned:2025')?.description ?? '';
    const [, byDefault = 'none'] = said.split('not typed: ');
    expect(lines.map(({ description }) => description).join('\n')).toContain(`default: ${byDefault}`);
    expect(JSON.stringify(help)).not.toContain('last-90-days');
  });
});

it('shows only conditions that are understood', () => {
  expect(conditionLines.length).toBeGreaterThan(1);
  for (const { syntax } of conditionLines)
    expect([syntax, kindOf(`schedule overdue ${syntax} daily 9`)]).toEqual([syntax, 'schedule']);
});

describe('how often', () => {
  const shown = helpFor().sections.find(({ title }) => title.startsWith('How often'))?.lines ?? [];
  const examples = cadenceLines.flatMap(({ syntax, description }) => [
    syntax,
    ...(/also ((?:hourly|monthly).+)/.exec(description)?.[1]?.split(', ') ?? []),
  ]);

  it('has a section of its own, with every cadence and skip-empty', () => {
    expect(shown).toEqual(cadenceLines);
    for (const word of cadenceWords) expect(shown.some(({ syntax }) => syntax.startsWith(word))).toBe(true);
  });

  it.each(
    examples.filter((example) => !['skip-empty', 'replace', 'keep:7d', 'to:managers'].includes(example)),
  )('%s is a cadence', (example) => {
    const command = accepted(parseCommand(`schedule tracks skip-empty ${example}`, nothingSaved));
    expect(command).toMatchObject({ kind: 'schedule', cadenceTyped: example, what: { skipEmpty: true } });
  });
});
