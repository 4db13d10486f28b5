import { describe, expect, it } from 'vitest';
import { configFrom, runConfigFrom } from '../../src/config/config.js';
import { variables } from '../../src/config/variables.js';

const complete = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  REPORTING_BASE_URL: 'http://127.0.0.1:4010',
  REPORTING_API_TOKEN: 'a secret',
};

const noFiles = (path: string): string => {
  throw new Error(`no such file: ${path}`);
};

function configOf(environment: Record<string, string>, files: Record<string, string> = {}) {
  const checked = configFrom({
    environment: { ...complete, ...environment },
    readFile: (path) => files[path] ?? noFiles(path),
  });
  if (!checked.ok) throw new Error(checked.refusal.map(({ sentence }) => sentence).join('\n'));
  return checked.value;
}

function problemsOf(environment: Record<string, string | undefined>, files: Record<string, string> = {}) {
  const checked = configFrom({ environment, readFile: (path) => files[path] ?? noFiles(path) });
  return checked.ok ? [] : checked.refusal;
}

describe('the configuration', () => {
  it('uses the documented defaults', () => {
    expect(configOf({})).toEqual({
      slack: {
        botToken: 'xoxb-1',
        apiUrl: 'https://slack.com/api/',
        trustEmail: false,
        transport: { mode: 'socket', appToken: 'xapp-1' },
        proxies: {},
        signingSecretUnused: false,
      },
      reporting: {
        baseUrl: 'http://127.0.0.1:4010',
        token: 'a secret',
        authScheme: 'raw',
        idleTimeoutMs: 300_000,
        maxRequestsPerMinute: 50,
        maxParallelRequests: 1,
        maxRangeDays: 0,
        maxAnswerBytes: 4294967296,
        proxies: {},
      },
      database: 'data/rollcall.db',
      recordKey: undefined,
      keepRecordDays: 400,
      defaultZone: 'UTC',
      weekStart: 'monday',
      admins: [],
      defaultAccess: 'team',
      smallestGroup: 5,
      namesDaily: true,
      asksPurpose: false,
      learningLinks: {},
      personLevelChannels: [],
      operationsPort: 9464,
      logLevel: 'info',
    });
  });

  it('has the proxies, and those in small letters go first', () => {
    const proxies = {
      HTTPS_PROXY: ' http://user:p%40ss@proxy.test:3128 ',
      HTTP_PROXY: 'http://other.test',
      http_proxy: '',
      no_proxy: 'localhost',
    };
    const { slack, reporting } = configOf(proxies);
    expect(slack.proxies).toEqual({ https: 'http://user:p%40ss@proxy.test:3128', except: 'localhost' });
    expect(reporting.proxies).toEqual(slack.proxies);
  });

  it.each(['proxy.test:3128', '127.0.0.1:3128', 'http://', 'ftp://proxy.test', 'http://u:%zz@proxy.test'])(
    'refuses the proxy %s once, by its name',
    (address) => {
      expect(problemsOf({ ...complete, https_proxy: address, HTTP_PROXY: address })).toEqual([
        {
          variable: 'https_proxy',
          sentence: expect.stringMatching(/^https_proxy is not the address of a proxy/),
        },
        {
          variable: 'HTTP_PROXY',
          sentence: expect.stringMatching(/^HTTP_PROXY is not the address of a proxy/),
        },
      ]);
    },
  );

  it('is deeply frozen', () => {
    const config = configOf({ ROLLCALL_ADMINS: 'U1' });
    expect(() => Object.assign(config.slack, { botToken: 'xoxb-2' })).toThrow(TypeError);
    expect(() => Object.assign(config.admins, { 0: 'U2' })).toThrow(TypeError);
  });

  it('uses HTTP with a signing secret, and Socket Mode if both are set', () => {
    expect(configOf({ SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'shh', PORT: '0' }).slack).toMatchObject({
      transport: { mode: 'http', signingSecret: 'shh', host: '127.0.0.1', port: 0 },
      signingSecretUnused: false,
    });
    expect(configOf({ SLACK_SIGNING_SECRET: 'shh' }).slack).toMatchObject({
      transport: { mode: 'socket' },
      signingSecretUnused: true,
    });
  });

  it.each([
    [
      { REPORTING_BASE_URL: 'https://lms.example.com/a/b//' },
      { reporting: { baseUrl: 'https://lms.example.com/a/b' } },
    ],
    [{ SLACK_API_URL: 'http://127.0.0.1:3000/api' }, { slack: { apiUrl: 'http://127.0.0.1:3000/api/' } }],
    [{ REPORTING_AUTH_SCHEME: 'Bearer' }, { reporting: { authScheme: 'bearer' } }],
    [{ REPORTING_TIMEOUT_SECONDS: '0.25' }, { reporting: { idleTimeoutMs: 250 } }],
    [{ OPERATIONS_PORT: '' }, { operationsPort: undefined }],
    [{ OPERATIONS_PORT: '0' }, { operationsPort: 0 }],
    [{ PERSON_LEVEL_CHANNELS: '*' }, { personLevelChannels: '*' }],
    [{ PERSON_LEVEL_CHANNELS: ' C1, G2 ,,' }, { personLevelChannels: ['C1', 'G2'] }],
    [{ ROLLCALL_ADMINS: 'U1,W2' }, { admins: ['U1', 'W2'] }],
    [{ DATABASE_URL: 'sqlite:/var/lib/rollcall.db' }, { database: '/var/lib/rollcall.db' }],
    [
      {
        DATABASE_URL: 'postgres://rollcall:secret@db:5432/rollcall?sslmode=verify-full',
        RECORD_KEY: 'AB'.repeat(32),
      },
      {
        database: 'postgres://rollcall:secret@db:5432/rollcall?sslmode=verify-full',
        recordKey: 'AB'.repeat(32),
      },
    ],
    [
      { DEFAULT_TIMEZONE: 'America/Argentina/Buenos_Aires' },
      { defaultZone: 'America/Argentina/Buenos_Aires' },
    ],
    [
      { WEEK_STARTS_ON: 'SUNDAY', LOG_LEVEL: 'Debug' },
      { weekStart: 'sunday', logLevel: 'debug' },
    ],
    [{ KEEP_RECORD_DAYS: '1100' }, { keepRecordDays: 1100, recordKey: undefined }],
    [{ REPORTING_API_TOKEN: '  padded \n' }, { reporting: { token: 'padded' } }],
  ])('reads %j', (environment, expected) => {
    expect(configOf(environment as Record<string, string>)).toMatchObject(expected);
  });

  it('reads any variable from the file in NAME_FILE', () => {
    const files = { '/run/token': 'xoxb-from-file\n', '/run/port': '\uFEFF0\r\n', '/run/off': '\n' };
    const config = configOf(
      { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: '/run/token', REPORTING_PARALLEL_FILE: '/n' },
      { ...files, '/n': '3' },
    );
    expect(config.slack.botToken).toBe('xoxb-from-file');
    expect(config.reporting.maxParallelRequests).toBe(3);
    expect(configOf({ OPERATIONS_PORT_FILE: '/run/off' }, files).operationsPort).toBeUndefined();
  });
});

describe('the list of names', () => {
  it('is read from the file in REPORTING_NAMES', () => {
    const { names } = configOf(
      { REPORTING_NAMES: '/names.csv' },
      { '/names.csv': 'member,id,name\ndepartments,17,Field Operations\n' },
    ).reporting;
    expect(names?.get('departments')?.get('field operations')?.identifier).toBe('17');
  });

  it('is refused line by line, up to a limit', () => {
    const csv = `member,id,name\n${'departments,17\n'.repeat(14)}`;
    const problems = problemsOf({ ...complete, REPORTING_NAMES: '/names.csv' }, { '/names.csv': csv });
    expect(problems).toHaveLength(11);
    expect(problems[0]?.sentence).toMatch(/^REPORTING_NAMES names a file whose line 2 has 2 columns/);
    expect(problems[10]?.sentence).toContain('4 more');
    expect(problemsOf({ ...complete, REPORTING_NAMES: '/gone.csv' })).toHaveLength(1);
  });
});

describe('the links of titles', () => {
  it('are read from LEARNING_LINK', () => {
    const LEARNING_LINK = 'https://lms.example/c/{content_id} https://lms.example/t/{track_id}';
    expect(configOf({ LEARNING_LINK }).learningLinks).toEqual({
      content: 'https://lms.example/c/{content_id}',
      track: 'https://lms.example/t/{track_id}',
    });
  });

  it('are refused with the fix', () => {
    const problems = problemsOf({ ...complete, LEARNING_LINK: 'http://lms.example/c/{content_id}' });
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      'LEARNING_LINK has an address that is no link: begin it with https:// and a host, and put {content_id} after the host.',
    ]);
  });
});

describe('problems of the configuration', () => {
  it('are all listed at once, each with its variable and its fix', () => {
    const problems = problemsOf({});
    expect(problems.map(({ variable }) => variable)).toEqual([
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'REPORTING_BASE_URL',
      'REPORTING_API_TOKEN',
    ]);
    for (const { variable, sentence } of problems) {
      expect(sentence.startsWith(`${variable} `)).toBe(true);
      expect(sentence).toMatch(/(copy|set|give) /);
      expect(sentence.endsWith('.')).toBe(true);
    }
    expect(problems[1]?.sentence).toContain('SLACK_SIGNING_SECRET');
  });

  it('name a key of the record that PostgreSQL lacks, or that is no key', () => {
    const DATABASE_URL = 'postgres://rollcall:secret@db/rollcall';
    expect(problemsOf({ ...complete, DATABASE_URL }).map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^RECORD_KEY is not set: .*the same for all processes\.$/),
    ]);
    const [problem, ...more] = problemsOf({ ...complete, RECORD_KEY: 'ab'.repeat(31) });
    expect(problem?.sentence).toMatch(/^RECORD_KEY is invalid: set it to 64 hexadecimal digits/);
    expect(problem?.sentence).not.toContain('abab');
    expect(more).toEqual([]);
    for (const KEEP_RECORD_DAYS of ['29', '1101', 'year']) {
      expect(problemsOf({ ...complete, KEEP_RECORD_DAYS })).toHaveLength(1);
    }
  });

  it('say what the tools for Slackbot need', () => {
    const wordsOf = (more: Readonly<Record<string, string>>) =>
      problemsOf({ ...complete, MCP: 'yes', ...more }).map(({ sentence }) => sentence);
    const needsHttp = expect.stringMatching(
      /^MCP needs HTTP mode, .*: set SLACK_SIGNING_SECRET, and remove SLACK_APP_TOKEN\.$/,
    );
    const needsUrl = expect.stringMatching(
      /^PUBLIC_URL is not set, and MCP=yes needs it: set it to the https address /,
    );
    expect(wordsOf({})).toEqual([needsHttp, needsUrl]);
    const http = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'shh' };
    expect(wordsOf(http)).toEqual([needsUrl]);
    expect(wordsOf({ PUBLIC_URL: 'https://rollcall.example.com' })).toEqual([needsHttp]);
    expect(wordsOf({ ...http, PUBLIC_URL: 'http://rollcall.example.com' })).toEqual([
      expect.stringContaining('PUBLIC_URL is not an https address'),
    ]);
    expect(configOf({ ...http, MCP: 'yes', PUBLIC_URL: 'https://rollcall.example.com/' }).assistants).toEqual(
      {
        publicUrl: 'https://rollcall.example.com',
      },
    );
    expect(configOf({ PUBLIC_URL: 'https://rollcall.example.com' }).assistants).toBeUndefined();
  });

  it('come together from all parts', () => {
    const environment = Object.fromEntries([...variables.keys()].map((name) => [name, '\u0001?']));
    const wrong = problemsOf(environment).map(({ variable }) => variable);
    const anyText = ['SLACK_SIGNING_SECRET', 'HOST'];
    expect(new Set(wrong)).toEqual(new Set([...variables.keys()].filter((name) => !anyText.includes(name))));
  });

  it.each([
    ['SLACK_BOT_TOKEN', 'xapp-1'],
    ['SLACK_BOT_TOKEN', 'xoxb-1 2'],
    ['SLACK_APP_TOKEN', 'xoxb-1'],
    ['SLACK_SIGNING_SECRET', 'two words'],
    ['SLACK_API_URL', 'slack.com/api'],
    ['REPORTING_BASE_URL', 'https://lms.example.com/api/v1'],
    ['REPORTING_BASE_URL', 'https://lms.example.com/api/v1/'],
    ['REPORTING_BASE_URL', 'ftp://lms.example.com'],
    ['REPORTING_BASE_URL', 'https://me:secret@lms.example.com'],
    ['REPORTING_BASE_URL', 'https://lms.example.com?x=1'],
    ['REPORTING_API_TOKEN', 'a\nb'],
    ['REPORTING_AUTH_SCHEME', 'basic'],
    ['REPORTING_TIMEOUT_SECONDS', '0'],
    ['REPORTING_TIMEOUT_SECONDS', '-1'],
    ['REPORTING_TIMEOUT_SECONDS', '1e3'],
    ['REPORTING_TIMEOUT_SECONDS', '86401'],
    ['REPORTING_REQUESTS_PER_MINUTE', '0'],
    ['REPORTING_PARALLEL', '1.5'],
    ['REPORTING_MAX_RANGE_DAYS', 'none'],
    ['DATABASE_URL', 'postgres://'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['DATABASE_URL', 'postgres://user:100%@localhost/rollcall'],
    ['DATABASE_URL', 'mysql://localhost/rollcall'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'sqlite::memory:'],
    ['DATABASE_URL', 'sqlite:data/'],
    ['DEFAULT_TIMEZONE', 'Mars/Olympus'],
    ['DEFAULT_TIMEZONE', '+02:00'],
    ['WEEK_STARTS_ON', 'tuesday'],
    ['ROLLCALL_ADMINS', 'U1,@ada'],
    ['PERSON_LEVEL_CHANNELS', '#general'],
    ['PORT', '65536'],
    ['OPERATIONS_PORT', 'off'],
    ['LOG_LEVEL', 'trace'],
  ])('%s=%j is one', (name, value) => {
    const problems = problemsOf({ ...complete, [name]: value });
    expect(problems.map(({ variable }) => variable)).toEqual([name]);
  });

  it.each([
    ['is set and its _FILE too', { SLACK_BOT_TOKEN_FILE: '/token' }, 'SLACK_BOT_TOKEN'],
    [
      'names a file that is not there',
      { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: '/gone' },
      'SLACK_BOT_TOKEN_FILE',
    ],
    ['names an empty file', { SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: '/empty' }, 'SLACK_BOT_TOKEN'],
    [
      'names an empty file, as the only way in',
      { SLACK_APP_TOKEN: '', SLACK_APP_TOKEN_FILE: '/empty' },
      'SLACK_APP_TOKEN',
    ],
  ])('a variable that %s is one', (_, environment, variable) => {
    const problems = problemsOf({ ...complete, ...environment }, { '/token': 'xoxb-2', '/empty': '\n' });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.variable).toBe(variable);
  });

  it('repeat no value, because it may be a secret', () => {
    const secret = 'sk-94b2 ü';
    const problems = problemsOf(Object.fromEntries([...variables.keys()].map((name) => [name, secret])));
    expect(problems.length).toBeGreaterThan(10);
    expect(JSON.stringify(problems)).not.toContain('94b2');
  });

  it('do not include Slack for a report on the command line', () => {
    const { SLACK_BOT_TOKEN: _bot, SLACK_APP_TOKEN: _app, ...service } = complete;
    expect(runConfigFrom({ environment: service, readFile: noFiles })).toMatchObject({
      ok: true,
      value: { defaultZone: 'UTC' },
    });
  });
});
