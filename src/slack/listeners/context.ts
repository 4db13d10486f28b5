import type { WebClient } from '@slack/web-api';
import type { Scheduler } from '../../digests/scheduler.js';
import type { Store } from '../../store/store.js';
import type { AnswerParts } from '../answer-request.js';
import type { Send } from '../delivery/response-url.js';
import type { Memberships } from '../directory/memberships.js';
import type { People } from '../directory/people.js';
import type { Home } from '../home.js';
import type { BuilderDraft } from '../modals/builder/state.js';

/** What the listeners work with, all of it made in `app.ts`. */
export interface ListenerParts extends AnswerParts {
  readonly store: AnswerParts['store'] &
    Pick<
      Store<BuilderDraft>,
      'builderDrafts' | 'savedReports' | 'digests' | 'ledger' | 'digestDrafts' | 'digestNotifications'
    >;
  readonly people: People;
  readonly memberships: Memberships;
  readonly scheduler: Pick<Scheduler, 'checkNow'>;
  readonly home: Home;
  readonly send: Send;
  /** For forms, whose triggers die after three seconds. */
  readonly interactive: WebClient;
  /** IANA zone for those whose profile gives none. */
  readonly defaultZone: string;
  readonly botUserId: string;
  /** True where an acknowledgement is sure to arrive, and may carry the reply. */
  readonly repliesInAcknowledgements: boolean;
  /** Slack user IDs. */
  readonly admins: readonly string[];
  /** Channels that may get person-level data without anybody's approval; `*`: all that are not shared. */
  readonly personLevelChannels: '*' | readonly string[];
}
