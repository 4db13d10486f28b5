import { validateBlocks, validateMessage, validateView } from '../validator/validate.js';
import { isJsonObject, type Methods, optionalFlag, optionalJson, Refusal } from './method.js';

/** Identity, connections, and the check of payloads. */
export const otherMethods: Methods = {
  'api.test': { token: 'none', tier: 4, run: (args) => ({ args }) },

  'auth.test': {
    token: 'bot',
    tier: 'special',
    run: (_args, api) => {
      const { team, bot } = api.workspace.seed;
      return {
        url: `${api.origin()}/`,
        team: team.name,
        user: bot.handle,
        team_id: team.id,
        user_id: bot.user,
        bot_id: bot.botId,
        is_enterprise_install: false,
      };
    },
  },

  'apps.connections.open': {
    token: 'app',
    tier: 1,
    scopes: ['connections:write'],
    run: (args, api) => ({ url: api.newSocketAddress(optionalFlag(args, 'debug_reconnects') ?? false) }),
  },

  'team.info': {
    token: 'bot',
    tier: 3,
    scopes: ['team:read'],
    run: (_args, { workspace: { seed } }) => ({
      team: { id: seed.team.id, name: seed.team.name, domain: seed.team.domain, email_domain: '' },
    }),
  },

  'blocks.validate': {
    token: 'none',
    tier: 'special',
    run(args) {
      const blocks = optionalJson(args, 'blocks', 'invalid_blocks_format');
      const message = optionalJson(args, 'message', 'invalid_arguments');
      const view = optionalJson(args, 'view', 'invalid_arguments');
      if ([blocks, message, view].filter((one) => one !== undefined).length !== 1)
        throw new Refusal('invalid_arguments');
      if (message !== undefined && !isJsonObject(message)) throw new Refusal('invalid_arguments');
      const rules =
        blocks !== undefined
          ? validateBlocks(blocks)
          : message !== undefined
            ? validateMessage(message)
            : validateView(view);
      return {
        errors: rules.map(({ code, message: words, pointer }) => ({ code, message: words, pointer })),
      };
    },
  },
};
