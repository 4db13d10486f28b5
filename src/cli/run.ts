import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import cliProgress from 'cli-progress';
import { loadConfig, runConfigFrom } from '../config/config.js';
import { Failure, isFailure, systemCodeOf } from '../errors/failure.js';
import { formatCount } from '../figures/format/values.js';
import { parseCommand } from '../requests/parse-command.js';
import { formatRequest } from '../requests/parse-request.js';
import type { Problem } from '../requests/problem.js';
import { problemMessageText } from '../requests/problem-messages.js';
import { type FileFormat, narrows, type ReportRequest, showsRows } from '../requests/request.js';
import { notesOnFile } from '../runner/answer-parts.js';
import type { UnitsRead } from '../runner/queries.js';
import type { ReportResult } from '../runner/run-report.js';
import { describeFailure } from '../slack/messages/failures.js';
import { formatUnitsRead } from '../slack/messages/notices.js';
import { commandLineRuns, shellCommand, wordsRefused } from './command-line-runs.js';
import { maxRows, summaryText } from './summary-text.js';

export interface RunFlags {
  /** The path of the CSV file; `-`: standard output. One file at most is written. */
  readonly csv?: string;
  /** The path of the Excel workbook; `-`: standard output. */
  readonly xlsx?: string;
  /** Entries of filters are not compared with those of recent answers. */
  readonly asTyped?: boolean;
}

interface RunProcess {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/**
 * Runs a request and prints its summary. If the file goes to standard output, the summary goes to standard error. A
 * failed run leaves no file. It needs no settings for Slack.
 *
 * @throws `run-words-refused` for invalid words, and the errors of the runner
 */
export async function runFromSettings(
  words: readonly string[],
  { asTyped, ...options }: RunFlags,
  { stdout, stderr, signal }: RunProcess,
): Promise<void> {
  const config = loadConfig(runConfigFrom);
  const runs = commandLineRuns(config, 'command-line', stderr);
  const typed = wordsFromArguments(words);
  const target = targetOf(options);
  const toStdout = target?.path === '-';
  const file = target && temporaryPath(toStdout ? join(tmpdir(), 'rollcall') : target.path);
  const bar = progressBar(stderr);
  try {
    const asked = { ...requestFrom(typed), file: target?.format };
    const result = await runs.run(asked, {
      typed,
      asTyped,
      file: file === undefined ? undefined : { path: file, name: basename(target?.path ?? file) },
      // Rows are printed where they were asked for, or where the request says whose rows matter.
      rowLimit: showsRows(asked) || narrows(asked) ? maxRows : undefined,
      signal,
      onRecords: bar.records,
      onUnits: bar.units,
      onWait: bar.waits,
    });
    bar.stop();
    // The file comes first, because the summary tells people that everything worked.
    if (file !== undefined && target && !toStdout) await putInPlace(file, target.path);
    (toStdout ? stderr : stdout).write(`${textOf(result)}\n`);
    if (file !== undefined && toStdout) await pipeline(createReadStream(file), stdout, { end: false });
    for (const note of notesOnFile(result)) stderr.write(`${note}\n`);
  } catch (error) {
    if (isFailure(error, 'range-refused', 'over-time-refused', 'target-passed', 'too-large-for-excel')) {
      throw wordsRefused(describeFailure(error, error.code, { typed }).sentence);
    }
    if (!isFailure(error, 'file-not-written')) throw error;
    const where = toStdout ? tmpdir() : target?.path;
    throw wordsRefused(
      `${where} cannot be written (${error.details.reason}). Check that its folder exists and that you may write to it.`,
    );
  } finally {
    bar.stop();
    await runs.close();
    if (file !== undefined) await rm(file, { force: true });
  }
}

/** @throws `file-not-written` */
async function putInPlace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw new Failure('file-not-written', { reason: systemCodeOf(error), cause: error });
  }
}

function requestFrom(words: string): ReportRequest {
  const command = parseCommand(words, { savedNames: [] });
  if (!command.ok) throw wordsRefused(withCorrection(command.refusal));
  if (command.value.kind !== 'run') {
    throw wordsRefused('This command only runs reports. Name one, as in: rollcall run engagement last-week');
  }
  const { request } = command.value;
  if (request.file === 'evidence') {
    throw wordsRefused('Evidence is made in Slack. Send the same words to Rollcall in a direct message.');
  }
  if (request.file) {
    throw wordsRefused(`The word ${request.file} does not work here. Use the option --${request.file} FILE.`);
  }
  if (request.toMe) throw wordsRefused('to:me works only in Slack. Leave it out.');
  return request;
}

/** The problem of the words, with the corrected command. Files have options of their own here. */
function withCorrection(problem: Problem): string {
  const sentence = problemMessageText(problem);
  const { corrected } = problem;
  const command = corrected === undefined ? undefined : parseCommand(corrected, { savedNames: [] });
  if (corrected === undefined || !command?.ok || command.value.kind !== 'run') return sentence;
  const { request } = command.value;
  if (request.file === 'evidence') return sentence;
  if (!request.file && !request.toMe) return `${sentence}\n  ${shellCommand(corrected)}`;
  const words = formatRequest({ ...request, file: undefined, toMe: false });
  return `${sentence}\n  ${shellCommand(words)}${request.file ? ` --${request.file} FILE` : ''}`;
}

interface FileTarget {
  readonly format: FileFormat;
  readonly path: string;
}

function targetOf({ csv, xlsx }: RunFlags): FileTarget | undefined {
  if (csv !== undefined && xlsx !== undefined) {
    throw wordsRefused('One run writes one file. Use --csv or --xlsx.');
  }
  if (xlsx !== undefined) return { format: 'xlsx', path: xlsx };
  return csv === undefined ? undefined : { format: 'csv', path: csv };
}

/** A temporary name in the same folder, so that one rename puts the finished file in place. */
function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID()}`);
}

function textOf(result: ReportResult): string {
  if (!result.figures) throw new Error('A run without figures has no summary');
  return summaryText({ ...result, figures: result.figures }, { withPeople: true });
}

/**
 * Joins the arguments into one command. The shell removed the quotes of `departments:"Field Operations"`, so entries
 * with spaces get new ones.
 */
function wordsFromArguments(words: readonly string[]): string {
  return words.map(requoted).join(' ');
}

function requoted(word: string): string {
  const [, option, value] = /^([\w.]+:)(.*)$/s.exec(word) ?? [];
  if (option === undefined || value === undefined || !/\s/.test(value) || /["“”„‟]/.test(value)) return word;
  // A title may have commas, and then a blank follows them.
  const isTitle = /^(?:content|track|assessment|workshop|purpose):$/i.test(option);
  // The sign of a condition stays outside, because in quotes it is plain text.
  const sign = /^purpose:$/i.test(option) ? '' : (/^[!<>=≤≥]+/.exec(value)?.[0] ?? '');
  const entries = value
    .slice(sign.length)
    .split(isTitle ? /,(?!\s)/ : ',')
    .map((entry) => (/[\s,]/.test(entry.trim()) ? `"${entry.trim()}"` : entry.trim()));
  return option + sign + entries.join(',');
}

/** Shows progress on a terminal only: a count and the time, not a bar, because the number of records is unknown. */
function progressBar(stream: RunProcess['stderr']) {
  if (!stream.isTTY) return { records: () => {}, units: () => {}, waits: () => {}, stop: () => {} };
  const bar = new cliProgress.SingleBar({
    format: '{status}  {duration_formatted}',
    stream,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(0, 0, { status: 'Waiting for the Reporting Service' });
  return {
    records: (records: number) => bar.update({ status: `${formatCount(records)} records` }),
    units: (read: UnitsRead) => bar.update({ status: formatUnitsRead(read) }),
    /** The run waits this long for the rate limit; undefined if the time is unknown. */
    waits: (milliseconds: number | undefined) =>
      bar.update({
        status:
          milliseconds === undefined
            ? 'Waiting for earlier requests'
            : `Rate-limited by the Reporting Service; continuing in ${Math.ceil(milliseconds / 1000)} s`,
      }),
    stop: () => bar.stop(),
  };
}
