import { useId } from 'react';
import { Cartesian } from './cartesian.js';
import type { CartesianChart, DataVisualizationBlock, PieChart } from './chart-block.js';
import { valueAt } from './chart-block.js';
import { Pie, share } from './pie.js';
import { writeValue } from './scale.js';

/** A chart with its title. Those who don't see it get the same numbers as a table. */
export function DataVisualization({ block }: { block: DataVisualizationBlock }) {
  const title = useId();
  const { chart } = block;
  return (
    <figure className="chart" aria-labelledby={title}>
      <figcaption id={title} className="chart-title">
        {block.title}
      </figcaption>
      {chart.type === 'pie' ? <Pie chart={chart} /> : <Cartesian chart={chart} />}
      <div className="for-screen-readers">
        {chart.type === 'pie' ? (
          <PieInWords chart={chart} title={block.title} />
        ) : (
          <CartesianInWords chart={chart} title={block.title} />
        )}
      </div>
    </figure>
  );
}

function PieInWords({ chart, title }: { chart: PieChart; title: string }) {
  const total = chart.segments.reduce((sum, segment) => sum + segment.value, 0);
  return (
    <table>
      <caption>{`Pie chart: ${title}`}</caption>
      <tbody>
        {chart.segments.map((segment) => (
          <tr key={segment.label}>
            <th scope="row">{segment.label}</th>
            <td>{writeValue(segment.value)}</td>
            <td>{share(segment.value, total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CartesianInWords({ chart, title }: { chart: CartesianChart; title: string }) {
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
              return <td key={series.name}>{value === undefined ? 'none' : writeValue(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
