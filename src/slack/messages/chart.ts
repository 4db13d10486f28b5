import type { AnyBlock } from '@slack/types';
import { distinctTexts, truncateText } from '../../figures/format/text.js';
import type { Chart } from '../../figures/result.js';

import { limits } from './blocks.js';

/** Slack's native chart, as on docs.slack.dev in mid-2026. `@slack/types` does not have it yet. */
export function chartBlock({ title, shape, categories, series }: Chart): AnyBlock {
  const { labelCharacters } = limits.chart;
  const labels = distinctTexts(categories.slice(0, limits.chart.categories), labelCharacters);
  const names = distinctTexts(
    series.slice(0, limits.chart.series).map(({ name }) => name),
    labelCharacters,
  );
  const block = {
    type: 'data_visualization',
    title: truncateText(title, limits.chart.titleCharacters),
    chart: {
      type: shape,
      series: names.map((name, index) => ({
        name,
        data: labels.map((label, i) => ({ label, value: series[index]?.values[i] ?? 0 })),
      })),
      axis_config: { categories: labels },
    },
  };
  return block;
}
