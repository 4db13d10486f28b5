/** Global shortcuts. */
export const shortcuts = {
  runReport: 'run_report',
} as const;

/** The scopes without which Rollcall does not work. */
const requiredScopes = [
  'commands',
  'chat:write',
  'files:write',
  'users:read',
  'users:read.email',
  'im:write',
  'im:history',
  'channels:read',
  'groups:read',
  'app_mentions:read',
] as const;

/** The scopes that a workspace may leave out. */
export const optionalScopes = ['channels:join', 'usergroups:read'] as const;

export const botScopes = [...requiredScopes, ...optionalScopes] as const;

/** The scope with which Slackbot reaches Rollcall. The manifest has it only where it is wanted. */
export const assistantScope = 'mcp:connect';

/** True if the token has a scope. Slack does not list the scopes of every token. */
export function hasScope(scopes: readonly string[], scope: (typeof botScopes)[number]): boolean {
  return scopes.length === 0 || scopes.includes(scope);
}

export const botEvents = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
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
] as const;

/** The path for Slack's requests in HTTP mode. */
export const requestPath = '/slack/events';

/** The path for Slackbot's requests in HTTP mode. */
export const assistantPath = '/mcp';

/**
 * The app's manifest, in Slack's format. Without the URL for requests in HTTP mode, it is for Socket Mode.
 *
 * @param assistantUrl the URL for requests of Slackbot; absent: it does not reach Rollcall
 */
export function slackManifest(requestUrl?: string, assistantUrl?: string) {
  const request = requestUrl === undefined ? {} : { request_url: requestUrl };
  return {
    _metadata: { major_version: 1 },
    display_information: {
      name: 'Rollcall',
      description:
        'Answers questions about learning: who finished what, who is overdue, how much people learn',
      long_description:
        'Ask “/report engagement last-week” and get the key figures with what changed, a chart, a table, and the rows ' +
        'as a file if you like. Rollcall reads assignments, tracks, completions, assessments, engagement and ' +
        'workshops. People are named only where that is allowed.',
      background_color: '#1f4e5f',
    },
    features: {
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: 'Rollcall', always_online: true },
      shortcuts: [
        {
          name: 'Run a report',
          type: 'global',
          callback_id: shortcuts.runReport,
          description: 'Choose what to ask about learning, and get the answer',
        },
      ],
      slash_commands: [
        {
          command: '/report',
          url: requestUrl,
          description: 'Ask about assignments, tracks, completions, assessments, engagement or workshops',
          usage_hint: 'engagement last-week, or help',
          should_escape: false,
        },
      ],
    },
    // Slack wants an optional scope in both lists.
    oauth_config: {
      scopes: {
        bot: [...botScopes, ...(assistantUrl === undefined ? [] : [assistantScope])],
        bot_optional: [...optionalScopes],
      },
    },
    // Slack signs these requests as it signs events, and says in them who asks.
    ...(assistantUrl !== undefined && {
      mcp_servers: { rollcall: { url: assistantUrl, auth_type: 'slack_identity_auth' } },
    }),
    settings: {
      event_subscriptions: { ...request, bot_events: [...botEvents] },
      interactivity: { is_enabled: true, ...request },
      org_deploy_enabled: false,
      socket_mode_enabled: requestUrl === undefined,
      token_rotation_enabled: false,
    },
  };
}
