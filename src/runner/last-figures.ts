import type { FigureNumbers, LastRun } from '../figures/changes.js';
import type { ReportRequest } from '../requests/request.js';

/** What was run: a digest, a saved report, or what somebody asked in a channel. */
export type RunOrigin =
  | { readonly kind: 'digest'; readonly id: string }
  | { readonly kind: 'saved-report'; readonly id: string }
  | { readonly kind: 'asker'; readonly channel: string };

/** Whose figures: those of one request, which a digest or a saved report may have changed since. */
export interface LastFiguresKey {
  readonly run: RunOrigin;
  readonly asker: string;
  readonly request: ReportRequest;
}

/** The figures of the last run of each request, to show a change where a figure describes a state now. */
export interface LastFigures {
  find(of: LastFiguresKey): Promise<LastRun | undefined>;
  /** Keeps figures in place of those from before. */
  save(of: LastFiguresKey, figures: FigureNumbers, takenAt: number): Promise<void>;
  /** Deletes at most `limit` of those taken before a time. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}
