import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { levelForReport } from '../../access/scope.js';
import type { Digest } from '../../digests/digest.js';
import {
  type ManagersFacts,
  type ManagersPlan,
  type ManagersRunEnd,
  planForManagers,
  type ReaderAccount,
} from '../../digests/managers-plan.js';
import type { TeamFindings } from '../../figures/reports/team-rows.js';
import type { TeamEntry } from '../../runner/ports.js';
import { type ReadTeams, readTeams, type TeamsOptions } from '../../runner/read-teams.js';
import { isSameDay, lastReaderRun } from '../../schedule/reader-runs.js';
import type { Store } from '../../store/store.js';
import { yieldToEventLoop } from '../../time/clock.js';
import type { SendParts } from '../answers/answer-run.js';
import type { PeopleList } from '../directory/people.js';
import type { RightsParts } from './rights.js';

export interface ManagersParts extends SendParts, RightsParts {
  readonly store: SendParts['store'] & Pick<Store, 'managerReaders' | 'digests' | 'sentRows' | 'alertStates'>;
  readonly directory: PeopleList;
  /** For metrics. */
  readonly onManagersRun?: ((end: ManagersRunEnd) => void) | undefined;
}

/** A digest for managers, saved or not. */
export interface ManagersDigest
  extends Pick<Digest, 'request' | 'schedule' | 'skipEmpty' | 'when' | 'owner'> {
  /** Absent for a draft. */
  readonly id?: string | undefined;
  readonly approvedBy?: Digest['approvedBy'];
}

/** Readers whose hour came after `after`, up to `until`. Most of them are in `zone`. */
export interface Wave {
  readonly zone: string;
  readonly after: number;
  readonly until: number;
}

interface ManagersReadingOptions extends Omit<TeamsOptions, 'asker' | 'path' | 'newRows'> {
  /** Absent: everybody, whatever their hour. */
  readonly wave?: Wave | undefined;
}

/** Who gets a message by the rows of one moment, and what is in each. Ends with `close`. */
export interface ManagersReading extends Omit<ReadTeams, 'path' | 'teams'> {
  readonly plan: ManagersPlan;
  /** How many get a message, whatever their wave. Where an admin has confirmed it, those of the plan. */
  readonly readers: number;
  /** Rows of all teams that count, new or not. */
  readonly allRows: number;
  /** IANA zones of all managers with rows, whatever their wave. */
  readonly zones: readonly string[];
  /** When the service was asked, in milliseconds since the epoch. */
  readonly askedAt: number;
  findingsOf(team: TeamEntry): Promise<TeamFindings>;
  /** Gives the rows back. */
  close(): Promise<void>;
}

/**
 * Reads fresh rows and the accounts of Slack, and plans who gets a message. The rehearsal, a test and the sending itself
 * begin here.
 *
 * @throws what `readTeams` throws, and the error of a call to Slack
 */
export async function readForManagers(
  digest: ManagersDigest,
  { wave, requestedAt, ...reading }: ManagersReadingOptions,
  parts: ManagersParts,
): Promise<ManagersReading> {
  const { id, request, schedule, owner, when } = digest;
  const { store, files, people, clock } = parts;
  const readers = id === undefined ? new Map() : await store.managerReaders.findAll(id);
  const knownReader = (user: string) => readers.get(store.managerReaders.hashOf(user));
  const known =
    when && id !== undefined
      ? await knownRowsOf(id, knownReader, reading.signal, parts)
      : new Map<string, Uint8Array>();
  const file = randomUUID();
  const path = files.pathFor(file);
  const { email } = await people.find(owner);
  const askedAt = clock.now();
  let handle: FileHandle;
  let read: ReadTeams;
  try {
    read = await readTeams(
      request,
      {
        asker: { id: owner, zone: wave?.zone ?? schedule.zone, email },
        requestedAt,
        path,
        newRows: when ? { key: store.managerReaders.keyOfKnownRows(), known } : undefined,
        ...reading,
      },
      parts,
    );
    handle = await open(path, 'r');
  } finally {
    // The open file stays readable, and nothing of it outlives the process.
    await files.remove(file);
  }
  const close = () => handle.close();
  try {
    const accounts = await accountsFor(read.teams, knownReader, reading.signal, parts);
    const turnOf = turnsIn(wave, schedule, clock.now());
    const countedTurns = digest.approvedBy ? turnOf : anyTurn;
    const mayRead = await readersAllowed(accounts, request.report, countedTurns, parts);
    const facts: ManagersFacts = {
      teams: read.teams,
      accounts,
      mayRead: ({ id: user }) => mayRead.has(user),
      knownReader: ({ id: user }) => knownReader(user),
      turnOf,
      saysNothingLeft: !when && !digest.skipEmpty,
    };
    const plan = planForManagers(facts);
    const { messages } = countedTurns === turnOf ? plan : planForManagers({ ...facts, turnOf: countedTurns });
    const { teams, path: _path, ...about } = read;
    const zones = new Set(
      teams.flatMap(({ address }) => (accounts.get(address) ?? []).flatMap(({ zone }) => zone ?? [])),
    );
    return {
      ...about,
      plan,
      readers: messages.length,
      allRows: teams.reduce((sum, team) => sum + team.allRows, 0),
      zones: [...zones].sort(),
      askedAt,
      async findingsOf({ at, bytes }) {
        const buffer = Buffer.alloc(bytes);
        const { bytesRead } = await handle.read(buffer, 0, bytes, at);
        if (bytesRead < bytes) throw new Error('The file of teams is shorter than what was written');
        return JSON.parse(buffer.toString());
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const anyTurn: ManagersFacts['turnOf'] = () => 'now';

function turnsIn(
  wave: Wave | undefined,
  schedule: ManagersDigest['schedule'],
  now: number,
): ManagersFacts['turnOf'] {
  if (!wave) return anyTurn;
  const turns = new Map<string, ReturnType<ManagersFacts['turnOf']>>();
  return (zone = schedule.zone) => {
    const known = turns.get(zone);
    if (known) return known;
    const run = lastReaderRun(schedule, zone, wave.after, wave.until);
    const ofToday = run !== undefined && isSameDay(run, now, zone) ? 'now' : 'day-over';
    const turn = run === undefined ? 'other-wave' : ofToday;
    turns.set(zone, turn);
    return turn;
  };
}

type KnownReader = (user: string) => ReturnType<ManagersFacts['knownReader']>;

/** What the last run of each known reader had, by address. */
async function knownRowsOf(
  digest: string,
  knownReader: KnownReader,
  signal: AbortSignal,
  { store, directory }: ManagersParts,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const addresses = new Map<string, string>();
  await directory.readAll(({ id, confirmedEmail }) => {
    const isKnown = confirmedEmail !== undefined && knownReader(id) !== undefined;
    if (isKnown) addresses.set(id, confirmedEmail.trim().toLowerCase());
    return isKnown;
  }, signal);
  const rows = await store.managerReaders.findKnownRows(digest, [...addresses.keys()]);
  return new Map([...rows].map(([user, known]) => [addresses.get(user) ?? '', known]));
}

/** The accounts of the managers in an answer, and of those who had something last time. */
async function accountsFor(
  teams: readonly TeamEntry[],
  knownReader: KnownReader,
  signal: AbortSignal,
  { directory, defaultZone }: ManagersParts,
): Promise<ReadonlyMap<string, readonly ReaderAccount[]>> {
  const managers = new Set(teams.map(({ address }) => address));
  const accounts = new Map<string, ReaderAccount[]>();
  await directory.readAll(({ id, email, confirmedEmail, standing, zone = defaultZone }) => {
    const address = (confirmedEmail ?? email)?.trim().toLowerCase();
    if (address === undefined) return false;
    const known = knownReader(id);
    const isWanted = managers.has(address) || (known?.lastRows ?? 0) > 0 || known?.knowsRows === true;
    if (!isWanted) return false;
    const same = accounts.get(address) ?? [];
    accounts.set(address, [...same, { id, standing, zone, isConfirmed: confirmedEmail !== undefined }]);
    return true;
  }, signal);
  return accounts;
}

/** Those whose level allows the rows of their team. It is judged again when each message is sent. */
async function readersAllowed(
  accounts: ReadonlyMap<string, readonly ReaderAccount[]>,
  report: Digest['request']['report'],
  turnOf: ManagersFacts['turnOf'],
  parts: ManagersParts,
): Promise<ReadonlySet<string>> {
  const allowed = new Set<string>();
  const yieldIfNeeded = yieldToEventLoop(() => performance.now());
  for (const [address, some] of accounts) {
    for (const { id, standing, zone, isConfirmed } of some) {
      if (standing !== 'member' || !isConfirmed || turnOf(zone) === 'other-wave') continue;
      if (await mayReadTeam(id, address, report, parts)) allowed.add(id);
      await yieldIfNeeded();
    }
  }
  return allowed;
}

/** Whether a person is a member whose confirmed address is this one, and whose level is `team` at least. */
export async function mayReadTeam(
  user: string,
  address: string,
  report: Digest['request']['report'],
  { people, access }: Pick<ManagersParts, 'people' | 'access'>,
): Promise<boolean> {
  const { standing, confirmedEmail } = await people.find(user);
  if (standing !== 'member' || confirmedEmail?.trim().toLowerCase() !== address) return false;
  const level = levelForReport({ report }, await access.accessOf(user, report));
  return level === 'everything' || level === 'team';
}
