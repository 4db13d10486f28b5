import { WebSocket } from 'undici';
import { onTestFinished } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import type {
  Act,
  Done,
  News,
  ServerToPage,
  Snapshot,
} from '../../../../playground/slack/server/page-protocol.js';

/** The page, by hand. */
export async function openPage(slack: LocalSlack, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${slack.url.replace('http', 'ws')}/page/socket`, { headers });
  onTestFinished(() => socket.close());
  const heard: ServerToPage[] = [];
  let closed = false;
  socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data))));
  socket.addEventListener('close', () => {
    closed = true;
  });
  await slack.waitFor(() => heard.length > 0 || closed);
  let ids = 0;
  return {
    heard,
    isClosed: () => closed,
    snapshot: () => heard.filter((one): one is Snapshot => one.type === 'snapshot').at(-1) as Snapshot,
    news: <Type extends News['type']>(type: Type) =>
      heard.filter((one): one is Extract<News, { type: Type }> => one.type === type),
    async act(act: Act): Promise<Done> {
      ids += 1;
      const id = ids;
      socket.send(JSON.stringify({ ...act, id }));
      return slack.waitFor(() => heard.find((one): one is Done => one.type === 'done' && one.id === id));
    },
  };
}
