import type { StateValues } from '../page-shapes.js';
import type { Thing, View } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';

/** A view as Slack's answers and payloads carry it. */
export function describeView(workspace: Workspace, view: View, state: StateValues = view.state): Thing {
  const { bot, team } = workspace.seed;
  const { content } = view;
  return {
    id: view.id,
    team_id: team.id,
    type: view.type,
    blocks: content.blocks,
    private_metadata: content.private_metadata ?? '',
    callback_id: content.callback_id ?? '',
    external_id: content.external_id ?? '',
    state: { values: state },
    hash: view.hash,
    ...(view.type === 'modal' && {
      title: content.title,
      close: content.close ?? null,
      submit: content.submit ?? null,
    }),
    clear_on_close: content.clear_on_close ?? false,
    notify_on_close: content.notify_on_close ?? false,
    root_view_id: view.rootId,
    previous_view_id: view.previousId ?? null,
    app_id: bot.appId,
    app_installed_team_id: team.id,
    bot_id: bot.botId,
  };
}
