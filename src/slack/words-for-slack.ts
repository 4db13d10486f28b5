const words: Readonly<Record<string, string>> = {
  not_in_channel: 'I am not a member of that channel. Type /invite @Rollcall there.',
  channel_not_found: 'I cannot see that channel. If it is private, type /invite @Rollcall there.',
  is_archived: 'that channel is archived.',
  restricted_action: 'this workspace does not let me post there.',
  restricted_action_read_only_channel: 'that channel is read-only.',
  restricted_action_thread_only_channel: 'that channel takes threads only.',
  restricted_action_non_threadable_channel: 'that channel has no threads.',
  restricted_action_thread_locked: 'that thread is locked.',
  posting_to_channel_denied: 'this workspace does not let me post there.',
  ekm_access_denied: 'your security team has suspended my access.',
  messages_tab_disabled: 'direct messages with me are switched off.',
  message_limit_exceeded: 'this workspace has reached its message limit.',
  missing_scope: 'I lack a permission that the operator has to add in Slack.',
  token_revoked: 'my access to Slack was revoked.',
  account_inactive: 'my account in Slack is switched off.',
  invalid_auth: 'my access to Slack is no longer valid.',
  team_access_not_granted: 'I was not given access to this workspace.',
  slack_connect_file_link_sharing_blocked: 'files are blocked in channels shared with other organizations.',
  file_uploads_disabled: 'file uploads are switched off in this workspace.',
  file_upload_size_restricted: 'the file is larger than this workspace allows.',
  storage_limit_reached: 'this workspace has no room for more files.',
  ratelimited: 'Slack asks me to slow down. Try again in a minute.',
  connection_refused: 'Slack cannot be reached. Try again in a minute.',
  connection_lost: 'the connection to Slack broke. Try again in a minute.',
};

/** What an error of Slack's means for the person who asked. Fits after a colon; ends with a full stop. */
export function wordsForSlack(code: string): string {
  return words[code] ?? `Slack answered ${code.replace(/[^a-z0-9_]/gi, '')}.`;
}
