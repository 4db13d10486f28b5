import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { totalsInstead } from '../access/scope.js';
import { answerReply, offersReply, savedReply } from '../assistants/answer.js';
import { longQuestions } from '../assistants/long-questions.js';
import type { AskData, ToolReply } from '../assistants/replies.js';
import { assistantServer, type RowsWanted, type ToolDoor } from '../assistants/tools.js';
import { fieldOf, reportNamed } from '../catalogue/index.js';
import { loadConfig, type RunConfig, runConfigFrom } from '../config/config.js';
import { ok, type Result, refused, systemCodeOf } from '../errors/failure.js';
import { formatCount } from '../figures/format/values.js';
import { parseCommand } from '../requests/parse-command.js';
import { formatRequest } from '../requests/parse-request.js';
import { maskPeople } from '../requests/person-level.js';
import { problemMessageText } from '../requests/problem-messages.js';
import { type ReportRequest, showsRows } from '../requests/request.js';
import { noKnownNames } from '../requests/sentences/known-names.js';
import { readSentence } from '../requests/sentences/read-sentence.js';
import { fileName, notesOnFile } from '../runner/answer-parts.js';
import type { ReportResult } from '../runner/run-report.js';
import { hasStore, withExistingStore } from './backup.js';
import { commandLineRuns } from './command-line-runs.js';
import { describeForOperator, wrongUsage } from './operator-messages.js';

interface McpProcess {
  readonly stdin: Readable;
  /** Holds the protocol alone. */
  readonly stdout: Writable;
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/**
 * Serves the tools of assistants on standard input and output, as the command line asks: everything may be seen, and each
 * question is in the record of access. Ends with its input, or with the signal.
 *
 * @param folder where files are written; absent: none are
 * @throws `wrong-usage` for a folder that cannot be used
 */
export async function serveAssistant(folder: string | undefined, io: McpProcess): Promise<void> {
  const { stdin, stdout, stderr, signal } = io;
  if (folder !== undefined) await expectFolder(folder);
  const config = loadConfig(runConfigFrom);
  const runs = commandLineRuns(config, 'command-line-assistant', stderr);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  signal.addEventListener('abort', stop, { once: true });
  for (const event of ['end', 'close', 'error'] as const) stdin.once(event, stop);
  stdout.once('error', stop);
  const door = doorOf(runs, config, folder, stopped.signal);
  const surroundings = {
    rowsGoTo:
      folder === undefined ? 'a folder, where one was named at the start' : 'the folder named at the start',
    drawsBlocks: false,
  };
  const served = serveStdio(() => assistantServer(door, surroundings), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => void stderr.write(`${error.message}\n`),
  });
  try {
    if (!stopped.signal.aborted)
      await new Promise((resolve) => stopped.signal.addEventListener('abort', resolve, { once: true }));
  } finally {
    await served.close();
    await runs.close();
    stdin.pause();
  }
}

/** @throws `wrong-usage` */
async function expectFolder(folder: string): Promise<void> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error('It is no folder');
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw wrongUsage(`--files needs a folder that exists and that you may write to. ${folder} is none.`);
  }
}

type Runs = ReturnType<typeof commandLineRuns>;

/** The tools for whoever has this terminal. */
function doorOf(runs: Runs, config: RunConfig, folder: string | undefined, stopped: AbortSignal): ToolDoor {
  const questions = longQuestions<ToolReply>();
  const zone = config.defaultZone;

  async function replyTo(
    key: string,
    hungUp: AbortSignal,
    work: (signal: AbortSignal) => Promise<ToolReply>,
  ): Promise<ToolReply> {
    const done = async (given: AbortSignal): Promise<ToolReply> => {
      try {
        return await work(AbortSignal.any([given, stopped]));
      } catch (error) {
        return given.aborted ? { text: 'Cancelled.', isError: true, outcome: 'cancelled' } : failed(error);
      }
    };
    return (await questions.ask({ key, hungUp }, done)) ?? running;
  }

  async function figuresOf(question: string, signal: AbortSignal): Promise<ToolReply> {
    const read = requestIn(question, config);
    if (!read.ok) return read.refusal;
    const { typed, request } = read.value;
    if (wantsMore(request)) {
      const totals = totalsInstead(request, { kind: 'assistant' });
      const text = `${onlyTotals} ${folder === undefined ? totalsOrFolder : totalsOrRows}`;
      const reply = offersReply(text, totals ? [formatRequest(totals)] : []);
      return { ...reply, isError: true, outcome: 'refused' };
    }
    const result = await runs.run(request, { typed, namesNobody: true, signal });
    if (!result.figures) throw new Error('A run without figures has no answer');
    const { onlyRow: _row, people: _people, ...figures } = result.figures;
    const shown = maskPeople(result.request);
    const { rows: _rows, ...totals } = result;
    return answerReply({ ...totals, request: shown, figures }, `/report ${formatRequest(shown)}`, zone);
  }

  async function fileOf(wanted: RowsWanted, signal: AbortSignal): Promise<ToolReply> {
    if (folder === undefined) return { text: noFolder, isError: true, outcome: 'refused' };
    const read = requestIn(wanted.question, config);
    if (!read.ok) return read.refusal;
    const { typed } = read.value;
    const file = wanted.file ?? read.value.request.file ?? 'csv';
    if (file === 'evidence') return offersReply('Evidence is made in Slack alone.', []);
    const request = { ...read.value.request, file, purpose: wanted.purpose ?? read.value.request.purpose };
    const path = join(folder, `.rollcall-${randomUUID()}`);
    try {
      const result = await runs.run(request, { typed, file: { path }, signal });
      const name = await putUnder(folder, path, result);
      const rows = `${formatCount(result.rowCount ?? result.records)} rows`;
      return { text: [`Written: ${name} (${rows}).`, ...notesOnFile(result)].join(' '), outcome: 'answered' };
    } finally {
      await rm(path, { force: true });
    }
  }

  return {
    refusal: async () => undefined,
    ask: (question, hungUp) => replyTo(`ask ${question}`, hungUp, (signal) => figuresOf(question, signal)),
    savedReports,
    failed,
    sendRows: (wanted, hungUp) =>
      replyTo(`rows ${JSON.stringify(wanted)}`, hungUp, (signal) => fileOf(wanted, signal)),
  };
}

function failed(error: unknown): ToolReply {
  return { text: describeForOperator(error), isError: true, outcome: 'failed' };
}

const running: ToolReply = {
  text: 'Still running. Ask the same again for the answer. It is cancelled if nobody asks within a minute.',
  data: { status: 'running', sentence: 'Still running.' } satisfies AskData,
  outcome: 'running',
};

const onlyTotals =
  'The tool ask answers with totals only: no rows, columns or files, and no breakdown by people.';

const totalsOrRows =
  'Ask for the totals, or call the tool send_rows with the same question, which writes the rows to a file.';

const totalsOrFolder =
  'Ask for the totals. The tool send_rows writes rows to a file where a folder was named at the start: rollcall mcp --files FOLDER';

const noFolder = 'No folder was named for files. Start it with: rollcall mcp --files FOLDER';

/** True for a request whose answer would hold rows or name people. */
function wantsMore(request: ReportRequest): boolean {
  const { by, report } = request;
  const byPeople = by !== undefined && (fieldOf(reportNamed(report), by)?.personLevel ?? true);
  return byPeople || request.file !== undefined || showsRows(request);
}

interface Read {
  readonly typed: string;
  readonly request: ReportRequest;
}

/** The request that words ask for: a command, or a sentence that is read in one way. The refusal offers commands. */
function requestIn(question: string, { defaultZone: zone, weekStart }: RunConfig): Result<Read, ToolReply> {
  const command = parseCommand(question, { savedNames: [] });
  if (command.ok && command.value.kind === 'run') return asked(question, command.value.request);
  if (command.ok) return refused(offersReply('The tools run reports alone.', []));
  const context = { savedNames: [], known: noKnownNames, now: Date.now(), zone, weekStart };
  const { readings, nearest } = readSentence(question, context);
  const [only = '', ...others] = readings;
  const read = parseCommand(only, { savedNames: [] });
  if (others.length === 0 && read.ok && read.value.kind === 'run') return asked(only, read.value.request);
  const { corrected } = command.refusal;
  const otherwise = corrected === undefined ? nearest : [corrected, ...nearest];
  const offers = [...new Set(readings.length > 0 ? readings : otherwise)];
  const several = 'I can read this in several ways.';
  return refused(offersReply(others.length > 0 ? several : problemMessageText(command.refusal), offers));
}

function asked(typed: string, request: ReportRequest): Result<Read, ToolReply> {
  const { toMe, ...rest } = request;
  return toMe
    ? refused(offersReply('to:me works only in Slack. Leave it out.', []))
    : ok({ typed, request: { ...rest, toMe } });
}

const maxSameName = 1_000;

/** Gives a finished file a name of ours in the folder, which no other file has. Returns it. @throws the error of the disk */
async function putUnder(folder: string, path: string, result: ReportResult): Promise<string> {
  const [, base = '', ending = ''] = /^(.*)(\.\w+)$/.exec(fileName(result)) ?? [];
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `${base}${ending}` : `${base}_${number}${ending}`;
    try {
      await link(path, join(folder, name));
      return name;
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST' || number === maxSameName) throw error;
    }
  }
}

const maxSaved = 200;

async function savedReports(): Promise<ToolReply> {
  const saved = hasStore() ? await withExistingStore((store) => store.savedReports.all(maxSaved)) : [];
  const listed = saved.map(({ name, channel, request }) => ({
    name,
    where: `channel ${channel}`,
    command: formatRequest(maskPeople(request)),
    yours: false,
  }));
  return savedReply(listed, 'No reports are saved.');
}
