import { z } from 'zod';
import { allReports } from '../catalogue/index.js';
import type { AlertCondition } from '../requests/alert-condition.js';
import { fileFormats, type ReportRequest } from '../requests/request.js';
import { cadenceSchema, type Schedule } from '../schedule/cadence.js';
import { isZone } from '../time/calendar.js';

/*
 * A newer version or an edit of the database can make stored settings invalid, so they are validated when read. Cron
 * expressions are parsed only when used.
 */

const schedule = z.object({
  cadence: cadenceSchema,
  zone: z.string().refine(isZone, 'is no time zone'),
  firstDay: z.iso.date(),
});

const request = z.looseObject({
  report: z.enum(allReports.map(({ name }) => name)),
  view: z.enum(['overdue', 'due']).optional(),
  range: z.string().optional(),
  assigned: z.string().optional(),
  states: z.array(z.string()).min(1).optional(),
  titles: z
    .array(
      z.looseObject({
        option: z.enum(['content', 'track', 'assessment', 'workshop']),
        text: z.string(),
        id: z.string().optional(),
      }),
    )
    .optional(),
  dateField: z.string().optional(),
  sort: z.string().optional(),
  columns: z.array(z.string()).optional(),
  filters: z.array(z.looseObject({ object: z.string(), member: z.string(), entries: z.array(z.string()) })),
  by: z.string().optional(),
  showRows: z.literal(true).optional(),
  file: z.enum(fileFormats).optional(),
  target: z.looseObject({ percent: z.number().gt(0).max(100), by: z.string().optional() }).optional(),
  toMe: z.boolean(),
});

const line = z.union([
  z.object({ request }),
  z.looseObject({ name: z.string(), saved: z.string().optional() }),
]);

const scorecard = z.looseObject({
  scorecard: z.looseObject({ name: z.string(), lines: z.array(line).min(1) }).optional(),
});

const condition = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('threshold'),
    figure: z.string().min(1),
    comparison: z.enum(['>', '>=', '<', '<=']),
    value: z.number(),
    isPercent: z.boolean(),
  }),
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('new-rows') }),
]);

const zones = z.array(z.string().refine(isZone, 'is no time zone'));

/** @throws SyntaxError or ZodError */
export function readSchedule(text: string): Schedule {
  const stored: Schedule = JSON.parse(text);
  schedule.parse(stored);
  return stored;
}

/** @throws SyntaxError or ZodError */
export function readRequest(text: string): ReportRequest {
  const stored: ReportRequest = JSON.parse(text);
  request.parse(stored);
  scorecard.parse(stored);
  return stored;
}

/** @throws SyntaxError or ZodError */
export function readCondition(text: string): AlertCondition {
  return condition.parse(JSON.parse(text));
}

/** @throws SyntaxError or ZodError */
export function readZones(text: string): readonly string[] {
  return zones.parse(JSON.parse(text));
}
