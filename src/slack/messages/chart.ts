import type { AnyBlock } from '@slack/types';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { Chart } from '../../figures/result.js';

import { limits } from './blocks.js';

/** Slack's native chart, as on docs.slack.dev in mid-2026. `@slack/types` does not have it yet. */
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

export function chartBlock({ title, shape, categories, series }: Chart): AnyBlock {
  const labels = distinctLabels(categories.slice(0, limits.chart.categories));
  const names = distinctLabels(series.slice(0, limits.chart.series).map(({ name }) => name));
  const block: DataVisualizationBlock = {
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

/** Cuts labels to Slack's limit, and numbers those that are then equal. */
export function distinctLabels(labels: readonly string[]): readonly string[] {
  const maxLength = limits.chart.labelCharacters;
  const cut = labels.map((label) => displayText(label, maxLength));
  const taken = new Set(cut.filter((label, i) => cut.indexOf(label) === i && !cut.includes(label, i + 1)));
  return cut.map((label, i) => {
    if (cut.indexOf(label) === i && !cut.includes(label, i + 1)) return label;
    for (let number = 1; ; number++) {
      const ending = ` ${number}`;
      const numbered = `${truncateText(label, maxLength - ending.length)}${ending}`;
      if (taken.has(numbered)) continue;
      taken.add(numbered);
      return numbered;
    }
  });
}
