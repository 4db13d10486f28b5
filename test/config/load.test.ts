import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFrom, loadConfig, storeConfigFrom } from '../../src/config/config.js';
import { isFailure } from '../../src/errors/failure.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('loading the configuration', () => {
  it('reads from .env what the environment does not set', () => {
    writeFileSync(
      join(folder, '.env'),
      'SLACK_BOT_TOKEN="xoxb-env"\nSLACK_APP_TOKEN=xapp-env\nREPORTING_BASE_URL=http://a\nREPORTING_API_TOKEN=t # a comment\n',
    );
    const config = loadConfig(configFrom, { REPORTING_BASE_URL: 'http://b' }, folder);
    expect(config.slack.botToken).toBe('xoxb-env');
    expect(config.reporting).toMatchObject({ baseUrl: 'http://b', token: 't' });
  });

  it('prefers a file from the environment over a value in .env', () => {
    const file = join(folder, 'database');
    writeFileSync(file, 'sqlite:one.db\n');
    writeFileSync(join(folder, '.env'), 'DATABASE_URL=sqlite:two.db\n');
    expect(loadConfig(storeConfigFrom, { DATABASE_URL_FILE: file }, folder).database).toBe('one.db');
  });

  it('throws all problems at once', () => {
    try {
      loadConfig(configFrom, { PORT: 'x' }, folder);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad-config' });
      if (!isFailure(error, 'bad-config')) throw error;
      expect(error.details.problems).toHaveLength(5);
    }
  });

  it('reports a .env that cannot be read', () => {
    mkdirSync(join(folder, '.env'));
    expect(() => loadConfig(storeConfigFrom, {}, folder)).toThrow(/\.env cannot be read/);
  });
});
