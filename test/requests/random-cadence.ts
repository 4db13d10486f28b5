import fc from 'fast-check';
import { type Cadence, monthOrdinals, type Weekday, weekdays } from '../../src/schedule/cadence.js';

const two = (number: number) => String(number).padStart(2, '0');

const anyTime = fc
  .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  .map(([hour, minute]) => `${two(hour)}:${two(minute)}`);

const anyDays: fc.Arbitrary<readonly Weekday[]> = fc.subarray([...weekdays], { minLength: 1 });
const anyDayOfMonth = fc.integer({ min: 1, max: 31 });

/** Cron expressions that run at least once, and at most once an hour. */
const anyCron = fc
  .tuple(
    fc.nat({ max: 59 }).map(String),
    fc.constantFrom('*', '9', '0,12', '2', '1-4', '*/6', '8-18/2', '23'),
    fc.constantFrom('*', '1', '15', '28', 'L', '1-7', '*/10'),
    fc.constantFrom('*', '3', '10', 'mar,OCT', '*/3'),
    fc.constantFrom('*', '1-5', '0', '7', 'SUN', 'fri#2', '5L', 'mon,thu'),
  )
  .map((fields) => fields.join(' '));

/** Any cadence that the parser returns. */
export const anyCadence: fc.Arbitrary<Cadence> = fc.oneof(
  fc.record({ kind: fc.constant('daily' as const), time: anyTime }),
  fc.record({ kind: fc.constant('weekdays' as const), time: anyTime }),
  fc.record({ kind: fc.constant('weekly' as const), days: anyDays, time: anyTime }),
  fc.record({
    kind: fc.constant('every-weeks' as const),
    weeks: fc.integer({ min: 2, max: 52 }),
    days: anyDays,
    time: anyTime,
  }),
  fc.record({ kind: fc.constant('monthly' as const), day: anyDayOfMonth, time: anyTime }),
  fc.record({ kind: fc.constant('monthly-last' as const), time: anyTime }),
  fc.record({
    kind: fc.constant('monthly-weekday' as const),
    which: fc.constantFrom(...monthOrdinals),
    weekday: fc.constantFrom(...weekdays),
    time: anyTime,
  }),
  fc.record({ kind: fc.constant('quarterly' as const), day: anyDayOfMonth, time: anyTime }),
  fc.record({ kind: fc.constant('hourly' as const), minute: fc.nat({ max: 59 }) }),
  fc.record({ kind: fc.constant('cron' as const), expression: anyCron }),
);
