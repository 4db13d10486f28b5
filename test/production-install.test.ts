import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { endOf } from '../playground/processes/end-of.js';
import { startReportingService } from '../playground/reporting-service/reporting-service.js';
import { startLocalSlack } from '../playground/slack/server/local-slack.js';
import { bareEnvironment } from './process.js';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder = '';
const inFolder = (path: string) => join(folder, path);
const npm = (...words: string[]) =>
  execFileSync('npm', [...words, '--offline', '--no-update-notifier'], { cwd: folder, stdio: 'pipe' });

/** What `npm ci` leaves behind, the installed packages and the build among it; then what operators run. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-production-'));
  const leftOut = ['.git', '.env', 'data', 'node_modules'].map((name) => join(root, name));
  cpSync(root, folder, { recursive: true, filter: (path) => !leftOut.includes(path) });
  linkTree(join(root, 'node_modules'), inFolder('node_modules'));
  npm('prune', '--omit=dev', '--workspaces=false');
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an install without development packages and playground', () => {
  it('holds the packages of the bot and none of the others', () => {
    const installed = (name: string) => existsSync(inFolder(`node_modules/${name}/package.json`));
    const { dependencies, devDependencies } = packageJson('package.json');
    const playground = packageJson('playground/package.json');
    const unwanted = new Set(
      [devDependencies, playground.dependencies, playground.devDependencies].flatMap(Object.keys),
    );
    for (const name of Object.keys(dependencies)) unwanted.delete(name);
    // The bot's own packages bring these types along.
    unwanted.delete('@types/node');
    expect([...unwanted]).toEqual(expect.arrayContaining(['fastify', 'react', 'vite', 'typescript']));
    expect([...unwanted].filter(installed)).toEqual([]);
    expect(Object.keys(dependencies).filter((name) => !installed(name))).toEqual([]);
    expect(existsSync(inFolder('node_modules/rollcall-playground'))).toBe(false);
  });

  it('leaves the build alone in `prepare`', () => {
    const built = statSync(inFolder('dist/bot/main.js')).mtimeMs;
    npm('run', 'prepare');
    expect(statSync(inFolder('dist/bot/main.js')).mtimeMs).toBe(built);
  });
});

describe('the container and the unit', () => {
  it('start with a read-only tree as an unprivileged user, answer the health check and stop', async () => {
    const script = join(root, 'scripts/check-deploy.js');
    const run = promisify(execFile)(process.execPath, [script, `--installed=${folder}`], { cwd: root });
    expect((await run).stdout).toContain('deploy/ is good: installed, started, healthy, stopped.');
  }, 120_000);
});

/** The blocks of code of a page, in order. */
function codeBlocks(page: string, language: string): string[] {
  const fence = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``, 'g');
  return [...page.matchAll(fence)].map(([, code = '']) => code);
}

describe('the page on installing', () => {
  it('leads to a first answer, word by word', async () => {
    const page = readFileSync(join(root, 'docs/install.md'), 'utf8');
    const [install, touch, doctor, start, ...more] = codeBlocks(page, 'sh');
    const [settings, ...others] = codeBlocks(page, 'ini');
    expect([more, others]).toEqual([[], []]);
    expect(install).toBe('npm ci && npm prune --omit=dev --workspaces=false');

    const slack = await startLocalSlack({ manifest: parse(readFileSync(inFolder('manifest.yml'), 'utf8')) });
    const service = await startReportingService({ learners: 40 });
    const values = {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      REPORTING_BASE_URL: service.url,
      REPORTING_API_TOKEN: service.token,
      ROLLCALL_ADMINS: 'U00ADA0001',
    };
    // The local Slack is not where the real one is, and other bots of this machine have the usual port.
    const env = { ...bareEnvironment(), SLACK_API_URL: slack.apiUrl, OPERATIONS_PORT: '' };
    const inShell = (command = '') =>
      execFileSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
    try {
      inShell(touch);
      expect(statSync(inFolder('.env')).mode & 0o777).toBe(0o600);
      const names = (settings ?? '').split('\n').map((line) => line.split('=', 1)[0] ?? '');
      expect(names).toEqual(Object.keys(values));
      writeFileSync(
        inFolder('.env'),
        Object.entries(values)
          .map((pair) => pair.join('='))
          .join('\n'),
      );
      // The services run in this process, so the program must not block it.
      const { stdout } = await promisify(execFile)('sh', ['-c', doctor ?? ''], { cwd: folder, env });
      expect(
        stdout
          .trim()
          .split('\n')
          .filter((line) => !line.startsWith('ok ')),
      ).toEqual([]);

      const bot = spawn('sh', ['-c', `exec ${start}`], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [bot.stdout, bot.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      const ended = endOf(bot, 'The installed bot');
      ended.catch(() => {});
      await expect.poll(() => output).toMatch(/^Rollcall ready$/m);
      const ada = slack.as('ada');
      await ada.command('/report engagement last-week', '@ada');
      await slack.waitForMessage('@ada', ({ text }) => text.startsWith('Engagement'));
      await ada.command('/report access', '@ada');
      await slack.waitForMessage('@ada', ({ text }) => !text.startsWith('Engagement'));
      bot.kill('SIGTERM');
      expect(await ended).toBe(0);
    } finally {
      await service.stop();
      await slack.stop();
    }
  }, 60_000);
});

interface Package {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

function packageJson(path: string): Package {
  return JSON.parse(readFileSync(inFolder(path), 'utf8'));
}

/** Links files, since copying all packages takes ten times as long. npm removes packages and writes into none. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // npm writes into this list of what is installed, and makes it anew where it is missing.
    if (entry.name === '.package-lock.json') continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory()) linkTree(source, target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The temporary folder may be on another file system.
    copyFileSync(source, target);
  }
}
