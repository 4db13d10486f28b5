import {
  byType,
  type Check,
  flag,
  isObject,
  list,
  number,
  object,
  oneOf,
  type PayloadObject,
  type ReportViolation,
  text,
} from './checks.js';
import { blockId, richText } from './composition.js';

// Slack's types lack the block. Sources disagree about the number of segments and series; 6 is the stricter limit.
const label = text({ max: 20 });
const axisLabel = text({ max: 50 });

const segment = object({ label, value: number({ above: 0 }) }, { needs: ['label', 'value'] });
const point = object({ label, value: number() }, { needs: ['label', 'value'] });
const series = object({ name: label, data: list(point, { min: 1, max: 20 }) }, { needs: ['name', 'data'] });
const axes = object(
  { categories: list(label, { min: 1, max: 20 }), x_label: axisLabel, y_label: axisLabel },
  { needs: ['categories'] },
);

const pie = object({ segments: list(segment, { min: 1, max: 6 }) }, { needs: ['segments'] });
const cartesian = object(
  { series: list(series, { min: 1, max: 6 }), axis_config: axes },
  { needs: ['series', 'axis_config'], also: pointsFitCategories },
);

/** Series have unique names, and one point per category. */
function pointsFitCategories(chart: PayloadObject, pointer: string, report: ReportViolation) {
  const categories = isObject(chart.axis_config) ? chart.axis_config.categories : undefined;
  if (!Array.isArray(chart.series) || !Array.isArray(categories)) return;
  if (new Set(categories).size !== categories.length)
    report({
      code: 'not_unique',
      message: 'categories must differ',
      pointer: `${pointer}/axis_config/categories`,
    });
  const names = new Set<unknown>();
  for (const [index, one] of chart.series.entries()) {
    if (!isObject(one) || !Array.isArray(one.data)) continue;
    if (names.has(one.name))
      report({
        code: 'not_unique',
        message: 'series names must differ',
        pointer: `${pointer}/series/${index}/name`,
      });
    names.add(one.name);
    const labels = one.data.map((each) => (isObject(each) ? each.label : undefined));
    const fits = labels.length === categories.length && categories.every((each) => labels.includes(each));
    if (!fits)
      report({
        code: 'points_do_not_fit',
        message: 'must have one point for each category',
        pointer: `${pointer}/series/${index}/data`,
      });
  }
}

export const chartBlocks: Readonly<Record<string, Check>> = {
  data_visualization: object(
    {
      block_id: blockId,
      title: text({ max: 50 }),
      chart: byType(() => ({ pie, bar: cartesian, line: cartesian, area: cartesian })),
    },
    { needs: ['title', 'chart'] },
  ),
};

const rawText = object({ text: text() }, { needs: ['text'] });
const rawNumber = object({ value: number(), text: text() }, { needs: ['value', 'text'] });
const cell = byType(() => ({ raw_text: rawText, raw_number: rawNumber, rich_text: richText }));

/** The documentation allows `null` for a column, but the types forbid it. Use `{}`. */
const columnSetting = object({ align: oneOf('left', 'center', 'right'), is_wrapped: flag });

/** Up to 100 rows, only in messages. In practice, Home tabs refuse tables. */
export const table = object(
  {
    block_id: blockId,
    rows: list(list(cell, { min: 1, max: 20 }), { min: 1, max: 100 }),
    column_settings: list(columnSetting, { max: 20 }),
  },
  { needs: ['rows'] },
);

/** A header row and 1 to 200 rows. */
const dataTable = object(
  {
    block_id: blockId,
    caption: text(),
    rows: list(list(cell, { min: 1, max: 20 }), { min: 2, max: 201 }),
    page_size: number({ whole: true, min: 1, max: 100 }),
    row_header_column_index: number({ whole: true, min: 0, max: 19 }),
  },
  { needs: ['rows', 'caption'], also: rowsFitTheHeader },
);

function rowsFitTheHeader(block: PayloadObject, pointer: string, report: ReportViolation) {
  if (!Array.isArray(block.rows)) return;
  const [header] = block.rows;
  if (!Array.isArray(header)) return;
  for (const [index, head] of header.entries())
    if (isObject(head) && head.type === 'rich_text')
      report({
        code: 'not_allowed_here',
        message: 'unsupported type: rich_text in the header row',
        pointer: `${pointer}/rows/0/${index}`,
      });
  for (const [index, row] of block.rows.entries())
    if (Array.isArray(row) && row.length !== header.length)
      report({
        code: 'uneven_rows',
        message: `must have ${header.length} cells as the header has`,
        pointer: `${pointer}/rows/${index}`,
      });
  const named = block.row_header_column_index;
  if (typeof named === 'number' && named >= header.length)
    report({
      code: 'too_large',
      message: 'must be the index of a column',
      pointer: `${pointer}/row_header_column_index`,
    });
}

export const tableBlocks: Readonly<Record<string, Check>> = { table, data_table: dataTable };
