import { describeReason } from '../../digests/failure.js';
import { textForOthers } from '../../errors/failure.js';

/** Texts for codes of failures. Unlike the text of a failure itself, they hold nothing of a request or an answer. */
const failureCodes: Readonly<Record<string, string>> = {
  'asker-refused': 'The person who asked may no longer ask for reports.',
  'access-changed': 'The access rules changed while the report was made.',
  'data-erased': 'The data of the person who asked was erased meanwhile.',
  'database-unusable': 'My database could not be used.',
  'answer-not-posted': 'The answer could not be posted.',
  'file-not-shared': 'The file could not be uploaded to Slack.',
  unexpected: 'Something went wrong.',
};

/**
 * A sentence on the code of a failure, for people who did not make the request. The stored reason of a run may quote
 * names and the service; this never does. Undefined for unknown codes.
 */
export function describeFailureCode(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  return describeReason(code, undefined) ?? textForOthers(code) ?? failureCodes[code] ?? slackErrors[code];
}

/** Why a run of a digest failed. Only its owner reads the stored reason. */
export function reasonForReader(
  { errorCode, reason }: { readonly errorCode?: string; readonly reason?: string },
  isOwner: boolean,
): string | undefined {
  return isOwner ? describeReason(errorCode, reason) : describeFailureCode(errorCode);
}

const slackErrors: Readonly<Record<string, string>> = {
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
