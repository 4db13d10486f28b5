import { useDirectory } from './directory.js';
import { formatSlackDate } from './slack-date.js';

export function UserMention({ id, label }: { id: string; label?: string | undefined }) {
  const { users, me } = useDirectory();
  const name = users.get(id)?.name ?? label ?? id;
  return <span className={id === me.id ? 'mention mention-me' : 'mention'}>@{name}</span>;
}

/** A channel the reader cannot see stays unnamed. */
export function ChannelMention({ id }: { id: string }) {
  const { channels, openChannel } = useDirectory();
  const channel = channels.get(id);
  if (!channel) return <span className="mention mention-dim">#a private channel</span>;
  return (
    <button type="button" className="mention mention-link" onClick={() => openChannel(id)}>
      {channel.kind === 'public' || channel.kind === 'private' ? `#${channel.name}` : channel.name}
    </button>
  );
}

export function Broadcast({ range }: { range: string }) {
  return <span className="mention mention-me">@{range}</span>;
}

export function SlackDate(props: {
  seconds: number;
  format: string;
  url?: string | undefined;
  fallback: string;
}) {
  const { zone, now } = useDirectory();
  const text = Number.isFinite(props.seconds)
    ? formatSlackDate(props.seconds, props.format, { zone, now: now() })
    : props.fallback;
  const time = (
    <time dateTime={isoOf(props.seconds)} title={props.fallback}>
      {text}
    </time>
  );
  return props.url ? <SlackLink url={props.url}>{time}</SlackLink> : time;
}

function isoOf(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export function SlackLink({ url, children }: { url: string; children: React.ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
