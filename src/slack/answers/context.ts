import type { WebClient } from '@slack/web-api';
import type { Level } from '../../access/levels.js';
import type { AccessSettings } from '../../config/config.js';
import type { FirstLooks } from '../../runner/daily-look.js';
import type { Scheduler } from '../../scheduler/scheduler.js';
import type { Signals, TabContents } from '../../store/signals.js';
import type { Store } from '../../store/store.js';
import type { Send } from '../context/request-context.js';
import type { AccessDirectory } from '../directory/access.js';
import type { ChannelReaders } from '../directory/channel-readers.js';
import type { Memberships } from '../directory/channels.js';
import type { Managers } from '../directory/managers.js';
import type { PeopleList } from '../directory/people.js';
import type { PeopleNames } from '../directory/people-names.js';
import type { UserGroups } from '../directory/user-groups.js';
import type { BuilderDraft } from '../forms/draft.js';
import type { AnswerParts } from './answer-request.js';

export interface Home {
  /** Draws a person's tab again. Never throws. `contents` changes what the tab shows from now on. */
  show(user: string, contents?: Partial<TabContents>): Promise<void>;
  /** Records that a person has opened their tab, because they pressed a button on it. */
  markOpened(user: string): void;
  /** Draws a person's tab again after a change, if they have ever opened it. */
  changed(user: string): void;
}

/** Everything that listeners need. `app.ts` builds it. */
export interface ListenerParts extends AnswerParts {
  readonly store: Store<BuilderDraft>;
  /** The first look at names. Absent: names come from answers alone. */
  readonly firstLooks?: FirstLooks | undefined;
  readonly names: PeopleNames;
  readonly directory: PeopleList;
  readonly access: AccessDirectory;
  readonly memberships: Memberships;
  /** Who reads a channel, before an admin approves it. */
  readonly readersOf: (channel: string) => Promise<ChannelReaders>;
  readonly userGroups: UserGroups;
  /** DEFAULT_ACCESS. */
  readonly defaultAccess: Level;
  /** ROLLCALL_ADMINS. */
  readonly configuredAdmins: readonly string[];
  readonly scheduler: Pick<Scheduler, 'checkNow'>;
  readonly home: Home;
  readonly managers: Managers;
  readonly signals: Signals;
  readonly send: Send;
  /** True where files, approvals and rules need a purpose. */
  readonly asksPurpose: boolean;
  /** KEEP_RECORD_DAYS. */
  readonly keepRecordDays: number;
  /** Of the operator, as the rules of today show them. */
  readonly settings: AccessSettings;
  /** For modals, whose triggers expire after three seconds. */
  readonly interactive: WebClient;
  /** The number that tells lists of LEFT_OUT apart, as in figures; undefined or absent where no one is left out. */
  readonly listOfLeftOut?: () => number | undefined;
  readonly botUserId: string;
  /** True if an acknowledgement always arrives and can carry the reply. */
  readonly repliesInAcknowledgements: boolean;
}
