import { once } from 'node:events';
import { HelpRequested, InvalidOptions, readCommandLine } from './command-line.js';
import { FolderNotEmpty } from './files/export-folder.js';
import { InvalidData } from './files/tables.js';
import { type ReportingServiceOptions, startReportingService } from './reporting-service.js';
import { NotASavedWorld } from './world/world.js';

/** Exit codes: 0 stopped, 1 could not start, 2 invalid options. */
process.exitCode = await main();

async function main(): Promise<number> {
  let options: ReportingServiceOptions;
  try {
    options = readCommandLine(process.argv.slice(2));
  } catch (error) {
    if (error instanceof HelpRequested) {
      process.stdout.write(error.help);
      return 0;
    }
    if (!(error instanceof InvalidOptions)) throw error;
    for (const line of error.lines) printLine(line);
    return 2;
  }

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  try {
    const running = await startReportingService({ ...options, signal: stop.signal, onFailure });
    process.stdout.write(`Reporting Service ready: ${running.url}\n`);
    const { token, auth } = options;
    printLine(`Requests need the header "Authorization: ${auth === 'bearer' ? 'Bearer ' : ''}${token}".`);
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    await running.stop();
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    for (const line of describeStartError(error, options)) printLine(line);
    return 1;
  }
}

function describeStartError(error: unknown, { port, data }: ReportingServiceOptions): readonly string[] {
  if (error instanceof InvalidData) return [`${data} could not be loaded:`, ...error.lines];
  if (error instanceof NotASavedWorld || error instanceof FolderNotEmpty) return [error.message];
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return [`Port ${port} is in use. Choose another one with --port, or a free one with --port 0.`];
  }
  if (code === 'EACCES') return [`Permission denied: ${String(error)}`];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}

function onFailure(error: unknown): void {
  printLine(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
