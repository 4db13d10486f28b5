import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import type { Result } from '../../errors/result.js';
import type { Signals } from '../../store/signals.js';
import { replyInContext } from '../delivery/notify-asker.js';
import { dispatchCommand, parseInChannel } from '../dispatch-command.js';
import { notice } from '../messages/notices.js';
import type { RequestContext } from '../request-context.js';
import { isPermanentError, slackErrorCode } from '../transport/clients.js';
import type { ListenerApp } from '../transport/connect.js';
import { readTypedText } from '../typed-text.js';
import type { ListenerParts } from './context.js';

/** `@Rollcall …` in a channel or a thread takes the same words as `/report`. */
export function mention(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'app_mention'> & AllMiddlewareArgs): Promise<void> => {
    const { user, channel, text, thread_ts: thread } = event;
    if (!user || 'bot_id' in event) return;
    const words = text.split(`<@${parts.botUserId}>`).slice(1).join(' ');
    await answerWords(readTypedText(text, words), { channel, asker: user, thread }, parts);
  };
}

/** A direct message to the bot takes the same words too. */
export function directMessage(parts: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'message'> & AllMiddlewareArgs): Promise<void> => {
    // Edits, deletions, files and messages of bots have a subtype or a bot ID. They are not requests.
    if (event.channel_type !== 'im' || event.subtype !== undefined || event.bot_id !== undefined) return;
    const { user, channel, text = '', thread_ts: thread } = event;
    const words = text.split(`<@${parts.botUserId}>`).join(' ');
    await answerWords(readTypedText(text, words), { channel, asker: user, thread }, parts);
  };
}

async function answerWords(typed: Result<string>, from: RequestContext, parts: ListenerParts): Promise<void> {
  if (!typed.ok) return void (await replyInContext(notice(typed.refusal), from, parts));
  const command = await parseInChannel(typed.value, from.channel, parts);
  await dispatchCommand(command, { ...from, typed: typed.value }, parts);
}

/** Draws the Home tab when somebody opens it. */
export function homeOpened(parts: ListenerParts) {
  return async ({
    event,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab === 'home') await parts.home.show(event.user);
  };
}

/** Slack repeats an event for at most 25 hours. */
const maxEventAgeMs = 25 * 3_600_000;

/**
 * Slack has removed the app from the workspace: pauses all digests. After 30 days, all data goes. Nothing else starts
 * that, such as a refused token.
 */
export function uninstalled({ store, client, clock, log, signals }: ListenerParts, startedAt = Date.now()) {
  return async ({ body }: SlackEventMiddlewareArgs<'app_uninstalled'> & AllMiddlewareArgs): Promise<void> => {
    const ageMs = startedAt - body.event_time * 1000;
    // An event from before the start may arrive after the app was installed again.
    if (ageMs > 1000 && ageMs < maxEventAgeMs && (await isTokenAccepted(client))) {
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
export function tokensRevoked({ client, log, signals }: ListenerParts) {
  return async ({ event }: SlackEventMiddlewareArgs<'tokens_revoked'> & AllMiddlewareArgs): Promise<void> => {
    if ((event.tokens.bot ?? []).length === 0) return;
    const code = await tokenRefusal(client);
    if (code === undefined) return log.info({}, 'Slack revoked a token that is not the one in use');
    log.error({ code }, 'Slack revoked the token of the bot. Install the app again, and set its new token');
    signals.send({ kind: 'token-refused' });
  };
}

/** Slack's error code if it refuses the token; undefined if it accepts it or does not say. */
async function tokenRefusal(client: WebClient): Promise<string | undefined> {
  return client.auth.test().then(
    () => undefined,
    (error: unknown) => (isPermanentError(error) ? slackErrorCode(error) : undefined),
  );
}

async function isTokenAccepted(client: WebClient): Promise<boolean> {
  return client.auth.test().then(
    () => true,
    () => false,
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
  let looking = Promise.resolve();
  const look = async () => {
    const at = await store.installation.uninstalledAt();
    if (at === undefined || clock.now() - at < revokedWithinMs) return;
    if (await isTokenAccepted(client)) await markInstalled();
  };
  const timer = setInterval(() => {
    looking = looking
      .then(look)
      .catch((err: unknown) => log.warn({ err }, 'Could not look whether Rollcall is installed again'));
  }, installationLookMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}

/** Events about changes to a channel. */
const channelEvents = [
  'channel_left',
  'channel_archive',
  'channel_unarchive',
  'channel_deleted',
  'channel_shared',
  'channel_unshared',
  'group_left',
  'group_archive',
  'group_unarchive',
  'group_deleted',
] as const;

/** Tells all processes as soon as Slack reports a change of a channel, a person or a user group. */
export function registerChanges(
  app: ListenerApp,
  { signals, access, store, clock }: Pick<ListenerParts, 'signals' | 'access' | 'store' | 'clock'>,
): void {
  for (const name of channelEvents) {
    app.event(name, async ({ event: { channel } }) => {
      signals.send({ kind: 'channel-changed', channel });
      // The approval ends even if nobody looks at the channel while it is shared.
      if (name === 'channel_shared') await store.approvals.markShared(channel, clock.now());
    });
  }
  for (const name of ['member_joined_channel', 'member_left_channel'] as const) {
    app.event(name, async ({ event: { channel, user } }) => {
      signals.send({ kind: 'channel-changed', channel, user });
    });
  }
  app.event('subteam_members_changed', async ({ event }) => {
    signals.send({ kind: 'group-changed', group: event.subteam_id });
  });
  app.event('subteam_updated', async ({ event: { subteam } }) => {
    signals.send({ kind: 'group-changed', group: subteam.id });
    if ((subteam.date_delete ?? 0) > 0) access.endGroup(subteam.id);
  });
  app.event('user_change', async ({ event }) =>
    signals.send({ kind: 'person-changed', user: event.user.id }),
  );
}

/**
 * Drops what has changed from the caches of this process, whichever process heard of it. Drops everything when it may
 * have missed something.
 */
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
