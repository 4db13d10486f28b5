/** Texts for Slack's error codes, and for those of a connection to it. */
export const slackErrors: Readonly<Record<string, string>> = {
  not_in_channel: 'I am not a member of that channel. Type /invite @Rollcall there.',
  channel_not_found: 'I cannot see that channel. If it is private, type /invite @Rollcall there.',
  is_archived: 'That channel is archived.',
  restricted_action: 'This workspace does not let me post there.',
  restricted_action_read_only_channel: 'That channel is read-only.',
  restricted_action_thread_only_channel: 'That channel allows threads only.',
  restricted_action_non_threadable_channel: 'That channel has no threads.',
  restricted_action_thread_locked: 'That thread is locked.',
  posting_to_channel_denied: 'This workspace does not let me post there.',
  ekm_access_denied: 'Your security team has suspended my access.',
  messages_tab_disabled: 'Direct messages with me are turned off.',
  msg_too_long: 'The message is too long for Slack. Choose fewer columns or filters.',
  message_limit_exceeded: 'This workspace has reached its message limit.',
  missing_scope: 'My Slack app lacks a permission. Ask your admin to install it again.',
  token_revoked: 'My access to Slack was revoked.',
  account_inactive: 'My Slack account is deactivated.',
  invalid_auth: 'My access to Slack is no longer valid.',
  team_access_not_granted: 'I have no access to this workspace.',
  slack_connect_file_link_sharing_blocked: 'Files are blocked in channels shared with other organizations.',
  file_uploads_disabled: 'File uploads are turned off in this workspace.',
  file_upload_size_restricted:
    'The file is larger than this workspace allows. Choose a shorter range or fewer columns.',
  storage_limit_reached: 'This workspace has reached its storage limit.',
  ratelimited: 'Slack is rate-limiting me.',
  connection_refused: 'Slack cannot be reached.',
  connection_lost: 'The connection to Slack was lost.',
};

/** One or two sentences on an error code of Slack. */
export function describeSlackError(code: string): string {
  return slackErrors[code] ?? `Slack returned the error ${code.replace(/[^a-z0-9_]/gi, '')}.`;
}

/** Whether the same call may work a minute later. */
export function isTemporarySlackError(code: string): boolean {
  return ['ratelimited', 'connection_refused', 'connection_lost'].includes(code);
}
