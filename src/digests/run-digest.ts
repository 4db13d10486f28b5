import { createHash } from 'node:crypto';
import { meansTheAsker } from '../runner/query.js';
import { runReport } from '../runner/run-report.js';
import type { FiguresOf } from '../store/requests/last-figures.js';
import type { Digest, DigestRun } from './digest.js';
import type { DigestParts } from './ports.js';
import { type Rights, rightsOf } from './rights.js';
import { sameAs } from './same-as.js';
import type { SharedReport, SharedReports } from './shared-reports.js';

/** A run that is at work. */
export interface RunAtWork {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly held: { readonly id: string; readonly worker: string };
  readonly signal: AbortSignal;
}

/** Makes the report of a run with its owner's rights, or takes the one that another run has made of the same. */
export async function reportFor(
  { digest, run, signal }: RunAtWork,
  rights: Rights,
  { fileOnly }: { readonly fileOnly: boolean },
  parts: DigestParts,
  shared: SharedReports,
): Promise<SharedReport> {
  const { request, schedule } = digest;
  const { asker, route, place } = rights;
  const namesPeople = route.summary === 'direct' || place.kind === 'direct';
  const report = await shared.get(
    keyOf([
      sameAs(request, schedule.zone, run.dueAt),
      namesPeople,
      fileOnly,
      meansTheAsker(request) ? asker.email : null,
    ]),
    (csvPath) =>
      runReport(
        {
          request,
          asker,
          askedAt: run.dueAt,
          ...(route.csv === 'none' ? {} : { csvPath }),
          fileOnly,
          namesPeople,
          urgency: 'digest',
          signal,
        },
        { source: parts.source, weekStart: parts.weekStart },
      ),
  );
  if (fileOnly) return report;
  // Several digests may share a report, and each is compared with its own last run.
  const lastRun = await parts.store.lastFigures.find(figuresOf(digest)).catch(async (error) => {
    await report.release();
    throw error;
  });
  return { ...report, result: { ...report.result, ...(lastRun ? { lastRun } : {}) } };
}

export function figuresOf({ id, owner, request }: Digest): FiguresOf {
  return { run: { kind: 'digest', id }, asker: owner, request };
}

function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/**
 * The rights at the moment of sending: the report, its turn, or the upload may have taken long. Before what names people
 * is shown in a channel, Slack describes the channel, and who is in it, once more; for the rest, what Slack has reported
 * since is enough.
 *
 * @param namesPeople whether what is about to be sent names people, by these rights
 * @throws DigestFailed
 */
export async function rightsNow(
  digest: Digest,
  namesPeople: (rights: Rights) => boolean,
  parts: DigestParts,
): Promise<Rights> {
  const rights = await rightsOf(digest, parts);
  const { place } = rights;
  const namesHere = place.kind !== 'direct' && place.personLevel === 'allowed' && namesPeople(rights);
  return namesHere ? rightsOf(digest, parts, true) : rights;
}
