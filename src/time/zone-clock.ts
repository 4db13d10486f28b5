/** A time in which a zone's clocks stay equally far from UTC. All in seconds. */
export interface SteadyTime {
  /** Inclusive; when the clocks were changed, or earlier than that where it does not matter. */
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
  /** How far the clocks are ahead of UTC. */
  readonly offset: number;
}

const DAY = 24 * 60 * 60;

/** Changes of the clocks are looked for in so much time at once, and remembered. */
const SPAN = 64 * DAY;

/** No zone has been further from UTC than this since 1970. */
const FURTHEST_EAST = 14 * 60 * 60;

const spansByZone = new Map<string, Map<number, readonly SteadyTime[]>>();
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

/** The steady time that an instant in epoch seconds lies in. */
export function steadyTimeAt(instant: number, zone: string): SteadyTime {
  const spans = spansByZone.get(zone) ?? new Map<number, readonly SteadyTime[]>();
  spansByZone.set(zone, spans);
  const number = Math.floor(instant / SPAN);
  const span = spans.get(number) ?? steadyTimes(number * SPAN, (number + 1) * SPAN, zone);
  spans.set(number, span);
  const found = span.find(({ until }) => instant < until);
  if (!found) throw new Error(`No time in ${zone} at ${instant}`);
  return found;
}

/**
 * The first instant, in epoch seconds, at which a zone's clocks have come to a wall-clock time: the end of the gap
 * where they jump over it, the first where they show it twice.
 *
 * @param wall the time as if the clocks were at UTC, in epoch seconds
 */
export function whenClocksShow(wall: number, zone: string): number {
  let time = steadyTimeAt(wall - FURTHEST_EAST, zone);
  while (wall - time.offset >= time.until) time = steadyTimeAt(time.until, zone);
  return Math.max(wall - time.offset, time.from);
}

/**
 * Seconds that a zone's clocks are ahead of UTC at an instant in epoch seconds. @date-fns/tz has the same as `tzOffset`,
 * but loses the sign of offsets between zero and minus one hour (Africa/Monrovia until 1972).
 */
export function offsetAt(instant: number, zone: string): number {
  const format =
    offsetFormats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  offsetFormats.set(zone, format);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(format.format(instant * 1000)) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** The steady times of a span, found by looking once a day. No zone has changed its clocks twice within a day since 1970. */
function steadyTimes(from: number, until: number, zone: string): readonly SteadyTime[] {
  const times: SteadyTime[] = [];
  let [start, offset] = [from, offsetAt(from, zone)];
  for (let day = from; day < until; day += DAY) {
    const offsetAfter = offsetAt(day + DAY, zone);
    if (offsetAfter === offset) continue;
    const change = firstSecondAfterChange(day, day + DAY, offset, zone);
    if (change === until) break;
    times.push({ from: start, until: change, offset });
    [start, offset] = [change, offsetAfter];
  }
  return [...times, { from: start, until, offset }];
}

function firstSecondAfterChange(before: number, after: number, offset: number, zone: string): number {
  let [notYet, already] = [before, after];
  while (already - notYet > 1) {
    const between = Math.floor((notYet + already) / 2);
    if (offsetAt(between, zone) === offset) notYet = between;
    else already = between;
  }
  return already;
}
