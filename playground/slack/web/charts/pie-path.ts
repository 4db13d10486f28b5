/** A slice between two fractions of the circle, from twelve o'clock on, as an SVG path around the origin. */
export function slicePath(from: number, to: number, radius: number, hole: number): string {
  if (to - from >= 0.99999) {
    return `${ring(radius, 1)} ${ring(hole, 0)}`;
  }
  const large = to - from > 0.5 ? 1 : 0;
  return [
    `M ${at(from, radius)}`,
    `A ${radius} ${radius} 0 ${large} 1 ${at(to, radius)}`,
    `L ${at(to, hole)}`,
    `A ${hole} ${hole} 0 ${large} 0 ${at(from, hole)}`,
    'Z',
  ].join(' ');
}

function ring(radius: number, sweep: 0 | 1): string {
  return `M 0 ${-radius} A ${radius} ${radius} 0 1 ${sweep} 0 ${radius} A ${radius} ${radius} 0 1 ${sweep} 0 ${-radius} Z`;
}

function at(fraction: number, radius: number): string {
  const angle = fraction * 2 * Math.PI;
  return `${round(Math.sin(angle) * radius)} ${round(-Math.cos(angle) * radius)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
