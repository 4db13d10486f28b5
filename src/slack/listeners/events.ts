import type { SlackEventMiddlewareArgs } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Signals } from '../../store/signals.js';
import { repeated } from '../../time/clock.js';
import type { ListenerParts } from '../answers/context.js';
import { succeeds } from '../context/notify-asker.js';
import { isPermanentError, slackErrorCode } from '../delivery/clients.js';
import { retryAfterInvitation } from '../list/manage.js';
import { readTypedText, splitAtMentions } from '../markup.js';
import { replierIn } from '../messages/notices.js';
import type { Delivery } from '../transport/deliveries.js';
import { isForBot } from './answer-error.js';
import { dispatchCommand, parseInChannel } from './dispatch-command.js';
import type { Route } from './router.js';

type EventOf<Name extends string> = SlackEventMiddlewareArgs<Name>['event'];
type OnEvent<Name extends string> = (
  event: EventOf<Name>,
  parts: ListenerParts,
  delivery: Delivery,
) => Promise<void>;

/** An event. It is acknowledged at once. Slack also reports what the bot itself does. */
function event<Name extends string>(name: Name, then: OnEvent<Name>, isKept?: Route['isKept']): Route {
  return {
    kind: 'event',
    id: name,
    isKept,
    async handle(delivery, { parts }) {
      await delivery.ack();
      const { event } = delivery.body;
      const isByBot =
        event.user !== undefined && event.user === parts.botUserId && !name.startsWith('member_');
      if (!isByBot) await then(event, parts, delivery);
    },
  };
}

/** `@Rollcall …` in a channel or a thread takes the same words as `/report`. */
const mention: OnEvent<'app_mention'> = async (event, parts, delivery) => {
  const { user } = event;
  if (user && !('bot_id' in event)) await answerWords({ ...event, user }, 1, delivery, parts);
};

const directMessage: OnEvent<'message'> = async (event, parts, delivery) => {
  // Edits, deletions, files and messages of bots have a subtype or a bot ID. They are not requests.
  if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
  await answerWords(event, 0, delivery, parts);
};

async function answerWords(
  {
    user: asker,
    channel,
    text = '',
    thread_ts: thread,
  }: { user: string; channel: string; text?: string; thread_ts?: string },
  /** 1: they come after the bot's name. */
  firstPart: 0 | 1,
  { requestId, takenOver }: Delivery,
  parts: ListenerParts,
) {
  const words = splitAtMentions(text, parts.botUserId).slice(firstPart).join(' ');
  const typed = readTypedText(text, words);
  const from = { channel, asker, thread };
  if (!typed.ok) return replierIn(from, parts)(typed.refusal);
  const command = await parseInChannel(typed.value, from.channel, parts);
  await dispatchCommand(command, { ...from, typed: typed.value, requestId, takenOver }, parts);
}

/** Draws the Home tab when it is opened. The tab checks its reader itself, each time that it is drawn. */
const homeOpened: OnEvent<'app_home_opened'> = async ({ tab, user }, { home }) => {
  if (tab === 'home') await home.show(user);
};

/** Slack repeats an event for at most 25 hours. */
const maxEventAgeMs = 25 * 3_600_000;

/**
 * Slack has removed the app from the workspace: pauses all digests. After 30 days, all data goes. Nothing else starts
 * that, such as a refused token.
 */
function uninstalled(startedAt: number): OnEvent<'app_uninstalled'> {
  return async (_event, { store, client, clock, log, signals }, { body }) => {
    const ageMs = startedAt - body.event_time * 1000;
    // An event from before the start may arrive after the app was installed again.
    if (ageMs > 1000 && ageMs < maxEventAgeMs && (await succeeds(client.auth.test()))) {
      log.warn(
        {},
        'Slack told late that Rollcall was uninstalled. It is installed again, so nothing changes',
      );
      return;
    }
    await store.installation.markUninstalled(clock.now());
    // From a refusal on, the token is tried now and then, which shows a new installation.
    if ((await tokenRefusal(client)) !== undefined) signals.send({ kind: 'token-refused' });
    log.warn(
      {},
      'Rollcall was uninstalled from this workspace. Its digests are paused; data goes in 30 days',
    );
  };
}

/**
 * Slack has revoked tokens of the app. That alone is an outage and no uninstallation, of which Slack tells too, before or
 * after this. An event may arrive late, or be about tokens of people, so Slack is asked whether it refuses ours.
 */
const tokensRevoked: OnEvent<'tokens_revoked'> = async ({ tokens }, { client, log, signals }) => {
  if ((tokens.bot ?? []).length === 0) return;
  const code = await tokenRefusal(client);
  if (code === undefined) return log.info({}, 'Slack revoked a token that is not the one in use');
  log.error({ code }, 'Slack revoked the token of the bot. Install the app again, and set its new token');
  signals.send({ kind: 'token-refused' });
};

/** Slack's error code if it refuses the token; undefined if it accepts it or does not say. */
async function tokenRefusal(client: WebClient) {
  return client.auth.test().then(
    () => undefined,
    (error: unknown) => (isPermanentError(error) ? slackErrorCode(error) : undefined),
  );
}

/** Slack revokes the token before it tells of an uninstallation. If it still takes the token after this, it is installed. */
const revokedWithinMs = 30_000;
const installationLookMs = 10_000;

/**
 * Looks now and then, while the app counts as uninstalled, whether Slack accepts its token: the app may have been installed
 * again before the event came, or another process may have seen the refusal. Returns a function that stops it.
 */
export function watchInstallation(
  markInstalled: () => Promise<unknown>,
  { store, client, clock, log }: Pick<ListenerParts, 'store' | 'client' | 'clock' | 'log'>,
): () => Promise<void> {
  const looking = repeated(
    async () => {
      const at = await store.installation.uninstalledAt();
      if (at === undefined || clock.now() - at < revokedWithinMs) return;
      if (await succeeds(client.auth.test())) await markInstalled();
    },
    (err) => log.warn({ err }, 'Could not look whether Rollcall is installed again'),
  );
  looking.every(installationLookMs);
  return looking.stop;
}

const channelEvents = [
  'channel_left',
  'channel_archive',
  'channel_unarchive',
  'channel_deleted',
  'channel_unshared',
  'group_left',
  'group_archive',
  'group_unarchive',
  'group_deleted',
] as const;

/** Tells all processes as soon as Slack reports a change of a channel, a person or a user group. */
export const eventRoutes = (startedAt = Date.now()): readonly Route[] => [
  event('app_mention', mention, isForBot),
  event('message', directMessage, isForBot),
  event('app_home_opened', homeOpened),
  event('app_uninstalled', uninstalled(startedAt)),
  event('tokens_revoked', tokensRevoked),
  ...channelEvents.map((name) =>
    event(name, async ({ channel }, { signals }) => signals.send({ kind: 'channel-changed', channel })),
  ),
  event('channel_shared', async ({ channel }, { signals, store, clock }) => {
    signals.send({ kind: 'channel-changed', channel });
    // The approval ends even if the channel is not looked up while it is shared.
    await store.approvals.markShared(channel, clock.now());
  }),
  event('member_joined_channel', async ({ channel, user }, parts) => {
    parts.signals.send({ kind: 'channel-changed', channel, user });
    if (user === parts.botUserId) await retryAfterInvitation(channel, parts);
  }),
  event('member_left_channel', async ({ channel, user }, { signals }) =>
    signals.send({ kind: 'channel-changed', channel, user }),
  ),
  event('subteam_members_changed', async ({ subteam_id: group }, { signals }) =>
    signals.send({ kind: 'group-changed', group }),
  ),
  event('subteam_updated', async ({ subteam }, { signals, access }) => {
    signals.send({ kind: 'group-changed', group: subteam.id });
    if ((subteam.date_delete ?? 0) > 0) access.endGroup(subteam.id);
  }),
  event('user_change', async ({ user }, { signals }) =>
    signals.send({ kind: 'person-changed', user: user.id }),
  ),
];

/** Drops what changed, whichever process heard of it, or everything when this one may have missed something. */
export function invalidateChanged(
  signals: Signals,
  {
    channels,
    people,
    memberships,
    access,
  }: Pick<ListenerParts, 'channels' | 'people' | 'memberships' | 'access'>,
): void {
  signals.on('channel-changed', ({ channel, user }) => {
    channels.invalidate(channel);
    memberships.invalidate(channel, user);
  });
  signals.on('person-changed', ({ user }) => people.invalidate(user));
  signals.on('group-changed', ({ group }) => access.invalidateGroup(group));
  signals.onLoss(() => {
    channels.invalidate();
    memberships.invalidate();
    people.invalidate();
    access.invalidateGroup();
  });
}
