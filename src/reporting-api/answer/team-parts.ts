import {
  closeSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { managerFlag } from '../../catalogue/index.js';
import { Failure, systemCodeOf, throwIfCancelled } from '../../errors/failure.js';
import { ProgressScale } from '../../figures/counting/progress-scale.js';
import { fieldIndexes } from '../../figures/counting/report-figures.js';
import { hashText, lastHash } from '../../figures/hash.js';
import { decodeKnownRows } from '../../figures/known-rows.js';
import type { RecordView } from '../../figures/record-view.js';
import { type ReadTeam, TeamCounter, type TeamsPlan } from '../../figures/reports/team-rows.js';
import type { TeamsRead } from '../../runner/ports.js';
import { minFreeBytes } from './answer-file.js';
import type { ObjectReader } from './object-reader.js';
import { RecordStream } from './record-stream.js';

/** Rows are split by six bits of the hash of their manager. */
const partsPerSplit = 64;
const bitsPerSplit = 6;
/** The hash has enough bits for so many splits. */
const maxSplits = 5;

/** So many teams are counted at once. A part with more is split again. */
const usualMaxTeams = 128;

const partBufferBytes = 16 * 1024;
const resultBufferBytes = 64 * 1024;
const sliceBytes = 64 * 1024;
const bytesBetweenChecks = 8 * 1024 * 1024;

/** Rows that go to no manager, and why. */
const strays = ['withoutManager', 'severalManagers', 'ownManager'] as const;
type Stray = (typeof strays)[number];

/**
 * Splits the records of an answer into files by a hash of their manager, and then counts each team from its part, so that
 * memory depends neither on the number of managers nor on the size of a team. The files of the parts have no name while
 * they are in use, so nothing of them outlives the process.
 */
export class TeamParts {
  private readonly parts: PartFile[] = [];
  private readonly strayParts: Readonly<Record<Stray, PartFile>>;
  private readonly indexes: { readonly email: number; readonly [managerFlag]: number };
  private readonly result: PartFile;
  private readonly disk: Disk;
  private checkpoint: readonly number[] = [];
  private readonly teams: TeamsRead['teams'][number][] = [];
  /** Where the progress of tracks is in a record; below 0: nowhere. */
  private readonly progress: number;
  /** That of the whole answer: one team may have too few rows to tell. */
  private scale = new ProgressScale();
  private scaleAtCheckpoint = new ProgressScale();

  constructor(
    private plan: TeamsPlan,
    private readonly fields: readonly string[],
    private readonly reader: ObjectReader,
    private readonly view: RecordView,
    private readonly maxTeams = usualMaxTeams,
  ) {
    const { email, [managerFlag]: manager } = fieldIndexes(fields, ['email', managerFlag]);
    this.indexes = { email, [managerFlag]: manager };
    this.progress = fields.indexOf('track_progress');
    this.disk = new Disk(plan.path);
    this.result = new PartFile(plan.path, this.disk, { isKept: true, bufferBytes: resultBufferBytes });
    this.parts = this.openParts('');
    const [withoutManager, severalManagers, ownManager] = strays.map((name) => this.open(`-${name}`));
    this.strayParts = { withoutManager, severalManagers, ownManager } as Record<Stray, PartFile>;
  }

  /** Adds the record that the reader has just read. */
  add(start: number, end: number): void {
    if (this.progress >= 0) this.scale.seeIn(this.view, this.progress);
    const manager = this.managerOf();
    const part =
      typeof manager === 'string' ? this.partOf(manager, 0, this.parts) : this.strayParts[manager.stray];
    part.add(this.reader.bytes, start, end);
  }

  saveCheckpoint(): void {
    this.checkpoint = this.all.map((part) => part.flush());
    this.scaleAtCheckpoint = this.scale.copy();
  }

  restoreCheckpoint(): void {
    this.all.forEach((part, index) => {
      part.cutTo(this.checkpoint[index] ?? 0);
    });
    this.scale = this.scaleAtCheckpoint.copy();
  }

  /** Counts the teams, part by part, and writes what is found about each into the file of the plan. */
  async finish(signal?: AbortSignal): Promise<TeamsRead> {
    const { plan, progress, scale } = this;
    if (progress >= 0) this.plan = { ...plan, figures: { ...plan.figures, hasFractions: scale.isFraction } };
    for (const part of this.parts) await this.countPart(part, 0, signal);
    const rows = { withoutManager: 0, severalManagers: 0, ownManager: 0 };
    for (const name of strays) rows[name] = await this.countStrays(this.strayParts[name], signal);
    this.result.flush();
    this.close();
    return { path: this.plan.path, teams: this.teams, ...rows };
  }

  discard(): void {
    this.close();
    rmSync(this.plan.path, { force: true });
  }

  private close(): void {
    for (const part of this.all) part.close();
    this.result.close();
  }

  private get all(): readonly PartFile[] {
    return [...this.parts, ...strays.map((name) => this.strayParts[name])];
  }

  private open(suffix: string): PartFile {
    return new PartFile(`${this.plan.path}${suffix}`, this.disk);
  }

  private openParts(suffix: string): PartFile[] {
    return Array.from({ length: partsPerSplit }, (_, number) => this.open(`${suffix}-${number}`));
  }

  /** The address of the record's manager in lower case, or why it goes to none. Nobody is their own direct report. */
  private managerOf(): string | { readonly stray: Stray } {
    const { view, indexes } = this;
    const manager = view.text(indexes[managerFlag])?.trim().toLowerCase();
    if (!manager) return { stray: 'withoutManager' };
    if (/[\s,;]/.test(manager)) return { stray: 'severalManagers' };
    return view.text(indexes.email)?.trim().toLowerCase() === manager ? { stray: 'ownManager' } : manager;
  }

  private partOf(manager: string, splits: number, parts: readonly PartFile[]): PartFile {
    hashText(manager);
    return parts[(lastHash.low >>> (bitsPerSplit * splits)) & (partsPerSplit - 1)] as PartFile;
  }

  private async countPart(part: PartFile, splits: number, signal: AbortSignal | undefined): Promise<void> {
    const counters = new Map<string, TeamCounter>();
    const { plan, fields, view, maxTeams } = this;
    const { newRows } = plan;
    let isTooLarge = false;
    await this.readAgain(part, signal, () => {
      const manager = this.managerOf() as string;
      let counter = counters.get(manager);
      if (!counter) {
        const known = newRows?.known.get(manager);
        counter = new TeamCounter(plan, fields, known && decodeKnownRows(known));
        counters.set(manager, counter);
      }
      isTooLarge = counters.size > maxTeams && splits + 1 < maxSplits;
      if (!isTooLarge) counter.add(view);
      return !isTooLarge;
    });
    if (isTooLarge) return this.split(part, splits + 1, signal);
    const teams = new Map<string, ReadTeam>();
    for (const [manager, counter] of counters) {
      teams.set(manager, counter.finish());
      await yieldToEventLoop();
    }
    if ([...teams.values()].some(({ needsNames }) => needsNames)) {
      await this.readAgain(part, signal, () => {
        teams.get(this.managerOf() as string)?.add(view);
        return true;
      });
    }
    part.close();
    for (const [address, team] of teams) {
      const findings = team.finish();
      const { people, concerned, rows, allRows, isBaseline } = findings;
      const bytes = Buffer.from(JSON.stringify(findings));
      this.teams.push({
        address,
        people,
        concerned,
        rows,
        allRows,
        isBaseline,
        at: this.result.length,
        bytes: bytes.length,
      });
      this.result.write(bytes, 0, bytes.length);
    }
  }

  private async split(part: PartFile, splits: number, signal: AbortSignal | undefined): Promise<void> {
    const parts = this.openParts(`-${splits}`);
    try {
      await this.readAgain(part, signal, (start, end) => {
        this.partOf(this.managerOf() as string, splits, parts).add(this.reader.bytes, start, end);
        return true;
      });
      part.close();
      for (const smaller of parts) await this.countPart(smaller, splits, signal);
    } finally {
      for (const smaller of parts) smaller.close();
    }
  }

  /** How many of the rows that go to nobody would count. */
  private async countStrays(part: PartFile, signal: AbortSignal | undefined): Promise<number> {
    const { plan, fields, view } = this;
    const counter = new TeamCounter({ ...plan, newRows: undefined }, fields, undefined);
    await this.readAgain(part, signal, () => {
      counter.add(view);
      return true;
    });
    return counter.finish().counted.rows;
  }

  /** @param read returns false to end */
  private async readAgain(
    part: PartFile,
    signal: AbortSignal | undefined,
    read: (start: number, end: number) => boolean,
  ): Promise<void> {
    if (part.flush() === 0) return;
    const stream = new RecordStream(this.reader);
    for (let at = 0; ; ) {
      const bytes = part.read(at, sliceBytes);
      if (bytes.length === 0) {
        stream.append(closing);
        stream.close();
      } else stream.append(bytes);
      while (stream.next()) if (!read(stream.recordStart, stream.recordEnd)) return;
      if (bytes.length === 0) return;
      at += bytes.length;
      await yieldToEventLoop();
      throwIfCancelled(signal);
    }
  }
}

const closing = Buffer.from(']');
const [comma = 0, openBracket = 0] = Buffer.from(',[');

/** The free space of the disk that the files are on, which is looked at now and then. */
class Disk {
  private unchecked = bytesBetweenChecks;

  constructor(private readonly path: string) {}

  /** @throws `file-not-written` */
  take(bytes: number): void {
    this.unchecked += bytes;
    if (this.unchecked < bytesBetweenChecks) return;
    this.unchecked = 0;
    const { bavail, bsize } = attempt(() => statfsSync(dirname(this.path)));
    if (bavail * bsize >= minFreeBytes) return;
    throw new Failure('file-not-written', { reason: 'ENOSPC' });
  }
}

/**
 * Records one after the other in a file that only its owner may read. A file without a name is made with its first bytes:
 * most parts of a small answer have none.
 */
class PartFile {
  private handle: number | undefined;
  private readonly isKept: boolean;
  private readonly buffer: Buffer;
  private used = 0;
  private written = 0;
  private isOpen = true;

  constructor(
    private readonly path: string,
    private readonly disk: Disk,
    { isKept = false, bufferBytes = partBufferBytes } = {},
  ) {
    this.isKept = isKept;
    this.buffer = Buffer.allocUnsafe(bufferBytes);
    if (isKept) this.open();
  }

  get length(): number {
    return this.written + this.used;
  }

  /** Adds a record, behind a comma: the first one is the bracket of the array that `read` gives. */
  add(bytes: Buffer, start: number, end: number): void {
    if (this.used === this.buffer.length) this.flush();
    const before = this.length === 0 ? openBracket : comma;
    this.buffer[this.used++] = before;
    this.write(bytes, start, end);
  }

  write(bytes: Buffer, start: number, end: number): void {
    if (end - start > this.buffer.length - this.used) this.flush();
    if (end - start <= this.buffer.length) this.used += bytes.copy(this.buffer, this.used, start, end);
    else this.append(bytes, start, end);
  }

  /** @returns the length of the file */
  flush(): number {
    const { used } = this;
    this.used = 0;
    this.append(this.buffer, 0, used);
    return this.written;
  }

  cutTo(length: number): void {
    this.used = 0;
    const { handle } = this;
    if (handle !== undefined) attempt(() => ftruncateSync(handle, length));
    this.written = length;
  }

  read(at: number, bytes: number): Buffer {
    const { handle } = this;
    if (handle === undefined) return Buffer.alloc(0);
    const into = Buffer.allocUnsafe(bytes);
    return into.subarray(
      0,
      attempt(() => readSync(handle, into, 0, bytes, at)),
    );
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (this.handle !== undefined) closeSync(this.handle);
  }

  private open(): number {
    const handle = attempt(() => openSync(this.path, 'wx+', 0o600));
    this.handle = handle;
    if (!this.isKept) attempt(() => unlinkSync(this.path));
    return handle;
  }

  private append(bytes: Buffer, start: number, end: number): void {
    this.disk.take(end - start);
    if (start === end) return;
    const handle = this.handle ?? this.open();
    for (let at = start; at < end; ) {
      const done = attempt(() => writeSync(handle, bytes, at, end - at, this.written));
      at += done;
      this.written += done;
    }
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Failure('file-not-written', { reason: systemCodeOf(error), cause: error });
  }
}
