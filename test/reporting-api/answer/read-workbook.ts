import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** A cell as a spreadsheet program reads it; undefined for an empty one. */
export type SheetCell =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'number'; readonly number: number }
  | { readonly type: 'yes-no'; readonly value: boolean }
  | { readonly type: 'date'; readonly serial: number; readonly format: string };

export interface ReadWorkbook {
  readonly sheet: string;
  /** Frozen rows and columns. */
  readonly frozenRows: number;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (SheetCell | undefined)[])[];
}

/**
 * Reads a workbook with an unzipper and an XML parser that the product does not use. The parser refuses invalid XML.
 * Cells must be in order, row by row and column by column.
 */
export function readWorkbook(path: string): ReadWorkbook {
  const bytes = readFileSync(path);
  const parts = unzipSync(bytes);
  assertChecksums(bytes, parts);
  const part = (name: string) => {
    const found = parts[name];
    if (!found) throw new Error(`The workbook lacks ${name}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(found);
  };
  for (const name of ['[Content_Types].xml', '_rels/.rels', 'xl/_rels/workbook.xml.rels'])
    parse(part(name), {});
  const formats = formatsIn(part('xl/styles.xml'));
  let sheet = '';
  parse(part('xl/workbook.xml'), {
    open: ({ name, attributes }) => {
      if (name === 'sheet') sheet = attributes.name ?? '';
    },
  });
  const { frozenRows, rows } = cellsIn(part('xl/worksheets/sheet1.xml'), formats);
  const [first = [], ...others] = rows;
  return {
    sheet,
    frozenRows,
    headings: first.map((cell) => (cell?.type === 'text' ? cell.text : '')),
    rows: others,
  };
}

interface Handlers {
  readonly open?: (tag: SaxesTagPlain) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

function parse(xml: string, { open, text, close }: Handlers): void {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => open?.(tag as SaxesTagPlain));
  parser.on('text', (words) => text?.(words));
  parser.on('closetag', ({ name }) => close?.(name));
  parser.write(xml).close();
}

/** The format codes of the cells' styles, by index. */
function formatsIn(xml: string): readonly string[] {
  const codes = new Map<string, string>();
  const formats: string[] = [];
  let inCells = false;
  parse(xml, {
    open: ({ name, attributes }) => {
      if (name === 'numFmt') codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(codes.get(attributes.numFmtId ?? '') ?? '');
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

function cellsIn(xml: string, formats: readonly string[]) {
  const rows: (SheetCell | undefined)[][] = [];
  let frozenRows = 0;
  let cells: (SheetCell | undefined)[] = [];
  let cell: { readonly type: string; readonly format: string } | undefined;
  let words = '';
  let collects = false;
  parse(xml, {
    open: ({ name, attributes }) => {
      if (name === 'pane' && attributes.state === 'frozen') frozenRows = Number(attributes.ySplit);
      if (name === 'row') {
        if (attributes.r !== String(rows.length + 1)) throw new Error(`A row is called ${attributes.r}`);
        cells = [];
        rows.push(cells);
      }
      if (name === 'c') {
        const [, letters = '', row] = /^([A-Z]+)(\d+)$/.exec(attributes.r ?? '') ?? [];
        const place = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
        if (row !== String(rows.length) || place < cells.length)
          throw new Error(`${attributes.r} is out of place`);
        cells.length = place;
        cell = { type: attributes.t ?? 'n', format: formats[Number(attributes.s ?? 0)] ?? '' };
        words = '';
      }
      if (name === 'f') throw new Error('A cell holds a formula');
      if (name === 't' || name === 'v') collects = true;
    },
    text: (more) => {
      if (collects) words += more;
    },
    close: (name) => {
      if (name === 't' || name === 'v') collects = false;
      if (name === 'c' && cell) cells.push(cellOf(cell.type, cell.format, words));
    },
  });
  return { rows, frozenRows };
}

function cellOf(type: string, format: string, words: string): SheetCell {
  if (type === 'inlineStr') return { type: 'text', text: unescaped(words) };
  if (type === 'b') return { type: 'yes-no', value: words === '1' };
  if (type !== 'n' || words.trim() === '' || !Number.isFinite(Number(words))) {
    throw new Error(`Not a cell: ${type} ${words}`);
  }
  if (/[ymdh]/.test(format)) return { type: 'date', serial: Number(words), format };
  return { type: 'number', number: Number(words) };
}

/** Excel's escapes for characters that XML does not allow. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Compares the checksum of each part with the one in the directory of the zip. */
function assertChecksums(zip: Buffer, parts: Readonly<Record<string, Uint8Array>>): void {
  let entries = 0;
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4)) {
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const part = parts[name];
    if (!part) continue;
    entries += 1;
    if (zip.readUInt32LE(at + 16) !== crc32(part)) throw new Error(`The checksum of ${name} is wrong`);
    if (zip.readUInt32LE(at + 24) !== part.length) throw new Error(`The size of ${name} is wrong`);
  }
  if (entries !== Object.keys(parts).length) throw new Error('The directory of the zip is not complete');
}
