import { WebSocket } from 'undici';
import { onTestFinished } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import type {
  ActionResult,
  PageAction,
  PageUpdate,
  ServerMessage,
  Snapshot,
} from '../../../../playground/slack/server/page-protocol.js';

/** A client of the page's protocol. */
export async function openPage(slack: LocalSlack, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${slack.url.replace('http', 'ws')}/page/socket`, { headers });
  onTestFinished(() => socket.close());
  const heard: ServerMessage[] = [];
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
    news: <Type extends PageUpdate['type']>(type: Type) =>
      heard.filter((one): one is Extract<PageUpdate, { type: Type }> => one.type === type),
    async act(act: PageAction): Promise<ActionResult> {
      ids += 1;
      const id = ids;
      socket.send(JSON.stringify({ ...act, id }));
      return slack.waitFor(() =>
        heard.find((one): one is ActionResult => one.type === 'result' && one.id === id),
      );
    },
  };
}
