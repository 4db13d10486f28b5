import { stringify } from 'yaml';
import { requestPath, slackManifest } from '../slack/manifest.js';
import { wrongUsage } from './operator-messages.js';

/**
 * The app manifest as YAML.
 *
 * @param url the address at which Slack reaches the bot in HTTP mode; absent: Socket Mode
 * @throws `wrong-usage` for an address that Slack does not accept
 */
export function manifestText(url?: string): string {
  const form = url === undefined ? 'Socket Mode' : 'HTTP mode';
  return `# Rollcall as a Slack app, for ${form}. Paste it at https://api.slack.com/apps?new_app=1, “From a manifest”.\n${stringify(
    slackManifest(url === undefined ? undefined : requestUrl(url)),
    { lineWidth: 0 },
  )}`;
}

function requestUrl(url: string): string {
  if (!/^https:\/\/[^\s?#]+$/.test(url) || !URL.canParse(url)) {
    throw wrongUsage(
      '--url needs the https address at which Slack reaches Rollcall, such as https://rollcall.example.com.',
    );
  }
  const base = url.replace(/\/+$/, '');
  return base.endsWith(requestPath) ? base : base + requestPath;
}
