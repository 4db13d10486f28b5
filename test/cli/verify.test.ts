import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { unzipSync, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runRollcall } from '../../src/cli/program.js';
import { deleteExpired } from '../../src/store/cleanup.js';
import { openStore, type Store } from '../../src/store/store.js';
import { evidenceOf, madeAt } from '../evidence/make.js';
import { bareEnvironment } from '../process.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-verify-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const day = 24 * 3_600_000;

/** Runs `rollcall` in this process. Without a database: in a folder that has none. */
async function rollcall(words: string[], database?: string) {
  const [usualFolder, usual] = [process.cwd(), process.env];
  let [text, code] = ['', 0];
  const write = (chunk: string, done?: () => void) => {
    text += chunk;
    done?.();
    return true;
  };
  const stream = { write } as unknown as NodeJS.WritableStream;
  process.chdir(folder);
  process.env = { ...bareEnvironment(), ...(database && { DATABASE_URL: `sqlite:${at(database)}` }) };
  try {
    const { signal } = new AbortController();
    await runRollcall(words, { stdout: stream, stderr: stream, signal, setExitCode: (set) => (code = set) });
  } finally {
    process.env = usual;
    process.chdir(usualFolder);
  }
  return { code, text };
}

const verify = (database?: string, file = 'evidence.zip') => rollcall(['verify', file], database);

/** Works with a database at a time. */
async function withStore<Found>(
  work: (store: Store) => Promise<Found>,
  { database = 'bot.db', now = madeAt }: { database?: string; now?: number } = {},
): Promise<Found> {
  const store = await openStore(at(database), () => now);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const ask = (store: Store, when = madeAt) => store.events.append({ kind: 'asked', at: when, person: 'U2' });

/** Writes evidence of a record that has events before and after it. */
async function makeEvidence(database = 'bot.db') {
  await withStore(
    async (store) => {
      await ask(store);
      await ask(store);
      const row = { id: '1', email: 'noah@example.com' };
      writeFileSync(at('evidence.zip'), await evidenceOf([row], at('some.rows'), store));
      await ask(store);
    },
    { database },
  );
}

function changeByHand(statement: string) {
  const database = new Sqlite(at('bot.db'));
  database.exec(statement);
  database.close();
}

describe('rollcall verify', () => {
  it('says what a file proves alone, and what the record proves', async () => {
    await makeEvidence();
    const alone = await verify();
    expect(alone).toMatchObject({ code: 0 });
    expect(alone.text).toContain('/report completions 2026-10 evidence purpose:"Audit"');
    expect(alone.text).toContain('by Slack user U1, for “Audit”. Event 3 of the record.');
    expect(alone.text).toContain('That nobody made all files and their hashes anew.');
    const held = await verify('bot.db');
    expect(held).toMatchObject({ code: 0 });
    expect(held.text).toContain('The record holds event 3');
    expect(held.text).toContain('it is the very file that was sent');
    expect(held.text).toContain('none of its events up to this one was changed or removed');
    expect(held.text).not.toContain('WRONG');
  });

  it('prints what docs/evidence.md shows, with the database and without it', async () => {
    await makeEvidence();
    const page = readFileSync(fileURLToPath(new URL('../../docs/evidence.md', import.meta.url)), 'utf8');
    const findings = (text: string) =>
      text
        .trim()
        .replace(/^Evidence of:.*\nMade .*\n/, '')
        .replace(/\d+/g, 'N');
    const shown = [...page.matchAll(/```\n(Evidence of:[^`]*)```/g)].map(([, sample = '']) =>
      findings(sample),
    );
    const found = [await verify('bot.db'), await verify()].map(({ text }) => findings(text));
    expect(shown).toEqual(found);
  });

  it('takes a renamed file, and not one that is not there', async () => {
    await makeEvidence();
    renameSync(at('evidence.zip'), at('for the auditor.bin'));
    expect(await verify('bot.db', 'for the auditor.bin')).toMatchObject({ code: 0 });
    expect(await verify('bot.db')).toMatchObject({ code: 64, text: expect.stringContaining('no file') });
    expect(await verify('bot.db', '.')).toMatchObject({ code: 64, text: expect.stringContaining('EISDIR') });
  });

  it('says what it means that a file was zipped again', async () => {
    await makeEvidence();
    await withStore(async (store) => {
      const parts = unzipSync(await evidenceOf([], at('more.rows'), store));
      writeFileSync(at('evidence.zip'), zipSync(parts));
    });
    const alone = await verify();
    expect(alone).toMatchObject({ code: 0 });
    expect(alone.text).toContain('it was unpacked and zipped again. Its files are the same');
    const held = await verify('bot.db');
    expect(held).toMatchObject({ code: 1 });
    expect(held.text).toContain('It is not the ZIP that Rollcall sent: it was unpacked and zipped again.');
    expect(held.text).toContain('The record holds event 6');
  });

  it('takes a file whose hash the record holds, whatever its layout', async () => {
    await makeEvidence();
    const changed = readFileSync(at('evidence.zip'));
    // The time of the first file in it.
    changed[10] = 1;
    writeFileSync(at('evidence.zip'), changed);
    expect(await verify()).toMatchObject({ code: 1, text: expect.stringContaining('not as it was made') });
    expect(await verify('bot.db')).toMatchObject({ code: 1 });
    const zip = createHash('sha256').update(changed).digest('hex');
    await withStore((store) =>
      store.events.append({ kind: 'evidence-zipped', at: madeAt, details: { of: 3, zip } }),
    );
    const held = await verify('bot.db');
    expect(held).toMatchObject({ code: 0 });
    expect(held.text).toContain('it is the very file that was sent. Its event is 3.');
    expect(held.text).toContain('this version of Rollcall cannot read them');
    changeByHand('UPDATE event_chain SET at = at + 1 WHERE seq = 1');
    expect(await verify('bot.db')).toMatchObject({
      code: 1,
      text: expect.stringContaining('not as recorded'),
    });
  });

  it('finds evidence of another installation, and one that was made anew by hand', async () => {
    await makeEvidence('other.db');
    await withStore(ask);
    expect(await verify('bot.db')).toMatchObject({
      code: 1,
      text: expect.stringContaining('another installation'),
    });
    await rollcall(['verify', 'evidence.zip'], 'missing.db').then(({ code, text }) => {
      expect(code).not.toBe(0);
      expect(text).toContain('missing.db');
    });
  });

  it('finds a record that was restored from an older backup, also once it has gone on', async () => {
    await withStore(ask);
    expect(await rollcall(['backup', 'older.db'], 'bot.db')).toMatchObject({ code: 0 });
    await makeEvidence();
    expect(await rollcall(['restore', 'older.db'], 'bot.db')).toMatchObject({ code: 0 });
    const restored = await verify('bot.db');
    expect(restored).toMatchObject({ code: 1 });
    expect(restored.text).toContain('The record ends at event 1, before event 4');
    expect(restored.text).toContain('older backup');
    await withStore(async (store) => {
      for (let n = 0; n < 9; n += 1) await ask(store);
    });
    expect(await verify('bot.db')).toMatchObject({ code: 1, text: expect.stringContaining('another one') });
  });

  it.each([
    ['edited', 'UPDATE event_chain SET at = at + 1 WHERE seq = 1', 'not as recorded'],
    ['edited at the event', 'UPDATE event_chain SET at = at + 1 WHERE seq = 3', 'another one'],
    ['cut in the middle', 'DELETE FROM event_chain WHERE seq = 2', 'was removed'],
    ['cut at the event', 'DELETE FROM event_chain WHERE seq = 3', 'it was removed'],
    ['without the hash of the ZIP', 'DELETE FROM event_details WHERE seq = 4', 'no SHA-256 of a ZIP'],
    ['edited later', "UPDATE event_details SET details = '[]' WHERE seq = 5", 'not as recorded'],
  ])('finds a record that was %s', async (_what, statement, said) => {
    await makeEvidence();
    changeByHand(statement);
    const found = await verify('bot.db');
    expect(found).toMatchObject({ code: 1 });
    expect(found.text).toContain(said);
    expect(found.text).not.toContain('very file');
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('says that the key was lost, and makes no new one', async () => {
    await makeEvidence();
    rmSync(at('bot.db.key'));
    const lost = await verify('bot.db');
    expect(lost).toMatchObject({ code: 0 });
    expect(lost.text).toContain('RECORD_KEY is not the key from then');
    // Whoever has the database could have written the hash of a file that was never sent.
    expect(lost.text).toContain('The database has the SHA-256 of this ZIP.');
    expect(lost.text).not.toContain('very file');
    expect(lost.text).not.toContain('The record holds');
    expect(existsSync(at('bot.db.key'))).toBe(false);
    // The bot goes on with a new key, from a checkpoint.
    await withStore((store) => store.useRecordKey(async () => true));
    expect(await verify('bot.db')).toMatchObject({
      code: 0,
      text: expect.stringContaining('RECORD_KEY is not the key from then'),
    });
  });

  it('still proves evidence whose asker was erased', async () => {
    await makeEvidence();
    await withStore((store) => store.erasePerson('U1'));
    expect(await verify('bot.db')).toMatchObject({ code: 0, text: expect.stringContaining('very file') });
  });
});

describe('evidence whose events are too old', () => {
  const later = async (days: number, keepRecordDays = 400) => {
    const now = madeAt + days * day;
    await withStore(
      async (store) => {
        await ask(store, now);
        await deleteExpired(store, now, keepRecordDays);
      },
      { now },
    );
  };

  it('is proved for ten years, through every checkpoint, and no longer', async () => {
    await makeEvidence();
    for (const days of [401, 802, 1500, 3000, 3640]) {
      await later(days);
      const kept = await verify('bot.db');
      expect(kept.text).toContain('The record holds the hash and the date of event 3.');
      expect(kept.text).toContain('it is the very file that was sent');
      expect(kept).toMatchObject({ code: 0 });
      expect(await rollcall(['audit', '--verify'], 'bot.db')).toMatchObject({ code: 0 });
    }
    await later(3660);
    await later(4100);
    expect(await verify('bot.db')).toMatchObject({ code: 1, text: expect.stringContaining('ten years') });
    expect(await rollcall(['audit', '--verify'], 'bot.db')).toMatchObject({ code: 0 });
  });

  it('keeps neither who asked nor for what', async () => {
    await makeEvidence();
    await later(401);
    const database = new Sqlite(at('bot.db'));
    const kept = JSON.stringify(database.prepare('SELECT * FROM kept_evidence').all());
    const everything = JSON.stringify([
      ...database.prepare('SELECT details FROM event_details').all(),
      ...database.prepare('SELECT person FROM person_tokens').all(),
    ]);
    database.close();
    expect(kept).toMatch(/"zip":"[0-9a-f]{64}"/);
    expect(`${kept}${everything}`).not.toMatch(/U1|Audit|completions/);
  });

  it.each([
    'UPDATE kept_evidence SET at = at + 1 WHERE seq = 3',
    "UPDATE kept_evidence SET zip = 'f' WHERE seq = 4",
    'DELETE FROM kept_evidence WHERE seq = 3',
    'DELETE FROM kept_evidence',
    'INSERT INTO kept_evidence SELECT workspace, 2, at, hash, key_id, made, zip FROM kept_evidence WHERE seq = 3',
  ])('%s is found', async (statement) => {
    await makeEvidence();
    await later(401);
    expect(await rollcall(['audit', '--verify'], 'bot.db')).toMatchObject({ code: 0 });
    changeByHand(statement);
    const found = await rollcall(['audit', '--verify'], 'bot.db');
    expect(found).toMatchObject({ code: 1, text: expect.stringContaining('evidence') });
    expect(await verify('bot.db')).toMatchObject({ code: 1 });
  });

  it('is proved also after the key has changed in between', async () => {
    await makeEvidence();
    await later(401);
    copyFileSync(at('bot.db.key'), at('first.key'));
    writeFileSync(at('bot.db.key'), `${'5a'.repeat(32)}\n`);
    await withStore((store) => store.useRecordKey(async () => true), { now: madeAt + 500 * day });
    await later(902);
    expect(await rollcall(['audit', '--verify'], 'bot.db')).toMatchObject({ code: 0 });
    const kept = await verify('bot.db');
    expect(kept.text).toContain('RECORD_KEY is not the key from then');
    expect(kept).toMatchObject({ code: 0 });
  });
});
