import { rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DataFiles, dataFiles } from './data-files.js';

let files: DataFiles;
beforeAll(async () => {
  files = await dataFiles();
});
afterAll(() => files.remove());
beforeEach(() => files.restore());

describe('a data folder with problems', () => {
  it.each([
    ['units', 'member', 'department', 'member is "department": it takes departments, locations'],
    ['units', 'id', 'two words', 'id is "two words": it takes no blanks'],
    ['units', 'name', '', 'name is empty'],
    ['people', 'userid', '', 'userid is empty'],
    ['people', 'email', 'nobody', 'email is "nobody": it takes an address'],
    ['people', 'role', 'boss', 'role is "boss": it takes learner, manager'],
    ['people', 'first_name', '', 'first_name is empty'],
    ['contents', 'type', 'film', 'type is "film": it takes article'],
    ['contents', 'created_by', 'nobody', 'created_by is "nobody": there is no such person'],
    ['contents', 'created_at', 'yesterday', 'created_at is "yesterday": it takes an instant'],
    ['contents', 'archived', 'maybe', 'archived is "maybe": it takes true or false'],
    ['contents', 'minutes', '-3', 'minutes is "-3": it takes a whole number'],
    ['contents', 'pass_mark', '50', 'pass_mark is "50": an assessment has one'],
    ['parts', 'whole', 'nothing', 'whole is "nothing": there is no such content'],
    ['parts', 'position', '0', 'position is "0": it takes a whole number from 1'],
    [
      'instances',
      'ends_at',
      '2001-01-01T00:00:00Z',
      'ends_at is "2001-01-01T00:00:00Z": it is before starts_at',
    ],
    ['instances', 'offered_seats', 'many', 'offered_seats is "many": it takes a whole number'],
    ['assignments', 'learner', '', 'learner is empty'],
    [
      'assignments',
      'due_at',
      '2026-13-01T00:00:00Z',
      'due_at is "2026-13-01T00:00:00Z": it takes an instant',
    ],
    ['events', 'kind', 'slept', 'kind is "slept": it takes signed_in'],
    ['events', 'at', '1999-01-01T00:00:00Z', "it is before the learner's account was created"],
    ['events', 'at', '', 'at is empty'],
    ['events', 'learner', 'nobody', 'learner is "nobody": there is no such person'],
    ['events', 'amount', '7', 'an event of the kind signed_in has none'],
  ])('%s.csv: %s %j is listed with its line', async (file, column, value, expected) => {
    await files.change(file, 1, column, value);
    const found = await files.problems();
    expect(found.join('\n')).toContain(expected);
    expect(found[0]).toMatch(new RegExp(`^${file}\\.csv:2: `));
  });

  it('lists the problems of all files at once', async () => {
    await files.change('units', 2, 'member', 'x');
    await files.change('people', 3, 'role', 'x');
    await files.change('contents', 4, 'archived', 'x');
    await files.change('events', 5, 'kind', 'x');
    const found = await files.problems();
    for (const start of ['units.csv:3: ', 'people.csv:4: ', 'contents.csv:5: ', 'events.csv:6: ']) {
      expect(found.some((line) => line.startsWith(start))).toBe(true);
    }
  });

  it('lists the first hundred problems', async () => {
    const all = await files.lines('events');
    await writeFile(files.pathOf('events'), [all[0], ...all.slice(1).map((line) => `x${line}`)].join('\n'));
    const found = await files.problems();
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toMatch(/^and \d+ more$/);
  });

  it.each(['units', 'people', 'contents', 'parts', 'instances', 'assignments', 'events'])(
    'a missing %s.csv, an empty one, one with other columns, one that is not CSV',
    async (file) => {
      const path = files.pathOf(file);
      const [header = ''] = await files.lines(file);
      await rm(path);
      expect(await files.problems()).toContain(`${file}.csv: it is missing`);
      await writeFile(path, '');
      expect(await files.problems()).toContain(`${file}.csv: it is empty; it needs a header`);
      await writeFile(path, `${header.replace(/^\w+/, 'surprise')}\n`);
      const surprised = (await files.problems()).join('\n');
      expect(surprised).toMatch(new RegExp(`${file}.csv:1: the header lacks \\w+`));
      expect(surprised).toContain('unknown columns: "surprise"');
      await writeFile(path, `${header}\n"never closed,`);
      expect((await files.problems()).join('\n')).toMatch(new RegExp(`${file}.csv:\\d+: it is not CSV`));
      await writeFile(path, `${header}\nonly,two\n`);
      expect((await files.problems()).join('\n')).toContain(`${file}.csv:2: it has 2 cells`);
    },
  );

  it.each(['units', 'people', 'contents', 'parts', 'instances', 'assignments'])(
    'two rows of %s.csv with one name',
    async (file) => {
      const all = await files.rows(file);
      await files.write(file, [...all, ...all.slice(-1)]);
      const line = (await files.lines(file)).length;
      expect((await files.problems()).join('\n')).toMatch(
        new RegExp(`${file}\\.csv:${line}: .*another row has the same`),
      );
    },
  );
});
