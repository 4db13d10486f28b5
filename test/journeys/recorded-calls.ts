import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Exchange, Inspector } from '../../playground/slack/server/inspector.js';
import { wordsIn } from '../../playground/slack/server/script/find.js';

/**
 * Compares the bot's calls in the journeys with recorded ones. The folder `calls/` has one line per call. This runs only
 * on request, because recorded journeys take place on a fixed day:
 *
 *     npm run test:calls                  compares
 *     UPDATE_CALLS=1 npm run test:calls   records
 *
 * `calls/left-out.json` lists the tests that are not compared, with the reasons.
 *
 * The lines of a test are sorted, because parallel calls have no order. Look-ups in Slack and queries of the Reporting
 * Service depend on caches, so each is listed once per journey. A line ends with a hash of everything that was sent, so
 * that changes show even if the words are the same. `CALLS_IN_FULL=FILE` appends the text behind each hash to a file.
 */
export const comparesCalls = process.env.UPDATE_CALLS === '1' || process.env.COMPARE_CALLS === '1';

/** A Friday in the middle of a month and a quarter. No journey types this time, in any zone of the workspace. */
const recordedAt = Date.parse('2026-11-20T09:41:00Z');

/** A test counts as over after this many milliseconds without a call. */
const quietMs = 400;
const longestWaitMs = 10_000;
const longestWords = 500;

/** Moves the clock of this process to that day. Returns the environment that does the same for the bot. */
export async function sameDay(): Promise<{ readonly AHEAD_MS: string; readonly NODE_OPTIONS: string }> {
  const preload = new URL('./same-day.mjs', import.meta.url).href;
  process.env.AHEAD_MS ??= String(recordedAt - Date.now());
  await import(preload);
  return { AHEAD_MS: process.env.AHEAD_MS, NODE_OPTIONS: `--import=${preload}` };
}

const leftOut: { readonly tests: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('./calls/left-out.json', import.meta.url), 'utf8'),
);

const changes =
  /^(?:chat\.(?:post|update|delete)\w*|views\.\w+|files\.\w+|conversations\.join|upload|response_url)$/;

/** Records the calls during the tests of a file. Call `compare` after them. */
export function recordedCalls() {
  const lookups = new Set<string>();
  const tests: { readonly name: string; lines: string[] }[] = [];
  let file = '';
  let lastCall = 0;
  let underWay = 0;

  beforeEach(({ task }) => {
    file = task.file.name;
    tests.push({ name: task.name, lines: [] });
  });
  afterEach(async () => {
    const until = performance.now() + longestWaitMs;
    while ((underWay > 0 || performance.now() - lastCall < quietMs) && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, longestWaitMs + 1000);

  function note(line: string) {
    lastCall = performance.now();
    const test = tests.at(-1);
    if (!test) return void lookups.add(line);
    // The bot may combine changes of the Home tab that follow each other. The last state counts.
    const [home] = /^views\.publish \S+ /.exec(line) ?? [];
    if (home) test.lines = test.lines.filter((one) => !one.startsWith(home));
    test.lines.push(line);
  }

  return {
    listenTo(inspector: Inspector): void {
      const begin = inspector.begin.bind(inspector);
      inspector.begin = (request) => {
        const { direction, title, body } = request;
        const exchange = begin(request);
        if (direction === 'bot to Reporting Service')
          lookups.add(`service ${normal(title)} ${normal(asText(body))}`);
        else if (direction === 'bot to Slack') {
          if (changes.test(title)) note(lineOf(title, body));
          else lookups.add(`${title} ${normal(asText(withoutSecrets(body)))}`);
        }
        if (direction !== 'Slack to bot') {
          underWay += 1;
          return ending(exchange, () => {
            underWay -= 1;
            lastCall = performance.now();
          });
        }
        return ending(exchange, (answer) => {
          if (typeof answer === 'object' && answer !== null) note(lineOf('acknowledged with', answer));
        });
      };
    },

    compare(workspaceNumber: number): void {
      const name = basename(file).replace('.test.ts', '');
      if (tests.length === 0) return;
      const path = fileURLToPath(
        new URL(`./calls/${name}${workspaceNumber > 1 ? `-${workspaceNumber}` : ''}.txt`, import.meta.url),
      );
      const compared = tests.filter((test) => !(test.name in leftOut.tests));
      const text = [
        '# Looked up in Slack and at the Reporting Service',
        ...[...lookups].sort(),
        ...compared.flatMap((test) => ['', `# ${test.name}`, ...test.lines.sort()]),
        '',
      ].join('\n');
      if (process.env.UPDATE_CALLS === '1') {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      expect(existsSync(path), `Nothing is recorded: UPDATE_CALLS=1 npm run test:calls -- ${name}`).toBe(
        true,
      );
      expect(text, `The calls differ from those in ${path}`).toBe(readFileSync(path, 'utf8'));
    },
  };
}

function ending(exchange: Exchange, then: (answer: unknown) => void): Exchange {
  return {
    end(answer) {
      exchange.end(answer);
      then(answer.body);
    },
  };
}

/** A call as the words that people see, with a hash of everything that was sent. */
function lineOf(method: string, sent: unknown): string {
  const body = withoutSecrets(typeof sent === 'string' ? parsed(sent) : sent);
  const all = normal(asText(body));
  const { channel, user, user_id, thread_ts, text, view, blocks, ...more } = isThing(body) ? body : {};
  const place = [channel, user, user_id, thread_ts === undefined ? undefined : 'in thread'];
  const said = [text, ...(view || blocks ? wordsIn([view, blocks]) : [asText(more)])];
  const words = normal(said.filter((part) => part !== undefined).join(' | ')).replace(/\s+/g, ' ');
  const hash = createHash('sha256').update(all).digest('hex').slice(0, 8);
  if (process.env.CALLS_IN_FULL) appendFileSync(process.env.CALLS_IN_FULL, `#${hash} ${method} ${all}\n`);
  const shown = words.length > longestWords ? `${words.slice(0, longestWords)}…` : words;
  return [method, ...place.filter((part) => part !== undefined), shown, `#${hash}`].join(' ');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isThing(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutSecrets(body: unknown): unknown {
  if (!isThing(body)) return body;
  const { token: _token, ...rest } = body;
  return rest;
}

/** JSON with members sorted by name. */
function asText(body: unknown): string {
  return JSON.stringify(parsedIfText(body), (_name, value) =>
    isThing(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function parsedIfText(body: unknown): unknown {
  return typeof body === 'string' ? parsed(body) : body;
}

/** Replaces IDs, times and addresses, which differ in each run. */
function normal(text: string): string {
  return text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, '<address>')
    .replace(/\b\d{13}\.\d+\.[0-9a-f]{32}\b/g, '<trigger>')
    .replace(/\b\d{13}\.[\w-]{8}(?![\w-])/g, '<version>')
    .replace(/\b\d{10}\.\d{1,6}\b/g, '<ts>')
    .replace(/\bp\d{16}\b/g, '<ts>')
    .replace(/\b(?:17|18)\d{11}\b/g, '<moment>')
    .replace(/\b1[678]\d{8}\b/g, (seconds) => (Number(seconds) % 900 === 0 ? seconds : '<moment>'))
    .replace(/, as of (?:\w{3} \d+ \w{3}, )?\d\d:\d\d(?:, (?=and the last run))?/g, (said) =>
      said.endsWith(' ') ? ' ' : '',
    )
    .replace(/\b(?:04|09|10):4\d\b|\b15:1\d\b/g, '<time>')
    .replace(/\b\d+ (?=records so far)/g, '<several> ')
    .replace(/\b[FV]0[0-9A-Z]{8,}\b/g, '<id>')
    .replace(/(?<![0-9a-z])[2-9][2-9a-hjkmnp-z]{9}(?![0-9a-z])/g, '<id>');
}
