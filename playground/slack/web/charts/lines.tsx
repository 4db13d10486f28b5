import { type CartesianLayout, middleOf } from './cartesian-layout.js';
import { type CartesianChart, type Series, valueAt } from './chart-block.js';
import { place } from './scale.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** One line a series; for an area the ground below it is tinted too. A missing value breaks the line. */
export function Lines({ chart, layout }: { chart: CartesianChart; layout: CartesianLayout }) {
  const zero = place(0, layout.axis, layout.bottom, layout.top);
  return chart.series.map((series, index) => {
    const colour = `series-${index % 12}`;
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
    run.push({ x: middleOf(index, layout), y: place(value, layout.axis, layout.bottom, layout.top) });
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
