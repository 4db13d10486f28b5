const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const hundredths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const thousandths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });
const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** `1,234`. */
export function sayCount(count: number): string {
  return (Number.isInteger(count) ? whole : tenths).format(count);
}

/** At most one decimal, `4.2`, `1,234`. */
export function sayTenths(value: number): string {
  return tenths.format(value);
}

/** At most two decimals, `4.25`. */
export function sayHundredths(value: number): string {
  return hundredths.format(value);
}

/** At most three decimals, `0.125`. */
export function sayThousandths(value: number): string {
  return thousandths.format(value);
}

/** The first two digits that are not 0, `0.0027`. */
export function sayTwoDigits(value: number): string {
  return twoDigits.format(value);
}

/** With exactly so many decimals, `4.00`, `1,234.5`. */
export function sayDecimals(value: number, decimals: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** `1 person`, `2 people`, `1,234 people`. */
export function sayMany(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${sayCount(count)} ${count === 1 ? one : many}`;
}

/** `78%`, `12.5%`; never 100% where something is lacking, nor 0% where there is something. With `decimals`: so many. */
export function sayPercent(part: number, of: number, decimals?: number): string {
  const percent = (100 * part) / of;
  if (part > 0 && percent < 0.05) return 'under 0.1%';
  if (part < of && percent >= 99.95) return 'over 99.9%';
  return `${decimals === undefined ? tenths.format(percent) : sayDecimals(percent, decimals)}%`;
}

/** `45 minutes`, `7.5 hours`, `1,234 hours`; with `decimals`, hours have so many. */
export function sayTime(seconds: number, decimals?: number): string {
  const minutes = Math.round(seconds / 60);
  if (Math.abs(seconds) > 0 && Math.abs(seconds) < 60)
    return sayMany(Math.round(seconds), ['second', 'seconds']);
  if (seconds !== 0 && Math.abs(minutes) < 60) return sayMany(minutes, ['minute', 'minutes']);
  const hours = seconds / 3600;
  if (decimals !== undefined && decimals > 0) return `${sayDecimals(hours, decimals)} hours`;
  const shown = Math.abs(hours) < 100 ? Math.round(hours * 10) / 10 : Math.round(hours);
  return sayMany(shown, ['hour', 'hours']);
}
