import { byType, type Check, isThing, list, number, type Say, type Thing, text, thing } from './checks.js';
import { blockId } from './composition.js';

// The block is missing in Slack's own types; 6 segments or series is the stricter of the two figures in circulation.
const label = text({ max: 20 });
const axisLabel = text({ max: 50 });

const segment = thing({ label, value: number({ above: 0 }) }, { needs: ['label', 'value'] });
const point = thing({ label, value: number() }, { needs: ['label', 'value'] });
const series = thing({ name: label, data: list(point, { min: 1, max: 20 }) }, { needs: ['name', 'data'] });
const axes = thing(
  { categories: list(label, { min: 1, max: 20 }), x_label: axisLabel, y_label: axisLabel },
  { needs: ['categories'] },
);

const pie = thing({ segments: list(segment, { min: 1, max: 6 }) }, { needs: ['segments'] });
const cartesian = thing(
  { series: list(series, { min: 1, max: 6 }), axis_config: axes },
  { needs: ['series', 'axis_config'], also: pointsFitCategories },
);

/** Series have names of their own, and one point for each category. */
function pointsFitCategories(chart: Thing, at: string, say: Say) {
  const categories = isThing(chart.axis_config) ? chart.axis_config.categories : undefined;
  if (!Array.isArray(chart.series) || !Array.isArray(categories)) return;
  if (new Set(categories).size !== categories.length)
    say({ code: 'not_unique', message: 'categories must differ', pointer: `${at}/axis_config/categories` });
  const names = new Set<unknown>();
  for (const [index, one] of chart.series.entries()) {
    if (!isThing(one) || !Array.isArray(one.data)) continue;
    if (names.has(one.name))
      say({ code: 'not_unique', message: 'series names must differ', pointer: `${at}/series/${index}/name` });
    names.add(one.name);
    const labels = one.data.map((each) => (isThing(each) ? each.label : undefined));
    const fits = labels.length === categories.length && categories.every((each) => labels.includes(each));
    if (!fits)
      say({
        code: 'points_do_not_fit',
        message: 'must have one point for each category',
        pointer: `${at}/series/${index}/data`,
      });
  }
}

export const chartBlocks: Readonly<Record<string, Check>> = {
  data_visualization: thing(
    {
      block_id: blockId,
      title: text({ max: 50 }),
      chart: byType(() => ({ pie, bar: cartesian, line: cartesian, area: cartesian })),
    },
    { needs: ['title', 'chart'] },
  ),
};
