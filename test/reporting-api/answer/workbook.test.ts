import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Field, FieldKind } from '../../../src/catalogue/index.js';
import { Failure } from '../../../src/errors/failure.js';
import { AnswerFile } from '../../../src/reporting-api/answer/answer-file.js';
import { AnswerStream } from '../../../src/reporting-api/answer/read-answer.js';
import { writeWorkbook } from '../../../src/reporting-api/answer/workbook.js';
import type { FilePlan } from '../../../src/runner/ports.js';
import { propertyRuns } from '../../property-runs.js';
import { columnsOf, type PlainColumn, partOf, textOf } from './plain-csv.js';
import { PlainNumber, PlainObject, type PlainValue, parsePlainJson } from './plain-json.js';
import { plainRecord } from './plain-record.js';
import { anyAnswer, anyCuts, cutInto } from './random-answers.js';
import { csvOf, field, noFigures, tempFolder } from './read-bytes.js';
import { type ReadWorkbook, readWorkbook, type SheetCell } from './read-workbook.js';

const folder = tempFolder();
afterAll(() => folder.remove());

const kinds: Readonly<Record<string, FieldKind>> = {
  alpha: 'text',
  beta: 'date',
  gamma: 'number',
  delta: 'yes-no',
};
const fields: readonly Field[] = Object.entries(kinds).map(([flag, kind]) => ({ ...field(flag), kind }));

async function workbookOf(
  chunks: readonly Buffer[],
  plan: Partial<FilePlan> = {},
): Promise<ReadWorkbook & { readonly cutCells: number; readonly bytes: number }> {
  const path = folder.fresh();
  const file: FilePlan = { path, format: 'xlsx', title: 'Rows', zone: 'UTC', columns: fields, ...plan };
  const reading = new AnswerStream({ fields: file.columns.map(({ flag }) => flag), file }, noFigures);
  try {
    await reading.beginAnswer();
    for (const chunk of chunks) await reading.write(chunk);
    await reading.endAnswer();
    const { file: written } = await reading.finish();
    return { ...readWorkbook(path), cutCells: written?.cutCells ?? 0, bytes: written?.bytes ?? 0 };
  } finally {
    await reading.discard();
  }
}

const workbookOfRecords = (records: readonly object[], plan: Partial<FilePlan> = {}) =>
  workbookOf([Buffer.from(JSON.stringify(records))], plan);

/** The first cell of a column, of an answer with that value alone. */
async function cellFor(flag: string, json: string, zone = 'UTC'): Promise<SheetCell | undefined> {
  const { rows } = await workbookOf([Buffer.from(`[{"${flag}":${json}}]`)], {
    columns: fields.filter((each) => each.flag === flag),
    zone,
  });
  return rows[0]?.[0];
}

describe('the workbook of any answer', () => {
  const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu'];

  it('has the headings and the values of the CSV, however its bytes were cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswer, anyCuts, fc.constantFrom(...zones), async (answer, cuts, zone) => {
        const chunks = cutInto(Buffer.from(answer), cuts);
        const { columns } = await csvOf(fields, chunks, folder.fresh());
        const { headings, rows } = await workbookOf(chunks, { zone });
        expect(headings).toEqual(columns.map(({ heading }) => wellFormed(heading)));
        const plain = plainCells(answer, zone);
        expect(rows.map((row) => headings.map((_, place) => row[place]))).toEqual(plain);
      }),
      { numRuns: propertyRuns(600) },
    );
    expect(folder.files().filter((name) => !name.endsWith('.csv'))).toEqual([]);
  }, 120_000);
});

function plainCells(answer: string, zone: string): (SheetCell | undefined)[][] {
  const all = parsePlainJson(answer) as readonly PlainObject[];
  const columns = columnsOf(fields, all);
  return all.map((record) => columns.map((column) => plainCell(column, partOf(column, record), zone)));
}

/** What a value should be in a sheet, slow and simple. */
function plainCell(column: PlainColumn, value: PlainValue | undefined, zone: string): SheetCell | undefined {
  const kind = column.member === undefined ? column.field.kind : 'text';
  if (typeof value === 'boolean') return { type: 'yes-no', value };
  const text = value instanceof PlainNumber ? value.text : textOf(value ?? null);
  if (text === '') return undefined;
  const isScalar = value instanceof PlainNumber || typeof value === 'string';
  if (kind === 'date' && isScalar) {
    const date = plainDate(value, zone);
    if (date) return date;
  }
  const counts = value instanceof PlainNumber || (kind === 'number' && typeof value === 'string');
  if (counts && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) {
    const digits = (text.split(/e/i)[0] ?? '').replace(/[^\d]/g, '').replace(/^0+/, '');
    const size = Math.abs(Number(text));
    if (digits.length <= 15 && (digits === '' || (size >= 2.3e-308 && size < 9.9e307))) {
      return { type: 'number', number: Number(text) };
    }
  }
  if (kind === 'yes-no' && typeof value === 'string' && /^(?:true|false)$/i.test(text)) {
    return { type: 'yes-no', value: text.toLowerCase() === 'true' };
  }
  return { type: 'text', text: wellFormed(text) };
}

function plainDate(value: PlainValue, zone: string): SheetCell | undefined {
  const record = plainRecord(['it'], new PlainObject([['it', value]]));
  const instant = record.instant(0);
  if (!(instant > Date.parse('1900-03-02') && instant < Date.parse('9999-12-29'))) return undefined;
  const isDay = record.isDayOnly(0);
  const wallTime = isDay ? instant : wallTimeOf(instant, zone);
  const serial = Number((wallTime / 86_400_000 + 25_569).toPrecision(15));
  return { type: 'date', serial, format: isDay ? 'yyyy\\-mm\\-dd' : 'yyyy\\-mm\\-dd\\ hh:mm' };
}

/** What the clocks show, by the formatter of the platform, in milliseconds. */
function wallTimeOf(instant: number, zone: string): number {
  const seconds = Math.floor(instant / 1000);
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${shown.format(seconds * 1000).replace(' ', 'T')}Z`) + (instant - seconds * 1000);
}

/** Halves of characters become U+FFFD in a file. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

describe('a workbook that cannot be made', () => {
  /** Typed cells of far more rows than any buffer holds. */
  async function* endlessRows(ended: () => void): AsyncGenerator<Buffer> {
    const rows = Buffer.from(`t${'x'.repeat(997)}\u001e`.repeat(200));
    try {
      for (;;) yield rows;
    } finally {
      ended();
    }
  }

  it('fails as its disk does, and stops making the rest', async () => {
    let written = 0;
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const file = new AnswerFile(folder.fresh(), {
      async write(_bytes, _offset, length) {
        written += length;
        if (written > 500_000) throw full;
        return { bytesWritten: length };
      },
      read: async () => ({ bytesRead: 0 }),
      truncate: async () => {},
      close: async () => {},
    });
    const sheet = { name: 'Rows', columns: [{ heading: 'A', kind: 'text' as const }] };
    let hasEnded = false;
    const rows = endlessRows(() => {
      hasEnded = true;
    });
    await expect(writeWorkbook(file, { ...sheet, rows })).rejects.toMatchObject({
      details: { reason: 'ENOSPC' },
    });
    await expect.poll(() => hasEnded).toBe(true);
  });

  it('ends soon after it was cancelled', async () => {
    const file = await AnswerFile.create(folder.fresh());
    const sheet = { name: 'Rows', columns: [{ heading: 'A', kind: 'text' as const }] };
    const cancelling = new AbortController();
    setTimeout(() => cancelling.abort(), 50);
    const making = writeWorkbook(file, { ...sheet, rows: endlessRows(() => {}) }, cancelling.signal);
    await expect(making).rejects.toMatchObject({ code: 'cancelled' });
    await file.closeAndRemove();
  });

  it('fails as the reading of its rows does', async () => {
    const file = await AnswerFile.create(folder.fresh());
    async function* rows(): AsyncGenerator<Buffer> {
      yield Buffer.from('t1\u001e');
      throw new Failure('file-not-written', { reason: 'EIO' });
    }
    const sheet = { name: 'Rows', columns: [{ heading: 'A', kind: 'text' as const }] };
    const making = writeWorkbook(file, { ...sheet, rows: rows() });
    await expect(making).rejects.toMatchObject({ details: { reason: 'EIO' } });
    await file.closeAndRemove();
  });
});

describe('a workbook', () => {
  it('has one sheet with its title, and a row of headings that stays in view', async () => {
    const { sheet, frozenRows, headings, rows } = await workbookOfRecords([], { title: 'Tracks & more' });
    expect(sheet).toBe('Tracks & more');
    expect(frozenRows).toBe(1);
    expect(headings).toEqual(['The alpha', 'The beta', 'The gamma', 'The delta']);
    expect(rows).toEqual([]);
  });

  it('holds text that looks like a formula as the text itself', async () => {
    for (const text of ['=1+1', '+49 170', '-5 points', '@here', "'quoted", '=HYPERLINK("https://x.test")']) {
      expect(await cellFor('alpha', JSON.stringify(text))).toEqual({ type: 'text', text });
    }
  });

  it('keeps control characters, carriage returns, and text that looks like an escape', async () => {
    for (const text of [
      'a\u0000b\u001f',
      'two\r\nlines\ttab',
      '_x0041_ <&> "é" 🙂 \ufffe',
      ' blanks ',
      '\u001e',
    ]) {
      expect(await cellFor('alpha', JSON.stringify(text))).toEqual({ type: 'text', text });
    }
  });

  it.each([
    ['0', { type: 'number', number: 0 }],
    ['123456789012345', { type: 'number', number: 123456789012345 }],
    ['1234567890123456', { type: 'text', text: '1234567890123456' }],
    ['12345678901234567890', { type: 'text', text: '12345678901234567890' }],
    ['0.0000123', { type: 'number', number: 0.0000123 }],
    ['1.50', { type: 'number', number: 1.5 }],
    ['1e999', { type: 'text', text: '1e999' }],
    ['1e-999', { type: 'text', text: '1e-999' }],
    ['"42"', { type: 'number', number: 42 }],
    ['"007"', { type: 'text', text: '007' }],
    ['"+5"', { type: 'text', text: '+5' }],
    ['"12 %"', { type: 'text', text: '12 %' }],
    ['""', undefined],
    ['null', undefined],
  ])('has %s as a number or as text', async (json, cell) => {
    expect(await cellFor('gamma', json)).toEqual(cell);
  });

  it('has numbers of a text field as text where they came as text', async () => {
    expect(await cellFor('alpha', '"42"')).toEqual({ type: 'text', text: '42' });
    expect(await cellFor('alpha', '42')).toEqual({ type: 'number', number: 42 });
  });

  it.each([
    // 20 November 2026 is 46,346 days after the day before 1900 began.
    ['"2026-11-20"', 'America/New_York', 46_346, 'yyyy\\-mm\\-dd'],
    ['"2026-11-20T12:00:00Z"', 'UTC', 46_346.5, 'yyyy\\-mm\\-dd\\ hh:mm'],
    ['"2026-11-20T23:00:00Z"', 'Europe/Berlin', 46_347, 'yyyy\\-mm\\-dd\\ hh:mm'],
    ['1795176000', 'UTC', 46_346.5, 'yyyy\\-mm\\-dd\\ hh:mm'],
    ['1795176000000', 'UTC', 46_346.5, 'yyyy\\-mm\\-dd\\ hh:mm'],
    ['"1900-03-01"', 'UTC', 61, 'yyyy\\-mm\\-dd'],
    ['"9999-12-29"', 'UTC', 2_958_463, 'yyyy\\-mm\\-dd'],
  ])('has the date %s in %s as %f', async (json, zone, serial, format) => {
    expect(await cellFor('beta', json, zone)).toEqual({ type: 'date', serial, format });
  });

  it('has a date that Excel cannot hold as text', async () => {
    for (const text of ['1899-12-31', '1900-02-28', '0042-01-01', 'soon', '2026-13-01']) {
      expect(await cellFor('beta', JSON.stringify(text))).toEqual({ type: 'text', text });
    }
  });

  it('cuts a cell at the limit of Excel, between characters, and says how many were cut', async () => {
    const fits = 'x'.repeat(32_767);
    const { rows, cutCells } = await workbookOfRecords([
      { alpha: fits },
      { alpha: `${fits}y` },
      { alpha: `${'é'.repeat(32_766)}🙂` },
    ]);
    expect(cutCells).toBe(2);
    const texts = rows.map(([cell]) => (cell?.type === 'text' ? cell.text : ''));
    expect(texts).toEqual([fits, fits, 'é'.repeat(32_766)]);
  });

  it('has columns for members that came late, to the right', async () => {
    const { headings, rows } = await workbookOfRecords([
      { alpha: { id: 1 }, beta: '2026-11-20' },
      { alpha: { id: 2, title: 'late' } },
    ]);
    expect(headings).toEqual(['The alpha: id', 'The beta', 'The gamma', 'The delta', 'The alpha: title']);
    expect(rows[1]).toEqual([
      { type: 'number', number: 2 },
      undefined,
      undefined,
      undefined,
      { type: 'text', text: 'late' },
    ]);
  });

  it('takes as many rows as Excel, and refuses one more', async () => {
    const thousand = Buffer.from('{"gamma":1},'.repeat(1000));
    const rowsOf = (count: number) => [
      Buffer.from('['),
      ...Array.from({ length: Math.floor((count - 1) / 1000) }, () => thousand),
      Buffer.from('{"gamma":1},'.repeat((count - 1) % 1000)),
      Buffer.from('{"gamma":2}]'),
    ];
    const tooMany = workbookOf(rowsOf(1_048_576), { columns: fields.slice(2, 3) });
    await expect(tooMany).rejects.toMatchObject({ code: 'too-large-for-excel', details: { limit: 'rows' } });
    const path = folder.fresh();
    const file: FilePlan = { path, format: 'xlsx', title: 'Rows', zone: 'UTC', columns: fields.slice(2, 3) };
    const reading = new AnswerStream({ fields: ['gamma'], file }, noFigures);
    await reading.beginAnswer();
    for (const chunk of rowsOf(1_048_575)) await reading.write(chunk);
    await reading.endAnswer();
    expect(await reading.finish()).toMatchObject({ records: 1_048_575 });
    await reading.discard();
  }, 60_000);
});
