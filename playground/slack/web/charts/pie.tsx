import { useState } from 'react';
import { inOrder } from '../parts/in-order.js';
import type { PieChart } from './chart-block.js';
import { slicePath } from './pie-path.js';
import { writeValue } from './scale.js';

const radius = 84;
const hole = 48;

/** A ring of slices beside a legend that carries the numbers, so that nobody has to guess an angle. */
export function Pie({ chart }: { chart: PieChart }) {
  const [pointed, setPointed] = useState<number>();
  const total = chart.segments.reduce((sum, segment) => sum + segment.value, 0);
  const slices = slicesOf(chart.segments.map((segment) => segment.value));
  return (
    <div className="pie">
      <svg viewBox={`${-radius - 4} ${-radius - 4} ${2 * radius + 8} ${2 * radius + 8}`} aria-hidden="true">
        {inOrder(slices, ({ from, to }, index) => (
          <path
            d={slicePath(from, to, radius, hole)}
            fillRule="evenodd"
            className={`pie-slice series-${index % 12}${fade(pointed, index)}`}
            onPointerEnter={() => setPointed(index)}
            onPointerLeave={() => setPointed(undefined)}
          />
        ))}
        <text className="pie-total" textAnchor="middle" y={-1}>
          {writeValue(total)}
        </text>
        <text className="pie-total-label" textAnchor="middle" y={17}>
          in total
        </text>
      </svg>
      <ul className="pie-legend" aria-hidden="true">
        {chart.segments.map((segment, index) => (
          <li key={segment.label} className={`pie-legend-item${fade(pointed, index)}`}>
            <span className={`swatch series-${index % 12}`} />
            <span className="pie-legend-label">{segment.label}</span>
            <span className="pie-legend-value">{writeValue(segment.value)}</span>
            <span className="pie-legend-share">{share(segment.value, total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function fade(pointed: number | undefined, index: number): string {
  return pointed === undefined || pointed === index ? '' : ' faded';
}

export function share(value: number, total: number): string {
  return total === 0 ? '–' : `${Math.round((value / total) * 1000) / 10}%`;
}

function slicesOf(values: readonly number[]): { from: number; to: number }[] {
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  let at = 0;
  return values.map((value) => {
    const from = at;
    at += value / total;
    return { from, to: at };
  });
}
