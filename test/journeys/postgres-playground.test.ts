import { WebSocket } from 'undici';
import { expect, inject, it } from 'vitest';
import type { PageProcess, ServerMessage } from '../../playground/slack/server/page-protocol.js';
import { processes } from '../process.js';

const { start } = processes();

it('the playground shows two processes, and how one takes over when the other is killed', async ({
  skip,
}) => {
  if (inject('postgresUrl') === undefined) return skip();
  const playground = start('dist/playground-app/main.js', ['--processes', '2'], { PORT: '0' });
  const [, url = ''] = await playground.waitFor(/Playground ready: (\S+)/);
  const page = new WebSocket(`${url.replace('http', 'ws')}/page/socket`);
  let shown: readonly PageProcess[] = [];
  page.addEventListener('message', ({ data }) => {
    const message: ServerMessage = JSON.parse(String(data));
    if ('processes' in message && message.processes) shown = message.processes;
  });
  const leader = () => shown.find(({ leads }) => leads)?.number;
  await expect.poll(() => shown.map(({ state }) => state)).toEqual(['running', 'running']);
  const first = leader();
  expect(first).toBeDefined();
  page.send(JSON.stringify({ id: 1, type: 'kill-leader' }));
  await expect.poll(leader).toBe(first === 1 ? 2 : 1);
  await expect
    .poll(() => shown.map(({ state }) => state), { timeout: 30_000 })
    .toEqual(['running', 'running']);
  page.close();
  playground.signal('SIGTERM');
  expect(await playground.ended).toBe(0);
  expect(playground.stderr()).toBe('');
}, 90_000);
