import type { StateValues } from '../page-shapes.js';
import { validateView } from '../validator/validate.js';
import type { SlackObject, View } from '../workspace/records.js';
import type { ViewContent } from '../workspace/views.js';
import type { Workspace } from '../workspace/workspace.js';
import {
  type Api,
  ApiError,
  invalidPayloadError,
  isJsonObject,
  type Methods,
  missingArgumentError,
  optionalJson,
  optionalText,
  requiredText,
} from './method.js';

export const viewMethods: Methods = {
  'views.open': {
    token: 'bot',
    tier: 4,
    run(args, api) {
      const content = readView(args, api, 'modal');
      const { user } = exchangeTrigger(args, api);
      return answer(api, api.views.open(user, content));
    },
  },

  'views.push': {
    token: 'bot',
    tier: 4,
    run(args, api) {
      const content = readView(args, api, 'modal');
      const { user, fromView } = exchangeTrigger(args, api);
      // Only an interaction inside a modal can push another modal.
      if (!fromView || !api.views.stackOf(user).some((view) => view.id === fromView))
        throw new ApiError('not_found');
      const view = api.views.push(user, content);
      if (!view) throw new ApiError('push_limit_reached');
      return answer(api, view);
    },
  },

  'views.update': {
    token: 'bot',
    tier: 4,
    run(args, api) {
      const viewId = optionalText(args, 'view_id');
      const externalId = optionalText(args, 'external_id');
      if (viewId === undefined && externalId === undefined) throw missingArgumentError('view_id');
      const view = api.views.find({ viewId, externalId });
      const content = readView(args, api, view?.type ?? 'modal', view);
      if (!view) throw new ApiError('not_found');
      throwIfStale(args, view);
      api.views.update(view, content);
      return answer(api, view);
    },
  },

  'views.publish': {
    token: 'bot',
    tier: 4,
    run(args, api) {
      if (!api.app.homeTab) throw new ApiError('not_enabled');
      const user = requiredText(args, 'user_id');
      if (!api.workspace.people.has(user)) throw new ApiError('user_not_found');
      const published = api.views.homeOf(user);
      const content = readView(args, api, 'home', published);
      if (published) throwIfStale(args, published);
      return answer(api, api.views.publish(user, content));
    },
  },
};

/** Validates a view that the bot sends; `replaces` is the view it replaces. */
export function checkView(api: Api, view: unknown, type: View['type'], replaces?: View): ViewContent {
  const rules = validateView(view);
  if (rules.some((rule) => rule.code === 'view_too_large'))
    throw invalidPayloadError('view_too_large', rules, '/view');
  if (rules.length > 0) throw invalidPayloadError('invalid_arguments', rules, '/view');
  if (!isJsonObject(view) || view.type !== type)
    throw invalidPayloadError('invalid_arguments', [
      { code: 'not_one_of', message: `must be one of: ${type}`, pointer: '/view/type' },
    ]);
  const externalId = optionalText(view, 'external_id');
  const other = externalId ? api.views.find({ externalId }) : undefined;
  if (other && other !== replaces) throw new ApiError('duplicate_external_id');
  return { ...view, blocks: Array.isArray(view.blocks) ? view.blocks : [] };
}

function readView(args: SlackObject, api: Api, type: View['type'], replaces?: View): ViewContent {
  const view = optionalJson(args, 'view', 'invalid_arguments');
  if (view === undefined) throw missingArgumentError('view');
  return checkView(api, view, type, replaces);
}

function exchangeTrigger(args: SlackObject, api: Api) {
  const exchanged = api.triggers.exchange(requiredText(args, 'trigger_id'));
  if (!exchanged.ok) throw new ApiError(exchanged.refusal);
  return exchanged.value;
}

function throwIfStale(args: SlackObject, view: View) {
  const hash = optionalText(args, 'hash');
  if (hash !== undefined && hash !== view.hash) throw new ApiError('hash_conflict');
}

function answer(api: Api, view: View): SlackObject {
  return { view: describeView(api.workspace, view) };
}

/** A view in the format of Slack's answers and payloads. */
export function describeView(workspace: Workspace, view: View, state: StateValues = view.state): SlackObject {
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
