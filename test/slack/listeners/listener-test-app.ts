import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReceiverEvent } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { onTestFinished, vi } from 'vitest';
import { createLogger } from '../../../src/logging/logger.js';
import { recentAnswersOf } from '../../../src/slack/answers/answer-run.js';
import type { ListenerParts } from '../../../src/slack/answers/context.js';
import { runningRequests } from '../../../src/slack/answers/running-requests.js';
import { createRouter, routeTable } from '../../../src/slack/listeners/router.js';
import { allRoutes } from '../../../src/slack/listeners/routes.js';
import { type Delivery, type DeliveryKind, kindOf } from '../../../src/slack/transport/deliveries.js';
import { signalsOver } from '../../../src/store/signals.js';
import type { Store } from '../../../src/store/store.js';

/** A call to Slack, or an acknowledgement with content. */
interface Call {
  readonly method: string;
  readonly args: Record<string, unknown>;
  /** Milliseconds since the last delivery. */
  readonly afterMs: number;
}

/** A row of the router. */
export interface Registered {
  readonly kind: DeliveryKind;
  readonly name: string;
}

export interface BotChoices {
  readonly store: Store;
  /** Replaces what the rows do. */
  readonly inPlace?: (args: { ack?: () => Promise<void> }) => Promise<void>;
  /** The duration of each look-up of a person or a channel, in milliseconds. */
  readonly slackTakes?: { people?: number; channels?: number };
  /** The error of a Slack method; undefined: it succeeds. */
  readonly refuses?: (method: string) => string | undefined;
  /** Replaces other parts. */
  readonly changes?: Partial<ListenerParts>;
}

const wait = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** Uses simulated timers in a test, so that slow look-ups take no time. */
export function useSimulatedTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Advances simulated timers until the promise settles. */
export async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  let isSettled = false;
  const settling = promise.finally(() => {
    isSettled = true;
  });
  // Marks a rejection as handled. It is thrown below.
  settling.catch(() => {});
  while (!isSettled) await vi.advanceTimersByTimeAsync(10);
  return settling;
}

/** All real rows, with a stub of Slack that records calls. */
export function listeningBot({ store, inPlace, slackTakes = {}, refuses, changes = {} }: BotChoices) {
  const calls: Call[] = [];
  const logged: Record<string, unknown>[] = [];
  let deliveredAt = performance.now();
  const log = createLogger({
    level: 'info',
    forPeople: false,
    destination: { write: (line) => logged.push(JSON.parse(line)) },
  });
  const note = (method: string, args: unknown) =>
    calls.push({ method, args: args as Record<string, unknown>, afterMs: performance.now() - deliveredAt });

  const method = (name: string) => async (args: unknown) => {
    const error = refuses?.(name);
    if (error) throw Object.assign(new Error(error), { data: { error } });
    note(name, args);
    const { channel } = args as { channel?: string };
    // Slack answers a message to a person with the channel of the direct messages.
    return { ok: true, ts: '1.1', channel: channel?.startsWith('C') ? channel : 'D1', view: { id: 'V1' } };
  };
  const group = (prefix: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, method(`${prefix}.${name}`)]));
  const views = group('views', ['open', 'push', 'update', 'publish']);
  const parts = {
    team: 'T1',
    store,
    clock: { now: () => Date.parse('2026-11-20T12:00Z') },
    log,
    weekStart: 'monday',
    defaultZone: 'UTC',
    workspaceUrl: 'https://example.slack.com/',
    botUserId: 'UBOT',
    personLevelChannels: '*',
    configuredAdmins: ['U1'],
    defaultAccess: 'team',
    smallestGroup: 5,
    userGroups: {
      all: async () => [{ id: 'S1', handle: 'sales', name: 'Sales' }],
      sizeOf: async () => 12,
    },
    access: {
      accessOf: async () => ({ level: 'everything' }),
      isAdmin: async (user: string) => user === 'U1',
      admins: async () => ['U1'],
      invalidateGroup() {},
      endGroup() {},
    },
    repliesInAcknowledgements: false,
    people: {
      async find(id: string) {
        await wait(slackTakes.people);
        return { id, standing: 'member', zone: 'UTC', email: 'ada@example.com' };
      },
      invalidate() {},
    },
    names: { search: async () => ({ kind: 'found', of: () => ({ whole: [], part: [] }) }) },
    channels: {
      async find() {
        await wait(slackTakes.channels);
        return {
          known: true,
          isMember: true,
          isShared: false,
          isArchived: false,
          isPrivate: false,
          isReadOnly: false,
        };
      },
      directWith: async () => 'D1',
      invalidate() {},
    },
    memberships: {
      async isMember() {
        await wait(slackTakes.channels);
        return true;
      },
      channelsOf: async () => new Set(['C1', 'C2']),
      invalidate() {},
    },
    listOfLeftOut: () => undefined,
    readersOf: async () => ({ guests: 2, isAtLeast: false, isOpen: true }),
    home: { show: async () => {}, markOpened() {}, changed() {} },
    managers: { manages: () => undefined, known: () => undefined },
    signals: signalsOver(undefined, 'this process'),
    scheduler: { checkNow() {} },
    running: runningRequests(),
    recentAnswers: recentAnswersOf(),
    files: {
      pathFor: () => join(tmpdir(), `rollcall-listener-${randomUUID()}`),
      remove: (path: string) => rm(path, { force: true }),
    },
    edits: { mayEdit: () => true, release() {} },
    requestsChanged() {},
    handOver: async () => false,
    ended() {},
    client: {
      chat: group('chat', ['postMessage', 'postEphemeral', 'update', 'delete', 'getPermalink']),
      conversations: group('conversations', ['join']),
      usergroups: group('usergroups', ['list']),
      views,
    },
    interactive: { views },
    async send(_url: unknown, { body }: { body: string }) {
      const error = refuses?.('response_url');
      if (error) return new Response(error, { status: 404 });
      note('response_url', JSON.parse(body));
      return new Response('ok');
    },
    ...changes,
  } as unknown as ListenerParts;

  const routes = allRoutes().map((route) => (inPlace ? { ...route, handle: inPlace } : route));
  const find = routeTable(routes);
  const registered: readonly Registered[] = routes.map(({ kind, id }) => ({ kind, name: id }));
  const handle = createRouter(find, parts);

  return {
    calls,
    logged,
    find,
    registered,
    parts,
    /**
     * Delivers a payload. Returns the acknowledgements, and the milliseconds until the first one.
     *
     * @param before set if another process had the delivery in its inbox
     */
    async deliver(
      body: ReceiverEvent['body'],
      before?: Delivery['takenOver'] & { readonly request: string },
    ) {
      const acks: unknown[] = [];
      let ackedAfterMs = Number.POSITIVE_INFINITY;
      deliveredAt = performance.now();
      const began = deliveredAt;
      const event = {
        body,
        async ack(answer: unknown) {
          if (acks.length === 0) ackedAfterMs = performance.now() - began;
          acks.push(answer);
          if (answer !== undefined && answer !== '') note('ack', answer as never);
        },
      };
      const requestId = before?.request ?? randomUUID();
      const delivery = { ...event, requestId, takenOver: before, receivedAtMs: performance.now() };
      await handle({ ...delivery, kind: kindOf(body) });
      return { acks, ackedAfterMs };
    },
  };
}

const person = { team: { id: 'T1', domain: 'x' }, user: { id: 'U1', team_id: 'T1', name: 'ada' } };

/** Slack's payload for a button: of a message, unless a view is given. */
export function pressOf(action: string, value: string, more: Record<string, unknown> = {}) {
  const inMessage = more.view
    ? { container: { type: 'view' } }
    : {
        channel: { id: 'C1', name: 'learning' },
        container: { type: 'message', channel_id: 'C1', message_ts: '5.5' },
        message: { ts: '5.5', thread_ts: '4.4' },
        response_url: 'http://127.0.0.1:9/answers',
      };
  return {
    type: 'block_actions',
    ...person,
    trigger_id: `1.${randomUUID()}`,
    ...inMessage,
    actions: [{ type: 'button', action_id: action, block_id: 'b', value, action_ts: '6.6' }],
    ...more,
  };
}

/** Slack's payload for a modal with its values. */
export function shownModal(callback: string, metadata: string, inputs: Record<string, unknown>, id = 'V9') {
  const blocks: ModalView['blocks'] = Object.keys(inputs).map((name) => ({
    type: 'input',
    block_id: name,
    label: { type: 'plain_text', text: name },
    element: { type: 'plain_text_input', action_id: name },
  }));
  return {
    id,
    hash: '1.abc',
    type: 'modal',
    callback_id: callback,
    private_metadata: metadata,
    title: { type: 'plain_text', text: 'A form' },
    submit: { type: 'plain_text', text: 'Save' },
    blocks,
    state: {
      values: Object.fromEntries(Object.entries(inputs).map(([name, held]) => [name, { [name]: held }])),
    },
  };
}

export function submissionOf(view: ReturnType<typeof shownModal>) {
  return { type: 'view_submission', ...person, trigger_id: `1.${randomUUID()}`, view };
}

/** Slack's payload for a row. */
export function payloadFor({ kind, name }: Registered): ReceiverEvent['body'] {
  switch (kind) {
    case 'command':
      return {
        command: name,
        text: 'list',
        team_id: 'T1',
        user_id: 'U1',
        channel_id: 'C1',
        trigger_id: '1.1',
        response_url: 'http://127.0.0.1:9/answers',
      };
    case 'event': {
      const direct = name === 'message' ? { channel: 'D1', channel_type: 'im' } : { channel: 'C1' };
      const event = {
        type: name,
        user: 'U1',
        text: '<@UBOT> list',
        ts: '5.5',
        thread_ts: '4.4',
        tab: 'home',
      };
      return {
        type: 'event_callback',
        team_id: 'T1',
        event_id: randomUUID(),
        event: { ...event, ...direct },
      };
    }
    case 'action': {
      const [action = '', option] = name.split(' ');
      return pressOf(action, option === undefined ? 'x' : `${option} x`);
    }
    case 'view':
      return submissionOf(shownModal(name, 'x', { name: { type: 'plain_text_input', value: 'A' } }));
    case 'shortcut':
      return { type: 'shortcut', callback_id: name, ...person, trigger_id: '1.1' };
    case 'options':
      return {
        type: 'block_suggestion',
        ...person,
        action_id: name,
        block_id: 'entries:x',
        value: 'a',
        view: shownModal('builder', 'x', {}),
      };
  }
}
