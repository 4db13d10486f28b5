import type { WebClient } from '@slack/web-api';
import type { Asker, ReportRequest, ResolvedRange, WeekStart } from '../requests/request.js';
import type { ReportSource } from '../runner/report-source.js';
import type { RunOf } from '../store/requests/last-figures.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../time/clock.js';
import type { AnswerFiles } from './delivery/answer-files.js';
import type { EditBudget } from './delivery/edit-budget.js';
import type { RefusedBlocks } from './delivery/refused-blocks.js';
import type { ShareFile } from './delivery/upload.js';
import type { Channels } from './directory/channels.js';
import type { Place } from './request-context.js';
import type { RunningAsks } from './running-asks.js';

/** A request that somebody made in Slack, in words or by a button. */
export interface AskOrder {
  readonly request: ReportRequest;
  /** After `/report `, as typed; absent where a button asked. */
  readonly typed?: string;
  readonly asker: Asker;
  readonly place: Place;
  /** The same place as it is at this moment. */
  readonly lookAgain: () => Promise<Place>;
  /** The range of an earlier answer, where the same is asked again. */
  readonly range?: ResolvedRange;
  /** The file alone, into the thread of the summary with this `ts`. */
  readonly fileInto?: string;
  /** The digest or saved report that is run; absent: what somebody asked. */
  readonly runOf?: Exclude<RunOf, { readonly kind: 'asker' }>;
  /** True for a test, *Send again* and Share: later answers are not compared with it. */
  readonly isRepeat?: boolean;
}

/** How an ask ended, for the log and the metrics. */
export interface AskEnd {
  readonly report: string;
  readonly outcome: 'answered' | 'failed' | 'cancelled';
  readonly seconds: number;
  readonly records: number;
  readonly code?: string;
}

export interface AskParts {
  readonly team: string;
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
  readonly store: Pick<Store, 'asks' | 'ledger' | 'approvals' | 'lastFigures' | 'knownValues'>;
  /** Makes its calls once, with no retries of its own. */
  readonly client: WebClient;
  readonly share: ShareFile;
  readonly channels: Channels;
  readonly edits: EditBudget;
  readonly refused: RefusedBlocks;
  readonly running: RunningAsks;
  readonly files: AnswerFiles;
  readonly clock: Clock;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Told that somebody's ask is under way, once it is remembered. */
  readonly began: (asker: string) => void;
  readonly ended: (end: AskEnd) => void;
}
