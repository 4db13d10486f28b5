import type { TeamEntry } from '../runner/ports.js';

/** A Slack account with a manager's address. */
export interface ReaderAccount {
  /** A Slack user ID. */
  readonly id: string;
  readonly standing: 'member' | 'guest' | 'outsider' | 'bot' | 'gone' | 'unknown';
  /** IANA zone of the profile. */
  readonly zone?: string | undefined;
  /** True if Slack says that the address is confirmed. */
  readonly isConfirmed: boolean;
}

/** Why a manager gets no message. */
export const notReachedReasons = {
  'no-account': 'no Slack account with that address',
  unconfirmed: 'Slack has not confirmed the address',
  guest: 'a guest',
  outsider: 'of another organization',
  deactivated: 'account deactivated',
  'several-accounts': 'several Slack accounts with that address',
  level: 'access level below “team”',
  'day-over': 'the day was over',
  'slack-refused': 'Slack refused the message',
} as const;

export type NotReachedReason = keyof typeof notReachedReasons;

export interface NotReached {
  /** The address of a manager. */
  readonly who: string;
  readonly why: NotReachedReason;
}

/** What the digest knows of a reader. */
interface KnownReader {
  /** The reader pressed *Not for me*. */
  readonly hasDeclined: boolean;
  /** Rows that the last run had for them; undefined: it had none that is kept. */
  readonly lastRows?: number | undefined;
  /** True where the rows of the last run are known, and there were any: where only new ones are told. */
  readonly knowsRows?: boolean;
  /** When that run was due. */
  readonly takenAt?: number | undefined;
}

/** Whether the hour of a digest has come for a reader: in this wave, in another one, or on a day that is over. */
type ReaderTurn = 'now' | 'other-wave' | 'day-over';

export interface ManagersFacts {
  /** As in an answer; of an alert on new rows with the new ones alone. */
  readonly teams: readonly TeamEntry[];
  /** Accounts by address in lower case: those of all managers in the answer, and of all known readers. */
  readonly accounts: ReadonlyMap<string, readonly ReaderAccount[]>;
  /** False for a person whose level of access is below `team`. */
  readonly mayRead: (account: ReaderAccount) => boolean;
  readonly knownReader: (account: ReaderAccount) => KnownReader | undefined;
  /** @param zone absent: of a manager without an account, and of a profile without one */
  readonly turnOf: (zone: string | undefined) => ReaderTurn;
  /** False where only new rows are told, and where empty runs are skipped. */
  readonly saysNothingLeft: boolean;
}

/** A message to one manager. */
export interface PlannedMessage {
  readonly address: string;
  readonly account: ReaderAccount;
  /** Absent: nothing is left of what they had last time. */
  readonly team?: TeamEntry | undefined;
  readonly known?: KnownReader | undefined;
}

export interface ManagersPlan {
  /** In the order of addresses. */
  readonly messages: readonly PlannedMessage[];
  /** Managers who get nothing, and whose rows the next run is compared with: the first run of an alert on new rows. */
  readonly quiet: readonly PlannedMessage[];
  /** How many managers have nothing to be told. */
  readonly nothingToTell: number;
  /** How many pressed *Not for me*. */
  readonly declined: number;
  readonly notReached: readonly NotReached[];
}

/**
 * Decides who gets a message. The rehearsal, a test and the sending itself all use it, each with the facts of its moment.
 *
 * A manager is someone with a row in the answer, or who had one last time.
 */
export function planForManagers(facts: ManagersFacts): ManagersPlan {
  const messages: PlannedMessage[] = [];
  const quiet: PlannedMessage[] = [];
  const notReached: NotReached[] = [];
  let nothingToTell = 0;
  let declined = 0;
  const teams = new Map(facts.teams.map((team) => [team.address, team]));
  for (const address of [...new Set([...teams.keys(), ...facts.accounts.keys()])].sort()) {
    const team = teams.get(address);
    const found = readerOf(facts.accounts.get(address) ?? []);
    const known = typeof found === 'string' ? undefined : facts.knownReader(found);
    const lastRows = known?.lastRows ?? 0;
    const hasRows = team !== undefined && team.rows > 0;
    const isLeft = lastRows > 0 && facts.saysNothingLeft;
    if (!team && !isLeft && !known?.knowsRows) continue;
    const turn = facts.turnOf(typeof found === 'string' ? undefined : found.zone);
    if (turn === 'other-wave') continue;
    const isBaseline = team?.isBaseline === true;
    if (typeof found === 'string' || !facts.mayRead(found)) {
      if (hasRows && !isBaseline)
        notReached.push({ who: address, why: typeof found === 'string' ? found : 'level' });
      else nothingToTell++;
    } else if (known?.hasDeclined) declined++;
    else if (isBaseline || !(hasRows || isLeft)) {
      nothingToTell++;
      quiet.push({ address, account: found, team, known });
    } else if (turn === 'day-over') notReached.push({ who: address, why: turn });
    else {
      messages.push({ address, account: found, team: hasRows ? team : undefined, known });
    }
  }
  return { messages, quiet, nothingToTell, declined, notReached };
}

/** The account that reads for an address, or why there is none. */
function readerOf(accounts: readonly ReaderAccount[]): ReaderAccount | NotReachedReason {
  const members = accounts.filter(({ standing }) => standing === 'member');
  const confirmed = members.filter(({ isConfirmed }) => isConfirmed);
  const [first, second] = confirmed;
  if (first) return second ? 'several-accounts' : first;
  if (members.length > 0) return 'unconfirmed';
  const has = (standing: ReaderAccount['standing']) =>
    accounts.some((account) => account.standing === standing);
  if (has('guest')) return 'guest';
  if (has('outsider')) return 'outsider';
  return has('gone') ? 'deactivated' : 'no-account';
}

/** What a rehearsal says: how many messages, about how many people, and the largest. */
export function sizeOfPlan({ messages }: Pick<ManagersPlan, 'messages'>) {
  let people = 0;
  let largest: PlannedMessage | undefined;
  for (const message of messages) {
    people += message.team?.concerned ?? 0;
    if ((message.team?.rows ?? 0) > (largest?.team?.rows ?? 0)) largest = message;
  }
  return { messages: messages.length, people, largest };
}

/** How a run of a digest for managers ended. */
export interface ManagersRunEnd {
  readonly sent: number;
  /** Slack did not say whether these arrived. */
  readonly unconfirmed: number;
  readonly nothingToTell: number;
  /** Who pressed *Not for me*. */
  readonly declined: number;
  /** By reason. */
  readonly failed: Readonly<Record<string, number>>;
  readonly rows: number;
  /** Rows that would count and go to nobody. */
  readonly withoutManager: number;
  readonly severalManagers: number;
  readonly ownManager: number;
  /** Absent: the run went to its end. */
  readonly isStopped?: true | undefined;
  /** The first of those who could not be reached: addresses. */
  readonly notReached: readonly { readonly who: string; readonly why: string }[];
}
