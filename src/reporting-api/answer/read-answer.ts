import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { fieldsOfScope, rowIsAllowed } from '../../access/scope.js';
import { Failure, isFailure, throwIfCancelled } from '../../errors/failure.js';
import { scaledFieldOf } from '../../figures/conditions-plan.js';
import { dateIn, isDueIn } from '../../figures/counting/dates.js';
import { ProgressScale } from '../../figures/counting/progress-scale.js';
import { fieldIndexes } from '../../figures/counting/report-figures.js';
import { RowConditions } from '../../figures/counting/row-conditions.js';
import { PeopleOfRows } from '../../figures/counting/row-people.js';
import { decodeKnownRows, type KnownRows } from '../../figures/known-rows.js';
import { NewRows, noNewRow } from '../../figures/reports/new-rows.js';
import { RowCollector, uncertainRank } from '../../figures/reports/rows.js';
import type { FiguresPlan, FiguresReader, FiguresResult } from '../../figures/result.js';
import { personsPathOf } from '../../runner/answer-parts.js';
import { NameCollector, TitleCollector } from '../../runner/collect-names.js';
import type { LatestPeople } from '../../runner/people-index-builder.js';
import type { FilePlan, ReadPlan, ReadResult } from '../../runner/ports.js';
import { FileRows } from './file-rows.js';
import { LeftOutRows } from './left-out-rows.js';
import { listPeople } from './list-people.js';
import { ObjectReader } from './object-reader.js';
import { RecordStream } from './record-stream.js';
import { Scanner } from './scanner.js';
import { SlotView } from './slot-view.js';
import { TeamParts } from './team-parts.js';

/** Longer chunks are read in slices, so that other work can run between them. */
const sliceBytes = 64 * 1024;

/**
 * Without compiled loops, the first bytes of an answer are read in small pieces. The engine compiles for the cases that
 * it has seen, and recompiles for each new one. This shows it early that a record may end anywhere, which saves a fifth
 * of the time of a first answer with 100,000 records.
 */
const beginning = { bytes: 4096, atATime: 12 };

/** Starts counting. The figures refer to fields by their index in `fields`. */
export type StartCounting = (plan: FiguresPlan, fields: readonly string[]) => FiguresReader;

/**
 * Reads one or more answers, one after the other, into one file and one set of figures. The first failure stays: every
 * later call except `discard` throws it. `rollBackAnswer` clears it if the answer caused it. Ends with `finish` or
 * `discard`.
 */
export class AnswerStream {
  private readonly reader;
  /** Bytes of an answer that are read in small pieces. */
  private readonly slowUntil;
  private readonly view;
  /** Values stay even if their answer is dropped. */
  private readonly names;
  private readonly titles;
  private readonly people;
  private readonly checkRow: (() => void) | undefined;
  private readonly isDueOutside: (() => boolean) | undefined;
  private readonly conditions: RowConditions | undefined;
  /** Where progress is compared by an assumption about its scale. */
  private readonly progressIndex: number;
  /** The rows of the last run, where new ones are wanted. */
  private readonly known: KnownRows | undefined;
  /** The file, and for evidence that of whose each row is. */
  private files: readonly FileRows[] | undefined;
  private teams: TeamParts | undefined;
  private stream: RecordStream;
  /** Of earlier answers together, and of the one that is read now. */
  private earlier: Totals | undefined;
  private current: Totals | undefined;
  /** Work on bytes that were too many for one slice, or that wait for the disk. */
  private working: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;
  private hasEnded = false;

  constructor(
    private readonly reading: ReadPlan,
    private readonly startFigures: StartCounting,
    scanner: Scanner = Scanner.create(),
    people?: LatestPeople,
  ) {
    this.reader = ObjectReader.ofRecords(reading.fields, scanner);
    this.slowUntil = scanner.loops ? 0 : beginning.bytes;
    this.view = new SlotView(this.reader);
    this.stream = new RecordStream(this.reader);
    const { lists, titles, look, peopleOf } = reading;
    this.people = peopleOf && people?.begin(peopleOf, reading.fields);
    this.names = lists && new NameCollector(lists, reading.fields, look);
    // A look searches the names that it has collected, because only then their people are counted.
    this.titles = titles && !look ? new TitleCollector(titles, reading.fields) : undefined;
    this.checkRow = this.rowCheck();
    this.isDueOutside = this.dueCheck();
    const { conditions, fields } = reading;
    this.conditions = conditions && new RowConditions(conditions, fields);
    const scaled = conditions?.progress?.isFinal === false ? scaledFieldOf(conditions) : undefined;
    this.progressIndex = scaled === undefined ? -1 : fields.indexOf(scaled);
    this.known = reading.newRows?.known && decodeKnownRows(reading.newRows.known);
  }

  /** Records of all answers so far. */
  get records(): number {
    return (this.earlier?.selected ?? 0) + (this.current?.selected ?? 0);
  }

  /** Call it before each answer and each retry. `rollBackAnswer` returns to this state. */
  beginAnswer(): Promise<void> {
    return this.step(async () => {
      if (this.files) for (const file of this.files) await file.saveCheckpoint();
      else await this.openFiles();
      this.teams?.saveCheckpoint();
      this.addCurrent();
      this.current = this.startTotals();
      this.stream = new RecordStream(this.reader);
    });
  }

  /** Reads the next bytes. Await the promise, if any, before the next ones. Errors are thrown or reject it. */
  write(chunk: Buffer): Promise<void> | undefined {
    if (this.failure) throw this.failure.error;
    if (!this.working && chunk.length <= sliceBytes && this.stream.received >= this.slowUntil) {
      try {
        this.stream.append(chunk);
        return this.readWhatIsThere() ? undefined : this.enqueue(noBytes);
      } catch (error) {
        this.failure = { error };
        throw error;
      }
    }
    return this.enqueue(chunk);
  }

  /** Checks that the answer is complete. */
  endAnswer(): Promise<void> {
    return this.step(async () => {
      this.stream.close();
      await this.enqueue(noBytes);
    });
  }

  /** Drops the last answer. Throws if there was a failure that the answer did not cause. */
  async rollBackAnswer(): Promise<void> {
    await this.working?.catch(() => {});
    if (this.failure && isFaultOfAnswer(this.failure.error)) this.failure = undefined;
    await this.step(async () => {
      for (const file of this.files ?? []) await file.restoreCheckpoint();
      this.teams?.restoreCheckpoint();
      this.stream = new RecordStream(this.reader);
      this.current = undefined;
    });
  }

  finish(signal?: AbortSignal): Promise<ReadResult> {
    return this.step(async () => {
      const { file } = this.reading;
      if (!this.files) await this.openFiles();
      this.addCurrent();
      const { figures, listed, newRows, leftOut, inFile, selected, scale } =
        this.earlier ?? this.startTotals();
      if (scale && scale.isFraction !== this.reading.conditions?.progress?.isFraction) {
        await this.discard();
        return { records: 0, isFraction: scale.isFraction };
      }
      const isCounted = this.reading.file?.asCounted && ((rank: number) => figures?.isCounted(rank) ?? true);
      const [rows, ...others] = this.files ?? [];
      const written = await rows?.finish(isCounted, signal);
      for (const other of others) await other.finish(isCounted, signal);
      const listedPeople =
        file && others.length > 0 ? await listPeople(personsPathOf(file.path), signal) : undefined;
      const counted = figures && (await finishFigures(figures, signal));
      const found = figures && newRows?.finish(figures);
      const read = {
        records: selected,
        figures: counted,
        rows: figures && listed?.finish(figures, found),
        newRows: found?.result,
        teams: await this.teams?.finish(signal),
        file: file &&
          written && {
            path: file.path,
            ...written,
            listed: listedPeople,
            ...(inFile && { who: whoIs(inFile, figures) }),
          },
        ...this.namesFound(),
        peopleIndex: this.people?.end(),
        leftOut: leftOut && { people: leftOut.people },
      };
      this.end();
      return read;
    });
  }

  async discard(): Promise<void> {
    await this.working?.catch(() => {});
    for (const file of this.files ?? []) await file.discard();
    this.teams?.discard();
    this.end();
  }

  private async openFiles(): Promise<void> {
    const { file, teams, fields } = this.reading;
    if (teams) this.teams ??= new TeamParts(teams, fields, this.reader, this.view);
    this.files = file ? [await this.openFile(file)] : [];
    if (!file?.persons?.length) return;
    const { persons: columns, days: _days, ...asRows } = file;
    const ofPersons = await this.openFile({ ...asRows, path: personsPathOf(file.path), columns });
    this.files = [...this.files, ofPersons];
  }

  private openFile(plan: FilePlan): Promise<FileRows> {
    const chosen = plan.columns.map((field) => {
      const index = this.reading.fields.indexOf(field.flag);
      if (index === -1) throw new Error(`The column ${field.flag} is not among the fields`);
      return { field, slot: index + 1 };
    });
    return FileRows.create(plan, chosen, this.reader);
  }

  private namesFound(): Pick<ReadResult, 'values' | 'people' | 'isWhole' | 'titles'> {
    const { look, titles } = this.reading;
    const found = this.names?.finish();
    const matches = look && titles ? this.names?.matches(titles) : this.titles?.finish();
    return { ...found, isWhole: look && found?.isWhole, titles: matches };
  }

  /** Gives the memory back. Every later step fails. */
  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.failure ??= { error: new Error('The reading has ended') };
    this.reader.scanner.release();
  }

  private addCurrent(): void {
    const { earlier, current } = this;
    this.current = undefined;
    if (!earlier) this.earlier = current;
    if (!earlier || !current) return;
    earlier.selected += current.selected;
    if (current.figures) earlier.figures?.merge(current.figures);
    if (current.listed) earlier.listed?.merge(current.listed);
    if (current.newRows) earlier.newRows?.merge(current.newRows);
    if (current.leftOut) earlier.leftOut?.merge(current.leftOut);
    if (current.scale) earlier.scale?.merge(current.scale);
    if (current.inFile) earlier.inFile?.merge(current.inFile);
  }

  private startTotals(): Totals {
    const { reading, earlier, known } = this;
    const { figures: plan, rows, newRows, leftOut, fields } = reading;
    const figures = earlier ? earlier.figures?.startPart() : plan && this.startFigures(plan, fields);
    if (reading.file?.asCounted && !figures) throw new Error('Rows as counted need figures');
    return {
      selected: 0,
      figures,
      listed: rows && plan && new RowCollector(rows, plan, fields, known !== undefined),
      newRows: earlier
        ? earlier.newRows?.startPart()
        : newRows && plan && new NewRows(plan.report, newRows.key, known, fields),
      leftOut: leftOut && new LeftOutRows(leftOut, fields),
      scale: this.progressIndex < 0 ? undefined : new ProgressScale(),
      inFile: reading.file && reading.tellsPeople ? new PeopleOfRows(fields) : undefined,
    };
  }

  /** Throws `rows-outside-scope` where the service ignored the forced filter: a filter is not trusted. */
  private rowCheck(): (() => void) | undefined {
    const { rowCheck, fields } = this.reading;
    if (!rowCheck) return undefined;
    const index = fieldIndexes(fields, fieldsOfScope);
    const { view } = this;
    return () => {
      if (!rowIsAllowed(rowCheck, view.text(index.email), view.text(index.manager_email)))
        throw new Failure('rows-outside-scope');
    };
  }

  /** True for a row that is due outside the range. One whose date cannot be read is the service's to select. */
  private dueCheck(): (() => boolean) | undefined {
    const { dueRange, fields } = this.reading;
    if (!dueRange) return undefined;
    const { due_date: index } = fieldIndexes(fields, ['due_date']);
    const isInRange = isDueIn(dueRange);
    const { view } = this;
    return () => {
      const due = dateIn(view, index);
      return !Number.isNaN(due) && !isInRange(due);
    };
  }

  /** Runs the next step after the work before it. A failure of either ends the reading. */
  private async step<T>(next: () => Promise<T>): Promise<T> {
    await this.working;
    if (this.failure) throw this.failure.error;
    try {
      return await next();
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }

  /** Reads the records that have arrived. False where the disk must catch up first. */
  private readWhatIsThere(): boolean {
    const { stream, current, names, titles, people, files = [], teams, view } = this;
    const { checkRow, isDueOutside, conditions } = this;
    if (!current) return true;
    const { figures, listed, newRows, leftOut, inFile, scale } = current;
    const asCounted = this.reading.file?.asCounted ? figures : undefined;
    while (stream.next()) {
      checkRow?.();
      if (isDueOutside?.()) continue;
      // The rows that are kept out tell the scale too.
      if (scale && !leftOut?.lists(view)) scale.seeIn(view, this.progressIndex);
      if (conditions && !conditions.meets(view)) {
        if (figures && conditions.isNoted && !leftOut?.lists(view)) figures.addBeside(view, conditions);
        continue;
      }
      if (leftOut?.leavesOut(view)) continue;
      current.selected += 1;
      figures?.add(view);
      if (figures) {
        const number = newRows?.add(view, figures);
        if (number !== noNewRow) listed?.add(view, figures, number);
      }
      names?.add(view);
      titles?.add(view);
      people?.add(view);
      teams?.add(stream.recordStart, stream.recordEnd);
      if (asCounted && Number.isNaN(asCounted.lastRank)) continue;
      inFile?.add(view, !asCounted || Number.isInteger(asCounted.lastRank));
      if (this.addToFiles(files, asCounted)) return false;
    }
    return true;
  }

  /** True where the disk must catch up first. */
  private addToFiles(files: readonly FileRows[], asCounted: FiguresReader | undefined): boolean {
    const { reader, stream } = this;
    const { recordStart: start, recordEnd: end } = stream;
    const { bytes } = reader;
    let isBacklogged = false;
    for (const file of files) {
      // A file that has just decided its columns has read the records that it held back.
      if (reader.bytes !== bytes) reader.read(bytes, start + 1, end);
      file.add(start, end, asCounted?.lastRank, asCounted?.lastDays);
      isBacklogged ||= file.isBacklogged;
    }
    return isBacklogged;
  }

  private enqueue(chunk: Buffer): Promise<void> {
    const working = (this.working ?? Promise.resolve()).then(() => this.readInSlices(chunk));
    this.working = working;
    working.then(
      () => {
        if (this.working === working) this.working = undefined;
      },
      (error) => {
        this.failure ??= { error };
        if (this.working === working) this.working = undefined;
      },
    );
    return working;
  }

  private async readInSlices(chunk: Buffer): Promise<void> {
    for (let at = 0; ; ) {
      while (!this.readWhatIsThere()) for (const file of this.files ?? []) await file.drain();
      if (at >= chunk.length) return;
      const bytes = this.stream.received < this.slowUntil ? beginning.atATime : sliceBytes;
      if (at > 0 && bytes === sliceBytes) await yieldToEventLoop();
      this.stream.append(chunk.subarray(at, at + bytes));
      at += bytes;
    }
  }
}

/** The counts of one answer, or of several together. */
interface Totals {
  /** Records that were not left out, meet the conditions, and are not due outside the range of the plan. */
  selected: number;
  readonly figures: FiguresReader | undefined;
  readonly listed: RowCollector | undefined;
  readonly newRows: NewRows | undefined;
  readonly leftOut: LeftOutRows | undefined;
  readonly scale: ProgressScale | undefined;
  /** The people of the rows in the file. */
  readonly inFile: PeopleOfRows | undefined;
}

function whoIs(inFile: PeopleOfRows, figures: FiguresReader | undefined): Int32Array | 'too-many' {
  return inFile.finish(figures?.isCounted(uncertainRank) ?? true) ?? 'too-many';
}

/** Finishing takes up to a second, so a cancel that has come meanwhile is heard before and after. */
async function finishFigures(
  figures: FiguresReader,
  signal: AbortSignal | undefined,
): Promise<FiguresResult> {
  await yieldToEventLoop();
  throwIfCancelled(signal);
  const startedAt = performance.now();
  const result = figures.finish();
  // A small answer does not wait for what else is read.
  if (performance.now() - startedAt < shortMs) return result;
  await yieldToEventLoop();
  throwIfCancelled(signal);
  return result;
}

const shortMs = 2;

/** True for a failure of the answer itself, which a retry can replace. */
function isFaultOfAnswer(error: unknown): boolean {
  return isFailure(error) && !isFailure(error, 'file-not-written');
}

const noBytes = Buffer.alloc(0);
