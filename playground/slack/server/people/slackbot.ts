import { recordMessage } from '../workspace/messages.js';
import type { Channel } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';

/** Who speaks when Slack itself has something to say. */
export const slackbot = 'USLACKBOT';

export function sayAsSlackbot(workspace: Workspace, channel: Channel, user: string, text: string): void {
  recordMessage(workspace, { channel: channel.id, user: slackbot, text, visibleTo: user });
}
