import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { FieldKind } from '../../catalogue/index.js';
import { Failure, throwIfCancelled } from '../../errors/failure.js';
import type { AnswerFile } from './answer-file.js';
import { CellType, escapeXml, Mark } from './sheet-cells.js';

/** Excel's limit of rows, without the row of headings. */
export const maxSheetRows = 1_048_575;

/** Beyond this a zip needs an extension of its format, which some programs do not read. */
const maxSheetBytes = 2 ** 32 - 1;

/** A higher level takes twice the time and saves a tenth. */
const compressionLevel = 3;

/** The same answer makes the same bytes, so the parts have no time of their own. */
const modifiedAt = new Date(1980, 0, 1);

interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Typed cells, as `sheetXml` takes them. */
  readonly rows: AsyncIterable<Buffer>;
}

/**
 * Writes a workbook as it is compressed. Memory stays flat: a chunk of the sheet is made when the one before is on its
 * way to the disk.
 *
 * @throws `file-not-written`, `too-large-for-excel`, `cancelled`
 */
export async function writeWorkbook(
  to: AnswerFile,
  { name, columns, rows }: Sheet,
  signal?: AbortSignal,
): Promise<void> {
  const zip = new ZipFile();
  const options = { mtime: modifiedAt, forceDosTimestamp: true, compressionLevel };
  for (const [path, xml] of partsAround(name)) zip.addBuffer(Buffer.from(xml), path, options);
  const sheet = Readable.from(withinLimit(sheetXml(columns, rows)), { objectMode: false });
  const output = zip.outputStream as Readable;
  const failed = (error: Error) => void output.destroy(error);
  sheet.once('error', failed);
  zip.once('error', failed);
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', options);
  zip.end();
  try {
    for await (const chunk of output) {
      throwIfCancelled(signal);
      to.write(chunk);
      if (to.isBacklogged) await to.drain();
    }
  } finally {
    sheet.destroy();
  }
}

async function* withinLimit(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxSheetBytes) throw new Failure('too-large-for-excel', { limit: 'bytes' });
    yield chunk;
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const inOffice = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const inPackage = 'http://schemas.openxmlformats.org/package/2006';

/** The parts of a workbook besides its sheet: their paths and their XML. */
function partsAround(sheetName: string): readonly (readonly [path: string, xml: string])[] {
  const parts: [string, string][] = [
    [
      '[Content_Types].xml',
      `<Types xmlns="${inPackage}/content-types">
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Default Extension="xml" ContentType="application/xml"/>
        <Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>
        <Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>
        <Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>
      </Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${inPackage}/relationships">
        <Relationship Id="rId1" Type="${inOffice}/officeDocument" Target="xl/workbook.xml"/>
      </Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${inOffice}">
        <bookViews><workbookView/></bookViews>
        <sheets><sheet name="${xmlText(sheetName)}" sheetId="1" r:id="rId1"/></sheets>
      </workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${inPackage}/relationships">
        <Relationship Id="rId1" Type="${inOffice}/worksheet" Target="worksheets/sheet1.xml"/>
        <Relationship Id="rId2" Type="${inOffice}/styles" Target="styles.xml"/>
      </Relationships>`,
    ],
    ['xl/styles.xml', styles],
  ];
  return parts.map(([path, xml]) => [path, declaration + withoutIndents(xml)]);
}

function withoutIndents(xml: string): string {
  return xml.replace(/\n */g, '');
}

/** The formats of cells, in the order of `Style`: plain, heading, day, moment. Numbers from 164 on are one's own. */
const styles = `<styleSheet xmlns="${main}">
  <numFmts count="2">
    <numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>
    <numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/>
  </numFmts>
  <fonts count="2">
    <font><sz val="11"/><name val="Calibri"/></font>
    <font><b/><sz val="11"/><name val="Calibri"/></font>
  </fonts>
  <fills count="2">
    <fill><patternFill patternType="none"/></fill>
    <fill><patternFill patternType="gray125"/></fill>
  </fills>
  <borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
  <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
  <cellXfs count="4">
    <xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
    <xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
    <xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
    <xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
  </cellXfs>
  <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

/** A column of a sheet: its heading, and what decides its width. */
interface SheetColumn {
  readonly heading: string;
  readonly kind: FieldKind;
}

/** The place of each format in the workbook's list of formats (`styles`). */
const Style = { heading: 1, day: 2, moment: 3 } as const;

/** In characters. */
const widths: Readonly<Record<FieldKind, number>> = {
  text: 20,
  email: 28,
  identifier: 14,
  image: 20,
  'yes-no': 8,
  date: 17,
  number: 10,
  list: 24,
  status: 14,
  object: 24,
  metadata: 24,
};
const maxHeadingWidth = 32;

const beginsText = Buffer.from('" t="inlineStr"><is><t xml:space="preserve">');
const endsText = Buffer.from('</t></is></c>');
const endsValue = Buffer.from('</v></c>');

/** What goes between the reference of a cell and its value, by the type of the cell. */
const begins: (Buffer | undefined)[] = [];
begins[CellType.text] = beginsText;
begins[CellType.number] = Buffer.from('"><v>');
begins[CellType.yesOrNo] = Buffer.from('" t="b"><v>');
begins[CellType.day] = Buffer.from(`" s="${Style.day}"><v>`);
begins[CellType.moment] = Buffer.from(`" s="${Style.moment}"><v>`);

const beginsCell = Buffer.from('<c r="');
const endsRow = Buffer.from('</row>');

const chunkBytes = 128 * 1024;

/**
 * The XML of a sheet with a frozen row of headings, in chunks.
 *
 * @param rows typed cells as `SheetCells` writes them, cut anywhere; a block is not used after the next is asked for
 */
async function* sheetXml(
  columns: readonly SheetColumn[],
  rows: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(headOfSheet(columns));
  const cells = new CellsToXml(columns.map((_, index) => lettersOf(index)));
  for await (const block of rows) yield* cells.convert(block);
  yield* cells.rest();
  yield Buffer.from('</sheetData></worksheet>');
}

/** Turns typed cells into XML. It keeps its state between blocks, so they may be cut anywhere. */
class CellsToXml {
  private out = Buffer.allocUnsafe(chunkBytes);
  private at = 0;
  /** The headings are row 1. */
  private row = 1;
  private number = Buffer.alloc(0);
  private column = 0;
  /** The type of the cell whose value is being copied; 0 before its first byte. */
  private type = 0;
  private isInRow = false;

  constructor(private readonly letters: readonly Buffer[]) {}

  *convert(block: Buffer): Generator<Buffer> {
    let from = 0;
    for (let i = 0; i < block.length; i += 1) {
      const byte = block[i] as number;
      if (this.type === 0) {
        if (!this.isInRow) this.beginRow();
        if (byte >= 0x20) {
          this.beginCell(byte);
          from = i + 1;
        } else this.endCell(byte);
      } else if (byte === Mark.betweenCells || byte === Mark.endOfRow) {
        this.copy(block, from, i);
        this.endCell(byte);
      } else continue;
      if (this.at < chunkBytes / 2) continue;
      yield this.taken();
    }
    if (this.type !== 0) this.copy(block, from, block.length);
  }

  *rest(): Generator<Buffer> {
    if (this.at > 0) yield this.taken();
  }

  private taken(): Buffer {
    const chunk = this.out.subarray(0, this.at);
    this.out = Buffer.allocUnsafe(chunkBytes);
    this.at = 0;
    return chunk;
  }

  private beginRow(): void {
    this.row += 1;
    this.column = 0;
    this.isInRow = true;
    this.number = Buffer.from(String(this.row));
    const tag = `<row r="${this.row}">`;
    this.reserve(tag.length);
    this.at += this.out.write(tag, this.at, 'latin1');
  }

  private beginCell(type: number): void {
    this.type = type;
    const letters = this.letters[this.column];
    const begin = begins[type];
    if (!letters || !begin) throw new Error('A row has a cell that no column or type explains');
    this.put(beginsCell);
    this.put(letters);
    this.put(this.number);
    this.put(begin);
  }

  /** @param mark the byte after the cell */
  private endCell(mark: number): void {
    if (this.type !== 0) this.put(this.type === CellType.text ? endsText : endsValue);
    this.type = 0;
    this.column += 1;
    if (mark !== Mark.endOfRow) return;
    this.put(endsRow);
    this.isInRow = false;
  }

  private put(bytes: Buffer): void {
    this.copy(bytes, 0, bytes.length);
  }

  private copy(bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    if (length > 64) bytes.copy(this.out, this.at, start, end);
    else for (let i = 0; i < length; i += 1) this.out[this.at + i] = bytes[start + i] as number;
    this.at += length;
  }

  private reserve(bytes: number): void {
    if (this.out.length - this.at >= bytes) return;
    const longer = Buffer.allocUnsafe(2 * (this.at + bytes));
    this.out.copy(longer, 0, 0, this.at);
    this.out = longer;
  }
}

function headOfSheet(columns: readonly SheetColumn[]): string {
  const cols = columns.map(({ heading, kind }, index) => {
    const width = Math.max(widths[kind], Math.min(maxHeadingWidth, heading.length + 2));
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  const headings = columns.map(
    ({ heading }, index) =>
      `<c r="${lettersOf(index)}1" s="${Style.heading}" t="inlineStr"><is><t xml:space="preserve">${xmlText(heading)}</t></is></c>`,
  );
  const head = withoutIndents(`<worksheet xmlns="${main}">
    <sheetViews>
      <sheetView tabSelected="1" workbookViewId="0">
        <pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>
        <selection pane="bottomLeft"/>
      </sheetView>
    </sheetViews>`);
  const widthsOfColumns = cols.length > 0 ? `<cols>${cols.join('')}</cols>` : '';
  return `${declaration}${head}${widthsOfColumns}<sheetData><row r="1">${headings.join('')}</row>`;
}

/** Text inside an element or an attribute. */
function xmlText(text: string): string {
  const bytes = Buffer.from(text);
  const out = Buffer.alloc(7 * bytes.length);
  return out.toString('utf8', 0, escapeXml(out, 0, bytes, 0, bytes.length)).replaceAll('"', '&quot;');
}

/** `A`, `Z`, `AA` for the places 0, 25 and 26. */
function lettersOf(place: number): Buffer {
  let letters = '';
  for (let rest = place + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(0x41 + ((rest - 1) % 26)) + letters;
  }
  return Buffer.from(letters);
}
