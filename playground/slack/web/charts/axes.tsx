import { inOrder } from '../parts/in-order.js';
import { type CartesianLayout, middleOf } from './cartesian-layout.js';
import type { CartesianChart } from './chart-block.js';
import { place, writeTick } from './scale.js';

/** Lines across, ticks, the categories' names and the axes' names. */
export function Axes({ chart, layout }: { chart: CartesianChart; layout: CartesianLayout }) {
  const { categories, x_label, y_label } = chart.axis_config;
  const { left, right, top, bottom, axis, slanted, lines } = layout;
  return (
    <g>
      {axis.ticks.map((tick) => {
        const y = place(tick, axis, bottom, top);
        return (
          <g key={tick}>
            <line className={tick === 0 ? 'axis-zero' : 'axis-line'} x1={left} x2={right} y1={y} y2={y} />
            <text className="axis-text" x={left - 8} y={y} dy="0.35em" textAnchor="end">
              {writeTick(tick)}
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
            {category}
          </text>
        ) : (
          <text key={category} className="axis-text" textAnchor="middle">
            {inOrder(lines[index] ?? [], (line, row) => (
              <tspan x={x} y={bottom + 17 + row * 13}>
                {line}
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
