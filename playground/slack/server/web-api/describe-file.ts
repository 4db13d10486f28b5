import type { StoredFile, Thing } from '../workspace/records.js';
import type { Workspace } from '../workspace/workspace.js';

/** Where the page and people get the bytes. */
export function filePath(file: StoredFile): string {
  return `/files/${file.id}/${encodeURIComponent(file.name)}`;
}

/** A file as Slack's answers carry it. */
export function describeFile(workspace: Workspace, file: StoredFile, origin: string): Thing {
  const type = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '') : '';
  if (file.state === 'deleted') return { id: file.id, mode: 'tombstone' };
  const byKind = (kinds: readonly string[]) =>
    file.shares.filter((share) => kinds.includes(workspace.channels.get(share.channel)?.kind ?? ''));
  const shares = (kinds: readonly string[]) =>
    Object.fromEntries(
      byKind(kinds).map((share) => [
        share.channel,
        [
          {
            ts: share.ts,
            ...(share.threadTs && { thread_ts: share.threadTs }),
            reply_users: [],
            reply_count: 0,
          },
        ],
      ]),
    );
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: type.toLowerCase(),
    pretty_type: type.toUpperCase(),
    user: workspace.seed.bot.user,
    user_team: workspace.seed.team.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: byKind(['public']).length > 0,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${origin}${filePath(file)}`,
    url_private_download: `${origin}${filePath(file)}?download`,
    permalink: `${origin}${filePath(file)}`,
    alt_txt: file.altText,
    channels: byKind(['public']).map((share) => share.channel),
    groups: byKind(['private']).map((share) => share.channel),
    ims: byKind(['im', 'mpim']).map((share) => share.channel),
    shares: { public: shares(['public']), private: shares(['private', 'im', 'mpim']) },
    has_rich_preview: false,
    file_access: 'visible',
  };
}
