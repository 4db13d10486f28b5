import { useId, useState } from 'react';
import {
  type CartesianChart,
  type DataVisualizationBlock,
  type PieChart,
  valueAt,
} from '../blocks/page-block.js';
import { renderList } from '../parts/hooks.js';
import { drawable } from '../text/drawable.js';
import { Cartesian } from './cartesian.js';
import { formatValue, slicePath } from './scale.js';

/** A chart with its title. Screen readers get a table with the same numbers. */
export function DataVisualization({ block }: { block: DataVisualizationBlock }) {
  const title = useId();
  const { chart } = block;
  return (
    <figure className="chart" aria-labelledby={title}>
      <figcaption id={title} className="chart-title">
        {drawable(block.title)}
      </figcaption>
      {chart.type === 'pie' ? <Pie chart={chart} /> : <Cartesian chart={chart} />}
      <div className="for-screen-readers">
        {chart.type === 'pie' ? (
          <PieTable chart={chart} title={block.title} />
        ) : (
          <CartesianTable chart={chart} title={block.title} />
        )}
      </div>
    </figure>
  );
}

function PieTable({ chart, title }: { chart: PieChart; title: string }) {
  const total = chart.segments.reduce((sum, segment) => sum + segment.value, 0);
  return (
    <table>
      <caption>{`Pie chart: ${title}`}</caption>
      <tbody>
        {chart.segments.map((segment) => (
          <tr key={segment.label}>
            <th scope="row">{segment.label}</th>
            <td>{formatValue(segment.value)}</td>
            <td>{share(segment.value, total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CartesianTable({ chart, title }: { chart: CartesianChart; title: string }) {
  const { categories, x_label, y_label } = chart.axis_config;
  const kind = { bar: 'Bar', line: 'Line', area: 'Area' }[chart.type];
  return (
    <table>
      <caption>{`${kind} chart: ${title}${y_label ? `, ${y_label}` : ''}`}</caption>
      <thead>
        <tr>
          <th scope="col">{x_label ?? 'Category'}</th>
          {chart.series.map((series) => (
            <th scope="col" key={series.name}>
              {series.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {categories.map((category) => (
          <tr key={category}>
            <th scope="row">{category}</th>
            {chart.series.map((series) => {
              const value = valueAt(series, category);
              return <td key={series.name}>{value === undefined ? 'none' : formatValue(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const radius = 84;
const hole = 48;

/** A ring chart. The legend has the numbers, because angles are hard to compare. */
function Pie({ chart }: { chart: PieChart }) {
  const [pointed, setPointed] = useState<number>();
  const total = chart.segments.reduce((sum, segment) => sum + segment.value, 0);
  const slices = slicesOf(chart.segments.map((segment) => segment.value));
  return (
    <div className="pie">
      <svg viewBox={`${-radius - 4} ${-radius - 4} ${2 * radius + 8} ${2 * radius + 8}`} aria-hidden="true">
        {renderList(slices, ({ from, to }, index) => (
          <path
            d={slicePath(from, to, radius, hole)}
            fillRule="evenodd"
            className={`pie-slice series-${index}${fade(pointed, index)}`}
            onPointerEnter={() => setPointed(index)}
            onPointerLeave={() => setPointed(undefined)}
          />
        ))}
        <text className="pie-total" textAnchor="middle" y={-1}>
          {formatValue(total)}
        </text>
        <text className="pie-total-label" textAnchor="middle" y={17}>
          in total
        </text>
      </svg>
      <ul className="pie-legend" aria-hidden="true">
        {chart.segments.map((segment, index) => (
          <li key={segment.label} className={`pie-legend-item${fade(pointed, index)}`}>
            <span className={`swatch series-${index}`} />
            <span className="pie-legend-label">{drawable(segment.label)}</span>
            <span className="pie-legend-value">{formatValue(segment.value)}</span>
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

function share(value: number, total: number): string {
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
