import { refersToAsker } from '../requests/request.js';
import { isForManagers, type ManagersRefusal, managersRefusals } from '../requests/to-managers.js';
import { isDailyAtMost } from '../schedule/next-runs.js';
import type { DigestDraft } from './digest.js';

type ManagersDraft = Pick<DigestDraft, 'request' | 'cadence' | 'when' | 'replace' | 'audience'>;

interface RefusedForManagers {
  readonly sentence: string;
  readonly about: 'request' | 'condition' | 'time';
}

/** Validates a draft that goes to managers, whoever makes it. Undefined: it is possible, or goes elsewhere. */
export function managersRefusal({
  request,
  cadence,
  when,
  replace,
  audience,
}: ManagersDraft): RefusedForManagers | undefined {
  if (audience !== 'managers') return undefined;
  const refused = (why: ManagersRefusal, about: RefusedForManagers['about'] = 'request') => ({
    sentence: managersRefusals[why],
    about,
  });
  if (request.scorecard) return refused('scorecard');
  if (!isForManagers(request.report)) return refused('report');
  if (request.file !== undefined) return refused('file');
  if (request.by !== undefined) return refused('breakdown');
  if (request.over !== undefined || request.against) return refused('over-time');
  if (request.target) return refused('target');
  if (replace) return refused('replace');
  if (refersToAsker(request)) return refused('me');
  if (when && when.kind !== 'new-rows') return refused('condition', 'condition');
  return isDailyAtMost(cadence) ? undefined : refused('cadence', 'time');
}
