import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Failure } from '../../errors/failure.js';
import type { AnswerFile } from './answer-file.js';
import { type SheetColumn, sheetXml, xmlText } from './sheet-xml.js';

/** Excel's limit of rows, without the row of headings. */
export const maxSheetRows = 1_048_575;

/** Beyond this a zip needs an extension of its format, which some programs do not read. */
const maxSheetBytes = 2 ** 32 - 1;

/** A higher level takes twice the time and saves a tenth. */
const compressionLevel = 3;

/** The same answer makes the same bytes, so the parts have no time of their own. */
const modifiedAt = new Date(1980, 0, 1);

/** What a workbook shows: one sheet. */
export interface Sheet {
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
      if (signal?.aborted) throw new Failure('cancelled', { cause: signal.reason });
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
      `<Types xmlns="${inPackage}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>` +
        '</Types>',
    ],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${inOffice}">` +
        '<bookViews><workbookView/></bookViews>' +
        `<sheets><sheet name="${xmlText(sheetName)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', styles()],
  ];
  return parts.map(([path, xml]) => [path, declaration + xml]);
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${inOffice}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${inPackage}/relationships">${each.join('')}</Relationships>`;
}

/** The formats of cells, in the order of `Style`: plain, heading, day, moment. Numbers from 164 on are one's own. */
function styles(): string {
  const day = 164;
  const moment = 165;
  return (
    `<styleSheet xmlns="${main}">` +
    `<numFmts count="2"><numFmt numFmtId="${day}" formatCode="yyyy\\-mm\\-dd"/>` +
    `<numFmt numFmtId="${moment}" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>` +
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="4">' +
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
    `<xf numFmtId="${day}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
    `<xf numFmtId="${moment}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
    '</cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    '</styleSheet>'
  );
}
