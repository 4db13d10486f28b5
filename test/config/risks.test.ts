import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settingRisks } from '../../src/config/risks.js';

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
});
