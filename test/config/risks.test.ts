import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeUnknownVariables, settingRisks } from '../../src/config/risks.js';
import { variables } from '../../src/config/variables.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-risks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, mode: number, text = ''): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('risky settings', () => {
  it('are none where secrets are readable by their owner alone, and addresses are safe', () => {
    write('.env', 0o600, 'REPORTING_BASE_URL=https://learning.example.com\n');
    const token = write('token', 0o400);
    expect(settingRisks({ SLACK_BOT_TOKEN_FILE: token }, folder)).toEqual([]);
    expect(settingRisks({}, folder)).toEqual([]);
  });

  it.each([0o640, 0o604, 0o660])('are files with secrets of mode %o', (mode) => {
    const dotenv = write('.env', mode);
    const token = write('token', mode);
    const other = write('names.csv', 0o644);
    const risks = settingRisks({ REPORTING_API_TOKEN_FILE: token, REPORTING_NAMES: other }, folder);
    expect(risks).toEqual(
      [dotenv, token].map(
        (path) => `Other accounts of this machine can read ${path}. Run: chmod 600 ${path}`,
      ),
    );
  });

  it.each(['DATABASE_URL', 'REPORTING_BASE_URL', 'ROLLCALL_ADMINS'])(
    'are files of %s too, since every variable can be in one',
    (name) => {
      const path = write('value', 0o640, 'postgres://u:p@localhost/rollcall');
      expect(settingRisks({ [`${name}_FILE`]: path }, folder)).toEqual([
        `Other accounts of this machine can read ${path}. Run: chmod 600 ${path}`,
      ]);
    },
  );

  it('are files that `.env` names', () => {
    const token = write('token', 0o644);
    write('.env', 0o600, `SLACK_SIGNING_SECRET_FILE=${token}\n`);
    expect(settingRisks({}, folder)).toHaveLength(1);
  });

  it.each([
    ['http://learning.example.com', 1],
    ['http://10.0.0.7:8080/lms', 1],
    ['http://localhost.example.com', 1],
    ['https://learning.example.com', 0],
    ['http://localhost:4010', 0],
    ['http://127.0.0.1:4010', 0],
    ['http://[::1]:4010', 0],
    ['not an address', 0],
  ])('are plain addresses beyond this machine: %s', (address, count) => {
    expect(settingRisks({ REPORTING_BASE_URL: address }, folder)).toHaveLength(count);
    expect(settingRisks({ SLACK_API_URL: address }, folder)).toHaveLength(count);
  });

  it.each([
    ['postgres://u:p%21@db.example.com/rollcall', 1],
    ['postgresql://u:hidden@10.0.0.7:5433/rollcall?search_path=x', 1],
    ['postgres://u:hidden@db.example.com/rollcall?sslmode=disable', 1],
    ['postgres://u:hidden@db.example.com/rollcall?ssl=0', 1],
    ['postgres://u:hidden@database/rollcall', 1],
    ['postgres://u:hidden@localhost/rollcall?host=db.example.com', 1],
    ['postgres://u:hidden@database/rollcall?sslmode=disable', 0],
    ['postgres://u:hidden@db.example.com/rollcall?sslmode=verify-full', 0],
    ['postgres://u:hidden@db.example.com/rollcall?sslmode=require', 0],
    ['postgres://u:hidden@db.example.com/rollcall?ssl=true', 0],
    ['postgres://u:hidden@db.example.com/rollcall?sslrootcert=/etc/ca.pem', 0],
    ['postgres://u:hidden@localhost/rollcall', 0],
    ['postgres://u:hidden@127.0.0.1:5432/rollcall', 0],
    ['postgres://u:hidden@[::1]/rollcall', 0],
    ['postgres://u:hidden@localhost/rollcall?host=/var/run/postgresql', 0],
    ['sqlite:data/rollcall.db', 0],
    ['not an address', 0],
  ])('are databases on other machines without TLS: %s', (address, count) => {
    const path = write('database', 0o600, `${address}\n`);
    for (const environment of [{ DATABASE_URL: address }, { DATABASE_URL_FILE: path }]) {
      const risks = settingRisks(environment, folder);
      expect(risks).toHaveLength(count);
      expect(risks.join()).not.toMatch(/hidden|p%21|example\.com/);
    }
  });

  it('are none where PGSSLMODE turns TLS on', () => {
    const address = 'postgres://u:p@db.example.com/rollcall';
    expect(settingRisks({ DATABASE_URL: address, PGSSLMODE: 'verify-full' }, folder)).toEqual([]);
    expect(settingRisks({ DATABASE_URL: address, PGSSLMODE: 'disable' }, folder)).toHaveLength(1);
  });
});

describe('unknown variables', () => {
  const named = (environment: Record<string, string>) => describeUnknownVariables(environment, folder);

  it.each([
    ['ROLLCALL_ADMIN', 'ROLLCALL_ADMINS'],
    ['REPORTING_TIMEOUT', 'REPORTING_TIMEOUT_SECONDS'],
    ['REPORTING_URL', 'REPORTING_BASE_URL'],
    ['SLACK_BOT_TOKENS', 'SLACK_BOT_TOKEN'],
    ['SLACK_SIGNINGSECRET', 'SLACK_SIGNING_SECRET'],
    ['SMALLEST_GROUPS', 'SMALLEST_GROUP'],
    ['DEFAULT_TIME_ZONE', 'DEFAULT_TIMEZONE'],
    ['PERSON_LEVEL', 'PERSON_LEVEL_CHANNELS'],
    ['rollcall_admins', 'ROLLCALL_ADMINS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['REPORTING_API_TOKENS_FILE', 'REPORTING_API_TOKEN_FILE'],
  ])('%s is named with %s, and not with its value', (name, near) => {
    const sentence = named({ [name]: 'xoxb-very-secret' });
    expect(sentence).toContain(`${name} (did you mean ${near}?)`);
    expect(sentence).not.toContain('secret');
  });

  it('are named in one sentence, also those of .env and those near to nothing', () => {
    write('.env', 0o600, 'ROLLCALL_ADMIN=U1\nSLACK_BOT_TOKEN=xoxb-1\n');
    expect(named({ ROLLCALL_ZZZZZZZZ: 'x', REPORTING_TIMEOUT: '3' })).toBe(
      'Rollcall does not read these variables: REPORTING_TIMEOUT (did you mean REPORTING_TIMEOUT_SECONDS?), ' +
        'ROLLCALL_ADMIN (did you mean ROLLCALL_ADMINS?), ROLLCALL_ZZZZZZZZ. Correct their names, or remove them.',
    );
  });

  it.each([
    'PATH',
    'HOSTNAME',
    'HOST_PORT',
    'PORTS',
    'TZ',
    'PGPASSWORD',
    'POSTGRES_PASSWORD',
    'HTTPS_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'DATABASE_HOST',
    'LOG_FORMAT',
    'LOG_DIR',
    'DEFAULT_REGION',
    'SLACK_SDK_LOG',
    'SLACK_CLI_XAPP',
    'SLACK_WEBHOOK_URL',
    'ROLLCALL_HOST',
    'ROLLCALL_SERVICE_HOST',
    'ROLLCALL_SERVICE_PORT_HTTP',
    'REPORTING_PORT',
    'REPORTING_PORT_4010_TCP_ADDR',
  ])('%s belongs to another program', (name) => {
    expect(named({ [name]: 'x' })).toBeUndefined();
  });

  it.each([...variables.keys()])('%s and its file are known', (name) => {
    expect(named({ [name]: 'x' })).toBeUndefined();
    expect(named({ [`${name}_FILE`]: 'x' })).toBeUndefined();
  });
});
