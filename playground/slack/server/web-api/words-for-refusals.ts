import type { Refusal } from './refusal.js';

const sentences: Readonly<Record<string, string>> = {
  invalid_blocks: 'Slack would refuse the blocks of this message.',
  invalid_blocks_format: 'The blocks are not a JSON list.',
  invalid_attachments: 'Slack would refuse the attachments of this message; a second table counts as one.',
  msg_blocks_too_long: 'All blocks together hold more text than Slack takes.',
  invalid_arguments: 'Slack would refuse these arguments.',
  view_too_large: 'The view is larger than Slack takes.',
  no_text: 'The message says nothing.',
  not_in_channel: 'The bot is not a member of this channel.',
  channel_not_found: 'There is no such channel, or the bot cannot see it.',
  is_archived: 'The channel is archived.',
  restricted_action_read_only_channel: 'The channel is read only.',
  trigger_expired: 'The trigger was older than three seconds.',
  trigger_exchanged: 'The trigger had been used already.',
  invalid_trigger_id: 'There is no such trigger.',
  hash_conflict: 'The view had changed in the meantime.',
  push_limit_reached: 'Three views lie on each other already.',
  not_found: 'There is no such view any more.',
  missing_scope: 'The bot has not got the scope for this.',
  unknown_method: 'The local Slack does not know this method.',
  not_authed: 'No token was given.',
  invalid_auth: 'The token is not one of this workspace.',
  used_url: 'The response address had been used five times.',
  expired_url: 'The response address was older than thirty minutes.',
};

/** One sentence for the person in front of the page. */
export function sentenceFor(refusal: Refusal): string {
  const sentence = sentences[refusal.error] ?? `Slack answered ${refusal.error}.`;
  const needed = typeof refusal.more.needed === 'string' ? ` It needs ${refusal.more.needed}.` : '';
  return `${sentence}${needed}`;
}
