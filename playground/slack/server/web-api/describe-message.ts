import { repliesTo } from '../workspace/messages.js';
import type { Message, Thing } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';
import { describeFile } from './describe-file.js';

/** A message as Slack's answers and payloads carry it. */
export function describeMessage(workspace: Workspace, message: Message, origin: string): Thing {
  const { bot, team } = workspace.seed;
  const byBot = message.user === bot.user;
  const replies = message.threadTs ? [] : repliesTo(workspace, message);
  const files = message.files.flatMap((id) => {
    const file = workspace.files.get(id);
    return file ? [describeFile(workspace, file, origin)] : [];
  });
  return {
    type: 'message',
    ...(message.notice && { subtype: message.notice }),
    user: message.user,
    ts: message.ts,
    ...(byBot && {
      bot_id: bot.botId,
      app_id: bot.appId,
      bot_profile: {
        id: bot.botId,
        app_id: bot.appId,
        name: bot.name,
        team_id: team.id,
        deleted: false,
        updated: 0,
      },
    }),
    text: message.text,
    team: team.id,
    ...(message.blocks.length > 0 && { blocks: message.blocks }),
    ...(message.attachments.length > 0 && { attachments: message.attachments }),
    ...(message.metadata && { metadata: message.metadata }),
    ...(message.edited && { edited: { user: message.edited.user, ts: message.edited.ts } }),
    ...(message.threadTs && { thread_ts: message.threadTs }),
    ...(replies.length > 0 && {
      thread_ts: message.ts,
      reply_count: replies.length,
      latest_reply: replies.at(-1)?.ts,
    }),
    ...(files.length > 0 && { subtype: 'file_share', files, upload: false }),
  };
}
