import type { PageCommand, PageShortcut } from './page-shapes.js';

/** The parts of an app manifest that this workspace uses. */
export interface AppManifest {
  readonly features: {
    readonly app_home?: {
      readonly home_tab_enabled?: boolean;
      readonly messages_tab_enabled?: boolean;
      readonly messages_tab_read_only_enabled?: boolean;
    };
    readonly slash_commands?: readonly {
      readonly command: string;
      readonly description: string;
      readonly usage_hint?: string;
    }[];
    readonly shortcuts?: readonly {
      readonly type: string;
      readonly callback_id: string;
      readonly name: string;
      readonly description: string;
    }[];
  };
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
  readonly settings: { readonly event_subscriptions?: { readonly bot_events?: readonly string[] } };
}

/** The installed app. */
export interface InstalledApp {
  readonly scopes: readonly string[];
  readonly commands: readonly PageCommand[];
  readonly shortcuts: readonly PageShortcut[];
  /** Names of the subscribed events. */
  readonly events: readonly string[];
  readonly homeTab: boolean;
  readonly messagesTab: boolean;
  /** People can write to the app in its Messages tab. */
  readonly messagesTabWritable: boolean;
}

/** Reads a manifest as Slack does: a missing feature is off. */
export function appFrom({ features, oauth_config: oauth, settings }: AppManifest): InstalledApp {
  const home = features.app_home ?? {};
  return {
    scopes: oauth.scopes.bot,
    commands: (features.slash_commands ?? []).map(({ command, description, usage_hint: usageHint = '' }) => ({
      command,
      description,
      usageHint,
    })),
    shortcuts: (features.shortcuts ?? []).map(({ type, callback_id: callbackId, name, description }) => ({
      type: type === 'message' ? 'message' : 'global',
      callbackId,
      name,
      description,
    })),
    events: settings.event_subscriptions?.bot_events ?? [],
    homeTab: home.home_tab_enabled ?? false,
    messagesTab: home.messages_tab_enabled ?? false,
    messagesTabWritable:
      (home.messages_tab_enabled ?? false) && !(home.messages_tab_read_only_enabled ?? false),
  };
}

/** An app with `/report` and every feature, for tests of the workspace itself. */
export const plainApp: InstalledApp = {
  scopes: [
    'commands',
    'chat:write',
    'files:write',
    'users:read',
    'users:read.email',
    'usergroups:read',
    'im:write',
    'im:history',
    'channels:read',
    'groups:read',
    'channels:join',
    'app_mentions:read',
  ],
  commands: [{ command: '/report', description: 'Answers questions', usageHint: '[report | help]' }],
  shortcuts: [],
  events: [
    'app_home_opened',
    'app_mention',
    'channel_archive',
    'channel_deleted',
    'channel_left',
    'channel_shared',
    'channel_unarchive',
    'channel_unshared',
    'group_archive',
    'group_deleted',
    'group_left',
    'group_unarchive',
    'member_joined_channel',
    'member_left_channel',
    'message.im',
    'subteam_members_changed',
    'subteam_updated',
    'tokens_revoked',
    'user_change',
  ],
  homeTab: true,
  messagesTab: true,
  messagesTabWritable: true,
};

/** The subscription name of an event. */
export function subscriptionFor(event: { readonly type?: unknown; readonly channel_type?: unknown }): string {
  return event.type === 'message' ? `message.${event.channel_type}` : String(event.type);
}
