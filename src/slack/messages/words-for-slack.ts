const words: Readonly<Record<string, string>> = {
  not_in_channel: 'I am not a member of that channel. Type /invite @Rollcall there.',
  channel_not_found: 'I cannot see that channel. If it is private, type /invite @Rollcall there.',
  is_archived: 'That channel is archived.',
  restricted_action: 'This workspace does not let me post there.',
  restricted_action_read_only_channel: 'That channel is read-only.',
  restricted_action_thread_only_channel: 'That channel takes threads only.',
  restricted_action_non_threadable_channel: 'That channel has no threads.',
  restricted_action_thread_locked: 'That thread is locked.',
  posting_to_channel_denied: 'This workspace does not let me post there.',
  ekm_access_denied: 'Your security team has suspended my access.',
  messages_tab_disabled: 'Direct messages with me are switched off.',
  msg_too_long: 'The message is longer than Slack takes. Ask for fewer columns or filters.',
  message_limit_exceeded: 'This workspace has reached its message limit.',
  missing_scope: 'I lack a permission that the operator has to add in Slack.',
  token_revoked: 'My access to Slack was revoked.',
  account_inactive: 'My account in Slack is switched off.',
  invalid_auth: 'My access to Slack is no longer valid.',
  team_access_not_granted: 'I was not given access to this workspace.',
  slack_connect_file_link_sharing_blocked: 'Files are blocked in channels shared with other organizations.',
  file_uploads_disabled: 'File uploads are switched off in this workspace.',
  file_upload_size_restricted: 'The file is larger than this workspace allows.',
  storage_limit_reached: 'This workspace has no room for more files.',
  ratelimited: 'Slack asks me to slow down.',
  connection_refused: 'Slack cannot be reached.',
  connection_lost: 'The connection to Slack broke.',
};

/** What an error of Slack's means for the person who asked: one or two sentences. */
export function wordsForSlack(code: string): string {
  return words[code] ?? `Slack answered ${code.replace(/[^a-z0-9_]/gi, '')}.`;
}

/** Whether the same may well work a minute later. */
export function passesSoon(code: string): boolean {
  return ['ratelimited', 'connection_refused', 'connection_lost'].includes(code);
}
