import { useState } from 'react';
import { type CartesianChart, type Series, valueAt } from '../blocks/page-block.js';
import { renderList, useWidth } from '../parts/hooks.js';
import { drawableText } from '../text/drawable.js';
import {
  type CartesianLayout,
  estimateTextWidth,
  formatTick,
  formatValue,
  layOut,
  middleOf,
  scaleToPixels,
} from './scale.js';

/** A bar, line or area chart. Hovering a category shows its numbers. */
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
          <span className={`swatch series-${index}`} />
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
            <span className={`swatch series-${index}`} />
            <span>{series.name}</span>
            <strong>{value === undefined ? 'none' : formatValue(value)}</strong>
          </div>
        );
      })}
    </div>
  );
}

/** Vertical bars, side by side within a category. They show their numbers if all numbers fit. */
function Bars({ chart, layout }: { chart: CartesianChart; layout: CartesianLayout }) {
  const { axis, top, bottom, band } = layout;
  const count = chart.series.length;
  const gap = count > 1 ? 2 : 0;
  const barWidth = Math.max(2, Math.min(44, (band * 0.72 - gap * (count - 1)) / count));
  const groupWidth = barWidth * count + gap * (count - 1);
  const zero = scaleToPixels(0, axis, bottom, top);
  const numbers = numbersFit(chart, barWidth + (count === 1 ? band * 0.25 : 0));
  return chart.axis_config.categories.map((category, categoryIndex) => (
    <g key={category}>
      {chart.series.map((series, index) => {
        const value = valueAt(series, category);
        if (value === undefined) return null;
        const x = middleOf(categoryIndex, layout) - groupWidth / 2 + index * (barWidth + gap);
        const y = scaleToPixels(value, axis, bottom, top);
        return (
          <g key={series.name}>
            <path className={`bar series-${index}`} d={barPath(x, barWidth, zero, y)} />
            {numbers ? (
              <text
                className="bar-number"
                x={x + barWidth / 2}
                y={value < 0 ? y + 12 : y - 5}
                textAnchor="middle"
              >
                {formatValue(value)}
              </text>
            ) : null}
          </g>
        );
      })}
    </g>
  ));
}

function numbersFit(chart: CartesianChart, room: number): boolean {
  return chart.series.every((series) =>
    series.data.every((point) => estimateTextWidth(formatValue(point.value)) < room),
  );
}

/** A bar from zero to its value, with rounded corners at the value. */
function barPath(x: number, width: number, zero: number, y: number): string {
  const height = Math.abs(zero - y);
  const corner = Math.min(3, height, width / 2);
  const inward = y < zero ? corner : -corner;
  return `M ${x} ${zero} L ${x} ${y + inward} Q ${x} ${y} ${x + corner} ${y} L ${x + width - corner} ${y} Q ${x + width} ${y} ${x + width} ${y + inward} L ${x + width} ${zero} Z`;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A line per series; area charts fill the area below. A missing value breaks the line. */
function Lines({ chart, layout }: { chart: CartesianChart; layout: CartesianLayout }) {
  const zero = scaleToPixels(0, layout.axis, layout.bottom, layout.top);
  return chart.series.map((series, index) => {
    const colour = `series-${index}`;
    return (
      <g key={series.name}>
        {runsOf(series, chart, layout).map((run) => (
          <g key={run[0]?.x}>
            {chart.type === 'area' ? <path className={`area ${colour}`} d={areaPath(run, zero)} /> : null}
            <path className={`line ${colour}`} d={linePath(run)} />
            {run.map((point) => (
              <circle key={point.x} className={`dot ${colour}`} cx={point.x} cy={point.y} r={3} />
            ))}
          </g>
        ))}
      </g>
    );
  });
}

function runsOf(series: Series, chart: CartesianChart, layout: CartesianLayout): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
  for (const [index, category] of chart.axis_config.categories.entries()) {
    const value = valueAt(series, category);
    if (value === undefined) {
      run = [];
      continue;
    }
    if (run.length === 0) runs.push(run);
    run.push({ x: middleOf(index, layout), y: scaleToPixels(value, layout.axis, layout.bottom, layout.top) });
  }
  return runs;
}

function linePath(points: readonly Point[]): string {
  return points.map((point, index) => `${index === 0 ? 'M' : 'L'} ${point.x} ${point.y}`).join(' ');
}

function areaPath(points: readonly Point[], zero: number): string {
  const first = points[0];
  const last = points.at(-1);
  return first && last ? `${linePath(points)} L ${last.x} ${zero} L ${first.x} ${zero} Z` : '';
}

/** Grid lines, ticks, category labels and axis labels. */
function Axes({ chart, layout }: { chart: CartesianChart; layout: CartesianLayout }) {
  const { categories, x_label, y_label } = chart.axis_config;
  const { left, right, top, bottom, axis, slanted, lines } = layout;
  return (
    <g>
      {axis.ticks.map((tick) => {
        const y = scaleToPixels(tick, axis, bottom, top);
        return (
          <g key={tick}>
            <line className={tick === 0 ? 'axis-zero' : 'axis-line'} x1={left} x2={right} y1={y} y2={y} />
            <text className="axis-text" x={left - 8} y={y} dy="0.35em" textAnchor="end">
              {formatTick(tick)}
            </text>
          </g>
        );
      })}
      {categories.map((category, index) => {
        const x = middleOf(index, layout);
        return slanted ? (
          <text
            key={category}
            className="axis-text"
            textAnchor="end"
            transform={`translate(${x + 4} ${bottom + 14}) rotate(-35)`}
          >
            {drawableText(lines[index]?.[0] ?? category)}
          </text>
        ) : (
          <text key={category} className="axis-text" textAnchor="middle">
            {renderList(lines[index] ?? [], (line, row) => (
              <tspan x={x} y={bottom + 17 + row * 13}>
                {drawableText(line)}
              </tspan>
            ))}
          </text>
        );
      })}
      {y_label ? (
        <text className="axis-name" x={0} y={12}>
          {y_label}
        </text>
      ) : null}
      {x_label ? (
        <text className="axis-name" x={(left + right) / 2} y={layout.height - 5} textAnchor="middle">
          {x_label}
        </text>
      ) : null}
    </g>
  );
}
