/* Pages that people take with them: as HTML to read, and as JSON for a machine. */

/** Values by what they are. Null ones are not shown. */
export type PageRow = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface PageSection {
  /** Its member in JSON. */
  readonly key: string;
  readonly title: string;
  readonly notes?: readonly string[];
  /** With columns the rows are a table; else each row is a list of its values. */
  readonly columns?: readonly string[];
  readonly rows: Iterable<PageRow> | AsyncIterable<PageRow>;
}

export interface RecordPage {
  readonly title: string;
  readonly notes: readonly string[];
  readonly about: PageRow;
  readonly sections: readonly PageSection[];
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d1c1d;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}
.none,.note{color:#555}li{margin:.3rem 0;overflow-wrap:anywhere}@media print{body{margin:0;max-width:none}}`;

/** The whole page in one file, which loads nothing. Rows stream past, so that long records take no memory. */
export async function* htmlOf({ title, notes, about, sections }: RecordPage): AsyncGenerator<string> {
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${text(title)}</title>`;
  yield `<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>\n`;
  yield `<h1>${text(title)}</h1>\n${paragraphs(notes)}`;
  yield table(
    ['', ''],
    cellsOf(about).map(([name, value]) => [name, value]),
  );
  for (const { title: heading, notes: more = [], columns, rows } of sections) {
    yield `<h2>${text(heading)}</h2>\n${paragraphs(more)}`;
    let isEmpty = true;
    for await (const row of rows) {
      if (isEmpty) yield columns ? `<table>${line('th', columns)}` : '<ul>';
      isEmpty = false;
      if (columns)
        yield line(
          'td',
          columns.map((name) => row[name] ?? ''),
        );
      else
        yield `<li>${cellsOf(row)
          .map(([name, value]) => `<b>${text(name)}</b> ${text(value)}`)
          .join(', ')}</li>\n`;
    }
    if (isEmpty) yield '<p class="none">None.</p>\n';
    else yield columns ? '</table>\n' : '</ul>\n';
  }
  yield '</body></html>\n';
}

/** The same as one JSON object. */
export async function* jsonOf({ title, notes, about, sections }: RecordPage): AsyncGenerator<string> {
  const head = JSON.stringify({ title, notes, about }, null, 1);
  yield head.slice(0, head.lastIndexOf('\n'));
  for (const { key, rows } of sections) {
    yield `,\n ${JSON.stringify(key)}: [`;
    let separator = '\n  ';
    for await (const row of rows) {
      yield `${separator}${JSON.stringify(row)}`;
      separator = ',\n  ';
    }
    yield '\n ]';
  }
  yield '\n}\n';
}

function paragraphs(lines: readonly string[]): string {
  return lines.map((line) => `<p class="note">${text(line)}</p>\n`).join('');
}

function table(heading: readonly string[], rows: readonly (readonly PageRow[string][])[]): string {
  const head = heading.some(Boolean) ? line('th', heading) : '';
  return `<table>${head}${rows.map((cells) => line('td', cells)).join('')}</table>\n`;
}

function line(cell: 'th' | 'td', values: readonly PageRow[string][]): string {
  return `<tr>${values.map((value) => `<${cell}>${text(value)}</${cell}>`).join('')}</tr>\n`;
}

function cellsOf(row: PageRow): readonly (readonly [string, PageRow[string]])[] {
  return Object.entries(row).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name.replaceAll('_', ' '), value] as const],
  );
}

function text(value: PageRow[string]): string {
  return String(value ?? '').replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? sign,
  );
}
