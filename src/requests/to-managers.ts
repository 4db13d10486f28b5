import { managerFlag, type ReportName, reportNamed } from '../catalogue/index.js';

/** Why a digest cannot go to managers as it is asked for, with the way out. */
export const managersRefusals = {
  report:
    'Managers get overdue, due, assignments, tracks, completions or assessments: other reports are not about what their people have to do.',
  file: 'Managers get no files: under each message, All of them shows the rows. Leave the file out.',
  breakdown: 'Each message lists people with their items, so there is no breakdown in it. Leave by: out.',
  'over-time':
    'Each message says what has changed since the last one, so over: and against: do not go with to:managers. Leave them out.',
  target: 'A target is about everybody, and each manager gets their own people alone. Leave target: out.',
  scorecard:
    'A scorecard has totals of several reports, and managers get the rows of one. Schedule one of its lines.',
  replace:
    'Each manager keeps the messages, so replace does not go with to:managers. Use keep:7d to delete them after some days.',
  'to-me': 'It goes to you with to:me, or to each manager with to:managers. Keep one of them.',
  condition: 'For managers, only when new-rows is possible: figures of a few people change all the time.',
  cadence: 'Managers get a digest daily at most. Choose daily, weekdays, weekly or less.',
  me: '“me” would be you in every message, and each manager gets their own team anyway. Leave it out.',
} as const;

export type ManagersRefusal = keyof typeof managersRefusals;

/** True for the reports that managers can get: they are about what people have to do, and name the managers. */
export function isForManagers(name: ReportName): boolean {
  const { titleFilters, fields } = reportNamed(name);
  return titleFilters.length > 0 && fields.some(({ flag }) => flag === managerFlag);
}
