import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { clientOf, openSlack, refusal } from './test-bot.js';

const channel = 'C00LEARN01';

async function declare(slack: LocalSlack, length: number, more: Record<string, unknown> = {}) {
  const answer = await clientOf(slack).apiCall('files.getUploadURLExternal', {
    filename: 'report.csv',
    length,
    ...more,
  });
  const { upload_url: url, file_id: id } = answer as unknown as { upload_url: string; file_id: string };
  return { url, id };
}

async function upload(slack: LocalSlack, text: string, more: Record<string, unknown> = {}) {
  const { url, id } = await declare(slack, Buffer.byteLength(text), more);
  const response = await fetch(url, { method: 'POST', body: text });
  return { id, status: response.status, said: await response.text() };
}

describe('the three steps', () => {
  test('bytes come back as they were, in a thread, for a person who opens the file', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { ts } = await client.chat.postMessage({ channel, text: 'Summary' });
    const text = '\uFEFFName,Überfällig\r\n"Ada, M.",3\r\n';
    const { id, status, said } = await upload(slack, text, { alt_txt: 'Two columns' });
    expect([status, said]).toEqual([200, `OK - ${Buffer.byteLength(text)}`]);
    const completed = await client.files.completeUploadExternal({
      files: [{ id, title: 'Overdue' }],
      channel_id: channel,
      thread_ts: String(ts),
      initial_comment: 'Here',
    });
    expect(completed.files).toMatchObject([{ id, title: 'Overdue', shares: { public: {} } }]);

    const shared = await slack.waitForMessage('#learning', 'Here');
    expect(shared).toMatchObject({
      threadTs: ts,
      files: [{ id, name: 'report.csv', altText: 'Two columns' }],
    });
    const response = await fetch(`${slack.url}/files/${id}/report.csv?download`);
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(text);
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''report.csv");
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a large file is streamed from disk to disk', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'upload-test-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const bytes = randomBytes(20 * 1024 * 1024);
    await writeFile(join(folder, 'large.bin'), bytes);
    const slack = await openSlack();
    const { url, id } = await declare(slack, bytes.length);
    const response = await fetch(url, { method: 'POST', body: await openAsBlob(join(folder, 'large.bin')) });
    expect(response.status).toBe(200);
    await clientOf(slack).files.completeUploadExternal({ files: [{ id }], channel_id: channel });
    expect((await slack.fileBytes(id)).equals(bytes)).toBe(true);
  });

  test('the bytes are gone after the end', async () => {
    const slack = await openSlack();
    const { id } = await upload(slack, 'x');
    const path = slack.workspace.files.get(id)?.path ?? '';
    await access(path);
    await slack.stop();
    await expect(access(path)).rejects.toThrow('ENOENT');
  });
});

describe('what is refused', () => {
  test.each([
    ['no length', { length: 0 }, 'invalid_arguments'],
    ['no name', { filename: '', length: 1 }, 'invalid_arguments'],
    ['more than a gigabyte', { length: 2 ** 30 + 1 }, 'file_upload_size_restricted'],
    ['a snippet beyond a megabyte', { length: 2 ** 20 + 1, snippet_type: 'text' }, 'snippet_too_large'],
    ['a long description', { length: 1, alt_txt: 'x'.repeat(1001) }, 'alt_txt_too_large'],
  ])('%s', async (_what, args, error) => {
    const slack = await openSlack();
    const call = clientOf(slack).apiCall('files.getUploadURLExternal', { filename: 'a.csv', ...args });
    expect(await refusal(call)).toMatchObject({ error });
  });

  test('other bytes than were announced, and an address that is not there', async () => {
    const slack = await openSlack();
    const { url, id } = await declare(slack, 5);
    expect((await fetch(url, { method: 'POST', body: '1234' })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: '123456' })).status).toBe(400);
    expect((await fetch(`${slack.url}/upload/v1/nowhere`, { method: 'POST', body: '1' })).status).toBe(404);
    const complete = clientOf(slack).files.completeUploadExternal({ files: [{ id }], channel_id: channel });
    expect(await refusal(complete)).toMatchObject({ error: 'file_not_found' });
  });

  test('completing works once, and only where the bot is', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { id } = await upload(slack, 'x');
    const into = (name: string) => client.files.completeUploadExternal({ files: [{ id }], channel_id: name });
    expect(await refusal(into('C00WATER01'))).toMatchObject({ error: 'not_in_channel' });
    expect(await refusal(into('C00OLDAC01'))).toMatchObject({ error: 'is_archived' });
    await into(channel);
    expect(await refusal(into(channel))).toMatchObject({ error: 'file_not_found' });
  });

  test('a file that nobody was given is not served; a deleted one no longer', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { id } = await upload(slack, 'x');
    expect((await fetch(`${slack.url}/files/${id}/report.csv`)).status).toBe(404);
    await client.files.completeUploadExternal({ files: [{ id }], channel_id: channel });
    expect((await fetch(`${slack.url}/files/${id}/report.csv`)).status).toBe(200);
    await client.files.delete({ file: id });
    expect((await fetch(`${slack.url}/files/${id}/report.csv`)).status).toBe(404);
    expect(await refusal(client.files.delete({ file: id }))).toMatchObject({ error: 'file_deleted' });
    expect(slack.messages('#learning')[0]?.files).toMatchObject([{ state: 'deleted' }]);
  });
});
