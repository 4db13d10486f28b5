// Checks the files in deploy/ without a container engine: does the steps of the Containerfile in a scratch folder, starts
// the bot from there with a read-only tree and, as root, as the user of the container, and stops it.
// --installed=FOLDER: takes a folder where those steps of the build were already done, instead of doing them.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startReportingService } from '../dist/playground/reporting-service/reporting-service.js';
import { startLocalSlack } from '../dist/playground/slack/server/local-slack.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const installed = process.argv.find((word) => word.startsWith('--installed='))?.slice('--installed='.length);
const isRoot = process.getuid?.() === 0;
const stopWithinMs = 5000;
/** What a bot with thousands of digests needs beside a large answer. */
const leastMegabytes = 512;
const container = readContainerfile(readFileSync(join(root, 'deploy/Containerfile'), 'utf8'));
const problems = [];

checkUnit();
checkCompose('compose.yml', 1);
checkCompose('compose-postgres.yml', 2);
checkProxy();
const scratch = mkdtempSync(join(tmpdir(), 'rollcall-deploy-'));
try {
  buildImage();
  await runImage();
} finally {
  makeWritable(scratch);
  rmSync(scratch, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log('deploy/ is good: installed, started, healthy, stopped.');
process.exitCode = problems.length > 0 ? 1 : 0;

function expectThat(isTrue, problem) {
  if (!isTrue) problems.push(problem);
}

/** The instructions of each stage, the last one for the image. */
function readContainerfile(text) {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stages = [];
  for (const line of lines) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (!name) throw new Error(`The Containerfile has a line that is no instruction: ${line}`);
    if (name === 'FROM') stages.push([]);
    else stages.at(-1).push({ name, rest });
  }
  const image = stages.at(-1);
  const all = (name) => image.filter((one) => one.name === name).map(({ rest }) => rest);
  const last = (name) => all(name).at(-1) ?? '';
  const environment = all('ENV').flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split('=')));
  return {
    buildSteps: stages[0].filter(({ name }) => name === 'RUN').flatMap(({ rest }) => rest.split(' && ')),
    copies: all('COPY').map((rest) => rest.replace(/--from=\S+ /, '').split(/\s+/)),
    user: last('USER').split(':').map(Number),
    command: JSON.parse(last('CMD')),
    health: JSON.parse(last('HEALTHCHECK').replace(/^.*?CMD /, '')),
    environment: Object.fromEntries(environment),
    volume: last('VOLUME'),
  };
}

/** The first stage: what operators run, in a copy of what Git has. Returns its folder. */
function install() {
  const source = join(scratch, 'build');
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of files
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)))) {
    cpSync(join(root, file), join(source, file));
  }
  for (const step of container.buildSteps) {
    const [program, ...words] = step.split(/\s+/);
    execFileSync(program, words, { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return source;
}

/** The second stage. */
function buildImage() {
  expectThat(
    container.buildSteps.join(' && ') === 'npm ci && npm prune --omit=dev --workspaces=false',
    'The Containerfile does not install as docs/install.md does.',
  );
  const source = installed ?? install();
  const image = join(scratch, 'image');
  for (const words of container.copies) {
    const target = words.at(-1);
    for (const from of words.slice(0, -1)) {
      const path = join(source, from.replace(/^\/app\//, ''));
      if (!existsSync(path)) {
        problems.push(`The Containerfile copies ${from}, which is not there after the build.`);
        continue;
      }
      const into = target.endsWith('/') ? join(target, path.slice(dirname(path).length)) : target;
      cpSync(path, join(image, into), { recursive: true, verbatimSymlinks: true });
    }
  }
}

/** Starts the bot as the container does, and stops it. */
async function runImage() {
  const image = join(scratch, 'image');
  const data = join(scratch, 'data');
  mkdirSync(data, { mode: 0o700 });
  const [uid, gid] = container.user;
  expectThat(uid > 0 && gid > 0, 'The Containerfile runs the bot as root.');
  if (isRoot) chownSync(data, uid, gid);
  chmodSync(scratch, 0o755);
  makeReadOnly(image);
  const slack = await startLocalSlack({});
  const service = await startReportingService({ learners: 20 });
  const { DATABASE_URL: database, ...fixed } = container.environment;
  expectThat(database?.startsWith(`sqlite:${container.volume}/`), 'The database is not on the volume.');
  const [program, ...words] = container.command;
  const as = isRoot ? { uid, gid } : {};
  try {
    const bot = spawn(program === 'node' ? process.execPath : program, words, {
      cwd: image,
      ...as,
      env: {
        ...fixed,
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
        REPORTING_BASE_URL: service.url,
        REPORTING_API_TOKEN: service.token,
        DATABASE_URL: `sqlite:${join(data, 'rollcall.db')}`,
        OPERATIONS_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [bot.stdout, bot.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const ended = once(bot, 'close');
    const isReady = await waitFor(() => /^Rollcall ready$/m.test(output) || bot.exitCode !== null, 30_000);
    expectThat(isReady && bot.exitCode === null, `The bot did not start:\n${output}`);
    if (bot.exitCode !== null) return;
    const port = /"port":(\d+)/.exec(
      output.split('\n').find((line) => /metrics|health/i.test(line)) ?? '',
    )?.[1];
    expectThat(port !== undefined, 'The log does not name the port of the health check.');
    const health = container.health.map((word) => word.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
    const checked = spawnSync(health[0] === 'node' ? process.execPath : health[0], health.slice(1), {
      ...as,
    });
    expectThat(checked.status === 0, 'The health check of a running bot failed.');
    const stoppedAt = performance.now();
    bot.kill('SIGTERM');
    const [code] = await ended;
    expectThat(code === 0, `The bot ended with ${code}.`);
    expectThat(performance.now() - stoppedAt < stopWithinMs, 'The bot took more than five seconds to stop.');
    const down = spawnSync(health[0] === 'node' ? process.execPath : health[0], health.slice(1), { ...as });
    expectThat(down.status !== 0, 'The health check of a stopped bot succeeded.');
  } finally {
    await service.stop();
    await slack.stop();
  }
}

function checkUnit() {
  const path = join(root, 'deploy/rollcall.service');
  const unit = readFileSync(path, 'utf8');
  const value = (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  const command = container.command.slice(1).join(' ');
  expectThat(value('ExecStart')?.endsWith(command), 'The unit and the container start different programs.');
  expectThat(
    Number(value('TimeoutStopSec')) * 1000 > stopWithinMs,
    'The unit kills the bot before it stops.',
  );
  expectThat(value('RestartPreventExitStatus') === '78', 'The unit restarts after a wrong setting.');
  expectThat(
    value('ProtectSystem') === 'strict' && value('NoNewPrivileges') === 'yes',
    'The unit is not hardened.',
  );
  const [high, most] = [megabytesOf(value('MemoryHigh')), megabytesOf(value('MemoryMax'))];
  expectThat(leastMegabytes <= high && high < most, 'The unit does not limit memory as it should.');
  const state = value('StateDirectory');
  expectThat(
    unit.includes(`DATABASE_URL=sqlite:/var/lib/${state}/`),
    'The database is not in the state directory.',
  );
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  if (verified.error) return;
  const complaints = verified.stderr
    .split('\n')
    .filter((line) => line.includes('rollcall.service') && !/not executable|No such file/.test(line));
  expectThat(complaints.length === 0, complaints.join('\n'));
}

function checkCompose(file, expected) {
  const text = readFileSync(join(root, 'deploy', file), 'utf8');
  const { services, secrets, volumes } = parse(text, { merge: true });
  const rollcalls = Object.entries(services).filter(([name]) => name.startsWith('rollcall'));
  expectThat(rollcalls.length === expected, `${file} starts ${rollcalls.length} of ${expected} processes.`);
  for (const [, rollcall] of rollcalls) {
    expectThat(existsSync(join(root, rollcall.build.dockerfile)), `${file} names no Containerfile.`);
    expectThat(rollcall.read_only === true, `${file} leaves the tree writable.`);
    expectThat(
      megabytesOf(rollcall.mem_limit) >= leastMegabytes && rollcall.memswap_limit === rollcall.mem_limit,
      `${file} does not limit the memory of Rollcall as it should.`,
    );
    for (const name of rollcall.secrets) {
      expectThat(
        Object.values(rollcall.environment).includes(`/run/secrets/${name}`),
        `No setting of ${file} reads the secret ${name}.`,
      );
    }
    for (const mount of rollcall.volumes) {
      const [volume, target] = mount.split(':');
      expectThat(volume in volumes && target === container.volume, `${file} mounts ${mount}.`);
    }
  }
  for (const [
    service,
    { secrets: used = [], volumes: mounts = [], depends_on: needed = {} },
  ] of Object.entries(services)) {
    expectThat(
      megabytesOf(services[service].mem_limit) > 0,
      `${file} does not limit the memory of ${service}.`,
    );
    for (const name of used) expectThat(secrets[name] !== undefined, `${file} has no secret ${name}.`);
    for (const name of Object.keys(needed)) expectThat(name in services, `${file} has no service ${name}.`);
    for (const mount of mounts) {
      const [source] = mount.split(':');
      const exists = source.startsWith('./') ? existsSync(join(root, 'deploy', source)) : source in volumes;
      expectThat(exists, `${service} of ${file} mounts ${source}, which is not there.`);
    }
  }
}

/** Of `1g`, `1G` and `768M`; NaN: no limit. */
function megabytesOf(limit) {
  const [, number, unit] = /^(\d+)([mg])$/i.exec(limit ?? '') ?? [];
  return Number(number) * (unit?.toLowerCase() === 'g' ? 1024 : 1);
}

/** The proxy names the processes that the compose file starts. */
function checkProxy() {
  const { services } = parse(readFileSync(join(root, 'deploy/compose-postgres.yml'), 'utf8'), {
    merge: true,
  });
  const [, list = ''] =
    /reverse_proxy ([^{]+)\{/.exec(readFileSync(join(root, 'deploy/Caddyfile'), 'utf8')) ?? [];
  const named = list.trim().split(/\s+/);
  const started = Object.keys(services).filter((name) => name.startsWith('rollcall'));
  expectThat(
    JSON.stringify(named) === JSON.stringify(started.map((name) => `${name}:3000`)),
    `The Caddyfile names ${named.join(', ')}, and compose-postgres.yml starts ${started.join(', ')}.`,
  );
}

async function waitFor(isTrue, withinMs) {
  const until = performance.now() + withinMs;
  while (!isTrue()) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/** Folders alone: files may be links to installed packages, and a folder decides what may be added or removed. */
function makeReadOnly(path) {
  for (const folder of foldersIn(path)) chmodSync(folder, 0o555);
}

function makeWritable(path) {
  for (const folder of foldersIn(path)) chmodSync(folder, 0o755);
}

function foldersIn(path) {
  if (!existsSync(path) || !lstatSync(path).isDirectory()) return [];
  const inside = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [path, ...inside.flatMap(({ name }) => foldersIn(join(path, name)))];
}
