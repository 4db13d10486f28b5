import { type CartesianLayout, middleOf } from './cartesian-layout.js';
import { type CartesianChart, valueAt } from './chart-block.js';
import { place, roughTextWidth, writeValue } from './scale.js';

/** Upright bars, side by side within a category; each carries its number where there is room for all of them. */
export function Bars({ chart, layout }: { chart: CartesianChart; layout: CartesianLayout }) {
  const { axis, top, bottom, band } = layout;
  const count = chart.series.length;
  const gap = count > 1 ? 2 : 0;
  const barWidth = Math.max(2, Math.min(44, (band * 0.72 - gap * (count - 1)) / count));
  const groupWidth = barWidth * count + gap * (count - 1);
  const zero = place(0, axis, bottom, top);
  const numbers = numbersFit(chart, barWidth + (count === 1 ? band * 0.25 : 0));
  return chart.axis_config.categories.map((category, categoryIndex) => (
    <g key={category}>
      {chart.series.map((series, index) => {
        const value = valueAt(series, category);
        if (value === undefined) return null;
        const x = middleOf(categoryIndex, layout) - groupWidth / 2 + index * (barWidth + gap);
        const y = place(value, axis, bottom, top);
        return (
          <g key={series.name}>
            <path className={`bar series-${index % 12}`} d={barPath(x, barWidth, zero, y)} />
            {numbers ? (
              <text
                className="bar-number"
                x={x + barWidth / 2}
                y={value < 0 ? y + 12 : y - 5}
                textAnchor="middle"
              >
                {writeValue(value)}
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
    series.data.every((point) => roughTextWidth(writeValue(point.value)) < room),
  );
}

/** A bar from the zero line to its value, with the far end rounded. */
function barPath(x: number, width: number, zero: number, y: number): string {
  const height = Math.abs(zero - y);
  const corner = Math.min(3, height, width / 2);
  const inward = y < zero ? corner : -corner;
  return `M ${x} ${zero} L ${x} ${y + inward} Q ${x} ${y} ${x + corner} ${y} L ${x + width - corner} ${y} Q ${x + width} ${y} ${x + width} ${y + inward} L ${x + width} ${zero} Z`;
}
