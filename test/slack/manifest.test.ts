import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { manifestText } from '../../src/cli/manifest.js';
import { allRoutes } from '../../src/slack/listeners/routes.js';
import { botEvents, botScopes, slackManifest } from '../../src/slack/manifest.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The scope that each method needs, according to Slack's documentation. */
const scopeOf: Record<string, string | undefined> = {
  'auth.test': undefined,
  'apps.connections.open': undefined,
  'chat.postMessage': 'chat:write',
  'chat.postEphemeral': 'chat:write',
  'chat.update': 'chat:write',
  'chat.delete': 'chat:write',
  'chat.getPermalink': undefined,
  'conversations.info': 'channels:read',
  'conversations.members': 'channels:read',
  'conversations.open': 'im:write',
  'conversations.join': 'channels:join',
  'files.getUploadURLExternal': 'files:write',
  'files.completeUploadExternal': 'files:write',
  'files.delete': 'files:write',
  'users.info': 'users:read',
  'users.list': 'users:read',
  'users.lookupByEmail': 'users:read.email',
  'conversations.list': 'channels:read',
  'users.conversations': 'channels:read',
  'usergroups.list': 'usergroups:read',
  'views.open': undefined,
  'views.push': undefined,
  'views.update': undefined,
  'views.publish': undefined,
};

function methodsCalled(): Set<string> {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const call =
    /\b(?:client|interactive|posting|reading)\.((?:auth|apps\.connections|chat|conversations|files|usergroups|users|views)\.[a-zA-Z]+)\(/g;
  return new Set(
    names.flatMap((name) =>
      [...readFileSync(join(root, 'src', name), 'utf8').matchAll(call)].map(([, method = '']) => method),
    ),
  );
}

describe('the manifest', () => {
  it('in the repository equals the output of rollcall manifest', () => {
    expect(readFileSync(join(root, 'manifest.yml'), 'utf8')).toBe(manifestText());
  });

  it('lists exactly the commands, events and shortcuts that have a row', () => {
    const { features, settings } = slackManifest();
    const idsOf = (wanted: string) => allRoutes().flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
    expect(features.slash_commands.map(({ command }) => command)).toEqual(idsOf('command'));
    const asEvents = idsOf('event').map((name) => (name === 'message' ? 'message.im' : name));
    expect([...settings.event_subscriptions.bot_events].sort()).toEqual([...new Set(asEvents)].sort());
    expect(features.shortcuts.map(({ callback_id: id }) => id)).toEqual(idsOf('shortcut'));
  });

  it('requests exactly the allowed scopes, which cover all methods that the code calls', () => {
    expect(botScopes.join(', ')).toBe(
      'commands, chat:write, files:write, users:read, users:read.email, im:write, im:history, channels:read, groups:read, app_mentions:read, channels:join, usergroups:read',
    );
    const { bot, bot_optional: optional } = slackManifest().oauth_config.scopes;
    expect(optional).toEqual(['channels:join', 'usergroups:read']);
    expect(bot).toEqual(botScopes);
    const called = [...methodsCalled()];
    expect(called).toContain('chat.postMessage');
    expect(Object.keys(scopeOf)).toEqual(expect.arrayContaining(called));
    const needed = called.flatMap((method) => scopeOf[method] ?? []);
    expect(botScopes).toEqual(expect.arrayContaining(needed));
  });

  it('makes the Messages tab writable and keeps mentions as typed', () => {
    const { app_home: home, slash_commands: commands } = slackManifest().features;
    expect(home).toMatchObject({ messages_tab_enabled: true, messages_tab_read_only_enabled: false });
    expect(commands.every((command) => command.should_escape === false)).toBe(true);
  });

  it('respects Slack’s limits', () => {
    const { display_information: display, features } = slackManifest('https://x.example.com/slack/events');
    expect(display.name.length).toBeLessThanOrEqual(35);
    expect(display.description.length).toBeLessThanOrEqual(140);
    expect(display.long_description.length).toBeGreaterThanOrEqual(175);
    expect(display.long_description.length).toBeLessThanOrEqual(4000);
    for (const { description, usage_hint: hint } of features.slash_commands) {
      expect(description.length).toBeLessThanOrEqual(2000);
      expect(hint.length).toBeLessThanOrEqual(1000);
    }
    for (const { name, description } of features.shortcuts) {
      expect(name.length).toBeLessThanOrEqual(24);
      expect(description.length).toBeLessThanOrEqual(150);
    }
    expect(botEvents.length).toBeLessThanOrEqual(100);
  });

  it.each([
    ['https://rollcall.example.com', 'https://rollcall.example.com/slack/events'],
    ['https://example.com/bots/rollcall/', 'https://example.com/bots/rollcall/slack/events'],
    ['https://rollcall.example.com/slack/events', 'https://rollcall.example.com/slack/events'],
  ])('for HTTP at %s sends everything to %s', (url, requestUrl) => {
    const { features, settings } = parse(manifestText(url));
    expect(features.slash_commands[0].url).toBe(requestUrl);
    expect(settings.event_subscriptions.request_url).toBe(requestUrl);
    expect(settings.interactivity.request_url).toBe(requestUrl);
    expect(settings.socket_mode_enabled).toBe(false);
  });

  it.each(['http://rollcall.example.com', 'rollcall.example.com', 'https://', 'https://x?y', ''])(
    'is not printed for the URL %j',
    (url) => {
      expect(() => manifestText(url)).toThrow(/not understood/);
    },
  );

  it('lets Slackbot use the tools where that is wanted, and only over HTTP', () => {
    const url = 'https://example.com/bots/rollcall/';
    const { mcp_servers: servers, oauth_config: oauth } = parse(manifestText(url, true));
    expect(servers).toEqual({
      rollcall: { url: 'https://example.com/bots/rollcall/mcp', auth_type: 'slack_identity_auth' },
    });
    expect(oauth.scopes.bot).toEqual([...botScopes, 'mcp:connect']);
    for (const text of [manifestText(url), manifestText()]) expect(text).not.toContain('mcp');
    expect(() => manifestText(undefined, true)).toThrow(/not understood/);
  });

  it('for Socket Mode contains no URL', () => {
    expect(JSON.stringify(parse(manifestText()))).not.toContain('url');
  });
});
