import { useState } from 'react';
import { useWidth } from '../parts/use-width.js';
import { Axes } from './axes.js';
import { Bars } from './bars.js';
import { layOut, middleOf } from './cartesian-layout.js';
import { type CartesianChart, valueAt } from './chart-block.js';
import { Lines } from './lines.js';
import { writeValue } from './scale.js';

/** A bar, line or area chart. Pointing at a category shows its numbers. */
export function Cartesian({ chart }: { chart: CartesianChart }) {
  const [frame, width] = useWidth<HTMLDivElement>(520);
  const [pointed, setPointed] = useState<number>();
  const layout = layOut(chart, width);
  const { categories } = chart.axis_config;
  return (
    <div ref={frame} className="cartesian">
      {chart.series.length > 1 ? <Legend chart={chart} /> : null}
      <svg width={layout.width} height={layout.height} aria-hidden="true">
        {pointed === undefined ? null : (
          <rect
            className="band"
            x={layout.left + layout.band * pointed}
            y={layout.top}
            width={layout.band}
            height={layout.bottom - layout.top}
          />
        )}
        <Axes chart={chart} layout={layout} />
        {chart.type === 'bar' ? (
          <Bars chart={chart} layout={layout} />
        ) : (
          <Lines chart={chart} layout={layout} />
        )}
        {categories.map((category, index) => (
          <rect
            key={category}
            className="band-target"
            x={layout.left + layout.band * index}
            y={layout.top}
            width={layout.band}
            height={layout.bottom - layout.top}
            onPointerEnter={() => setPointed(index)}
            onPointerLeave={() => setPointed(undefined)}
          />
        ))}
      </svg>
      {pointed === undefined ? null : (
        <Readout
          chart={chart}
          category={categories[pointed] ?? ''}
          x={middleOf(pointed, layout)}
          width={width}
        />
      )}
    </div>
  );
}

function Legend({ chart }: { chart: CartesianChart }) {
  return (
    <ul className="legend" aria-hidden="true">
      {chart.series.map((series, index) => (
        <li key={series.name}>
          <span className={`swatch series-${index % 12}`} />
          {series.name}
        </li>
      ))}
    </ul>
  );
}

function Readout(props: { chart: CartesianChart; category: string; x: number; width: number }) {
  const { chart, category, x, width } = props;
  const style = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div className="readout" style={style} aria-hidden="true">
      <div className="readout-category">{category}</div>
      {chart.series.map((series, index) => {
        const value = valueAt(series, category);
        return (
          <div key={series.name} className="readout-line">
            <span className={`swatch series-${index % 12}`} />
            <span>{series.name}</span>
            <strong>{value === undefined ? 'none' : writeValue(value)}</strong>
          </div>
        );
      })}
    </div>
  );
}
