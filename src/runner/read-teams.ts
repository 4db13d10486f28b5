import { unlimitedScope } from '../access/scope.js';
import { fieldsOfTeams, type TeamsPlan } from '../figures/reports/team-rows.js';
import type { Asker, ReportRequest } from '../requests/request.js';
import type { ReadResult, TeamsRead } from './ports.js';
import {
  expectDecided,
  figuresPlan,
  plannedQuery,
  type RunOptions,
  type RunParts,
  type RunRanges,
  resolveRanges,
} from './queries.js';

export interface TeamsOptions extends Pick<RunOptions, 'urgency' | 'signal' | 'onRecords' | 'onWait'> {
  /** Whose zone the range and due dates are in. */
  readonly asker: Asker;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** The file of what is found. The caller deletes it. */
  readonly path: string;
  readonly newRows?: TeamsPlan['newRows'];
}

export interface ReadTeams extends TeamsRead {
  readonly range: RunRanges['shown'];
  readonly leavesOutPeople?: ReadResult['leavesOutPeople'];
}

/**
 * Asks for everybody's rows once, and has those of each manager's direct reports counted apart.
 *
 * @throws `range-refused`, `title-undecided`, `person-erased`, `asker-has-no-address`, and the known errors of the source
 */
export async function readTeams(
  request: ReportRequest,
  { asker, requestedAt, path, newRows, ...reading }: TeamsOptions,
  { source, work, weekStart }: Pick<RunParts, 'source' | 'work' | 'weekStart'>,
): Promise<ReadTeams> {
  expectDecided(request, asker);
  const options = { asker, requestedAt, scope: unlimitedScope, ...reading } as const;
  const ranges = resolveRanges(request, options, weekStart);
  const teams: TeamsPlan = { path, figures: figuresPlan(request, ranges, options), newRows };
  const found = { teams, conditions: ranges.conditions };
  const { query, plan } = plannedQuery(request, ranges.queried, fieldsOfTeams(teams), found, options);
  // Other digests go first: one question for thousands of people may take long.
  const urgency = reading.urgency === 'digest' ? 'digest-before' : reading.urgency;
  const read = await source.read(query, plan, { ...reading, urgency, asker: asker.id, work });
  if (!read.teams) throw new Error('The source has read no teams');
  return { ...read.teams, range: ranges.shown, leavesOutPeople: read.leavesOutPeople };
}
