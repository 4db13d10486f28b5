import type { AnyBlock } from '@slack/types';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { Chart } from '../../figures/result.js';

import { limits } from './blocks.js';

/** Slack's native chart. Its own types do not have it yet: the shape is that of docs.slack.dev, mid-2026. */
interface DataVisualizationBlock {
  readonly type: 'data_visualization';
  readonly block_id?: string;
  readonly title: string;
  readonly chart: {
    readonly type: 'bar' | 'line';
    readonly series: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config: { readonly categories: readonly string[] };
  };
}

/** The chart as a block of Slack's. */
export function chartBlock({ title, shape, categories, series }: Chart): AnyBlock {
  const labels = distinctLabels(categories.slice(0, limits.chart.categories));
  const names = distinctLabels(series.slice(0, limits.chart.series).map(({ name }) => name));
  const block: DataVisualizationBlock = {
    type: 'data_visualization',
    title: truncateText(title, limits.chart.titleCharacters),
    chart: {
      type: shape,
      series: names.map((name, which) => ({
        name,
        data: labels.map((label, i) => ({ label, value: series[which]?.values[i] ?? 0 })),
      })),
      axis_config: { categories: labels },
    },
  };
  return block;
}

/** Labels cut to what fits, and numbered where cutting makes two of them equal. */
export function distinctLabels(labels: readonly string[]): readonly string[] {
  const most = limits.chart.labelCharacters;
  const cut = labels.map((label) => displayText(label, most));
  const taken = new Set(cut.filter((label, i) => cut.indexOf(label) === i && !cut.includes(label, i + 1)));
  return cut.map((label, i) => {
    if (cut.indexOf(label) === i && !cut.includes(label, i + 1)) return label;
    for (let number = 1; ; number++) {
      const ending = ` ${number}`;
      const numbered = `${truncateText(label, most - ending.length)}${ending}`;
      if (taken.has(numbered)) continue;
      taken.add(numbered);
      return numbered;
    }
  });
}
