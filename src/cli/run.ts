import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RunConfig } from '../config/variables.js';
import { parseCommand } from '../requests/parse-command.js';
import { CsvNotWritten } from '../reporting-api/answer/errors.js';
import { openReportingApi } from '../reporting-api/client.js';
import { RangeRefused } from '../requests/errors.js';
import { sayProblem } from '../requests/problem-messages.js';
import type { ReportRequest } from '../requests/request.js';
import { type ReportResult, runReport } from '../runner/run-report.js';
import { wordsForFailure } from '../slack/messages/failures.js';
import type { Clock } from '../time/clock.js';
import { RunWordsRefused } from './errors.js';
import { progressBar } from './progress-bar.js';
import { summaryText } from './summary-text.js';
import { wordsFromArguments } from './words-from-arguments.js';

export interface RunOptions {
  /** Where the file goes; `-`: standard output. */
  readonly csv?: string;
}

export interface RunCommandParts {
  readonly config: RunConfig;
  readonly clock: Clock;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/**
 * `rollcall run`: the same request by the same runner, with the summary as text and the file where it is wanted. With
 * the file on standard output the summary goes to standard error.
 *
 * @throws RunWordsRefused for what was not understood, and whatever known errors the run has; no file is left then
 */
export async function runCommand(
  words: readonly string[],
  options: RunOptions,
  parts: RunCommandParts,
): Promise<void> {
  const typed = wordsFromArguments(words);
  const request = requestFrom(typed);
  const toStdout = options.csv === '-';
  const file =
    options.csv === undefined ? undefined : besideOf(toStdout ? join(tmpdir(), 'rollcall') : options.csv);
  const bar = progressBar(parts.stderr);
  const reporting = openReportingApi(parts.config.reporting, { log: silent });
  try {
    const result = await runReport(
      {
        request,
        asker: { id: 'command-line', zone: parts.config.defaultZone },
        askedAt: parts.clock.now(),
        ...(file === undefined ? {} : { csvPath: file }),
        namesPeople: true,
        urgency: 'person',
        signal: parts.signal,
        onRecords: bar.records,
        onWait: bar.waits,
      },
      { source: reporting.source, weekStart: parts.config.weekStart },
    );
    bar.stop();
    // The file first: a summary says that all went well.
    if (file !== undefined && !toStdout) await putInPlace(file, options.csv ?? file);
    (toStdout ? parts.stderr : parts.stdout).write(`${textOf(result)}\n`);
    if (file !== undefined && toStdout) await pipeline(createReadStream(file), parts.stdout, { end: false });
  } catch (error) {
    if (error instanceof RangeRefused) {
      throw new RunWordsRefused(wordsForFailure(error, error.code, typed).sentence);
    }
    if (!(error instanceof CsvNotWritten)) throw error;
    const where = toStdout ? tmpdir() : options.csv;
    throw new RunWordsRefused(
      `${where} cannot be written (${error.reason}). Check that its folder is there, and yours to write in.`,
    );
  } finally {
    bar.stop();
    await reporting.close();
    if (file !== undefined) await rm(file, { force: true });
  }
}

/** @throws CsvNotWritten */
async function putInPlace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new CsvNotWritten(reason, error);
  }
}

function requestFrom(words: string): ReportRequest {
  const command = parseCommand(words, { savedNames: [] });
  if (command.kind === 'problem') throw new RunWordsRefused(sayProblem(command.problem));
  if (command.kind !== 'run') {
    throw new RunWordsRefused(
      'Name a report and what you want of it, as in: rollcall run engagement last-week',
    );
  }
  const { request } = command;
  if (request.csv)
    throw new RunWordsRefused('Here the file is asked for with --csv FILE instead of the word csv.');
  if (request.toMe) throw new RunWordsRefused('to:me only means something in Slack. Leave it out here.');
  return request;
}

/** A name in the same folder, so that the finished file takes its place in one step. */
function besideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID()}`);
}

function textOf(result: ReportResult): string {
  if (!result.figures) throw new Error('A run without figures has no summary');
  return summaryText({ facts: { ...result, figures: result.figures }, withPeople: true });
}

const silent = { info: () => {}, warn: () => {} };
