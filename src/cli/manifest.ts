import { stringify } from 'yaml';
import { assistantPath, requestPath, slackManifest } from '../slack/manifest.js';
import { wrongUsage } from './operator-messages.js';

/**
 * The app manifest as YAML.
 *
 * @param url the address at which Slack reaches the bot in HTTP mode; absent: Socket Mode
 * @param forSlackbot true adds what Slackbot needs to use the tools of assistants. It needs the address.
 * @throws `wrong-usage` for an address that Slack does not accept, and for Slackbot without an address
 */
export function manifestText(url?: string, forSlackbot = false): string {
  if (url === undefined && forSlackbot)
    throw wrongUsage(
      '--mcp needs --url, because Slackbot sends requests to Rollcall: rollcall manifest --url https://rollcall.example.com --mcp',
    );
  const form =
    url === undefined ? 'Socket Mode' : `HTTP mode${forSlackbot ? ', with tools for Slackbot' : ''}`;
  const base = url === undefined ? undefined : baseOf(url);
  const manifest =
    base === undefined
      ? slackManifest()
      : slackManifest(base + requestPath, forSlackbot ? base + assistantPath : undefined);
  return `# Rollcall as a Slack app, for ${form}. Paste it at https://api.slack.com/apps?new_app=1, “From a manifest”.\n${stringify(
    manifest,
    { lineWidth: 0 },
  )}`;
}

/** The address without the path of Slack's requests. */
function baseOf(url: string): string {
  if (!/^https:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url)) {
    throw wrongUsage(
      '--url needs the https address at which Slack reaches Rollcall, such as https://rollcall.example.com.',
    );
  }
  const base = url.replace(/\/+$/, '');
  return base.endsWith(requestPath) ? base.slice(0, -requestPath.length) : base;
}
