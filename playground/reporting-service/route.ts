import { allReports, type Report } from '../bot.js';
import { quoted, Refusal } from './refusal.js';

/** Which report a request is for, and its range in epoch seconds, `[from, until)`. */
export interface Route {
  readonly report: Report;
  readonly range?: { readonly from: number; readonly until: number };
}

const base = ['api', 'v1', 'reports'];

/** Numbers from here on are milliseconds, not seconds: seconds do not reach it before the year 5138. */
const firstMilliseconds = 100_000_000_000;

/**
 * Reads the method and the path of a request; a query after `?` is ignored.
 * @throws Refusal 404 for a path that is none of the service's, 405 for a method, 400 for the range
 */
export function routeOf(method: string, target: string): Route {
  const path = target.split('?')[0] ?? '';
  const [root, ...parts] = path.split('/');
  const [operation, ...range] = parts.slice(base.length);
  const report = allReports.find((each) => each.operation === operation);
  if (root !== '' || base.some((part, index) => parts[index] !== part) || !report) {
    throw new Refusal(404, 'unknown_path', `There is nothing at ${quoted(path)}. ${pathsThereAre()}`);
  }
  const wanted = report.range ? 2 : 0;
  if (range.length !== wanted) {
    throw new Refusal(404, 'unknown_path', `The path of ${report.operation} is ${shapeOf(report)}.`);
  }
  if (method !== 'POST') {
    throw new Refusal(405, 'wrong_method', `${report.operation} is asked with POST, not with ${method}.`, {
      headers: { allow: 'POST' },
    });
  }
  if (!report.range) return { report };
  const from = epoch('from', range[0] ?? '');
  const until = epoch('until', range[1] ?? '');
  if (until < from) {
    throw new Refusal(400, 'reversed_range', `until (${until}) lies before from (${from}).`, {
      member: 'until',
    });
  }
  return { report, range: { from, until } };
}

function epoch(name: 'from' | 'until', text: string): number {
  const wrong = (code: string, what: string) =>
    new Refusal(400, code, `${name} is ${quoted(text)}: ${what}.`, { member: name });
  if (!/^[0-9]+$/.test(text)) throw wrong('not_an_epoch', 'it takes epoch seconds, digits only');
  const seconds = Number(text);
  if (seconds >= firstMilliseconds) throw wrong('milliseconds', 'it takes epoch seconds, not milliseconds');
  return seconds;
}

function shapeOf(report: Report): string {
  return `/${base.join('/')}/${report.operation}${report.range ? '/{from}/{until}' : ''}`;
}

function pathsThereAre(): string {
  return `There are ${allReports.map(shapeOf).join(', ')}.`;
}
