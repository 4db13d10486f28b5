import { useDirectory } from '../connection/connection.js';
import { formatSlackDate } from './dates.js';
import { drawableText } from './drawable.js';

export function UserMention({ id, label }: { id: string; label?: string | undefined }) {
  const { users, me } = useDirectory();
  const name = users.get(id)?.name ?? label ?? id;
  return <span className={id === me.id ? 'mention mention-me' : 'mention'}>@{name}</span>;
}

/** The name of a channel that the reader cannot see is hidden. */
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

/** An emoji with its name for screen readers. Unknown names stay `:as_typed:`. */
export function Emoji({ name, character }: { name: string; character?: string | undefined }) {
  const drawn = character ?? emojiCharacter(name);
  if (drawn === undefined) return <>{`:${name}:`}</>;
  const shared = { role: 'img', 'aria-label': name.replaceAll('_', ' '), title: `:${name}:` };
  if (drawableText(drawn) === drawn) {
    return (
      <span className="emoji" {...shared}>
        {drawn}
      </span>
    );
  }
  return (
    <span className="undrawable" data-shown={`:${name}:`} {...shared}>
      <span>{drawn}</span>
    </span>
  );
}

/** Emoji by name. */
const emojiByName: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  alarm_clock: '⏰',
  arrow_down: '⬇️',
  arrow_up: '⬆️',
  arrows_counterclockwise: '🔄',
  ballot_box_with_check: '☑️',
  bar_chart: '📊',
  bell: '🔔',
  books: '📚',
  bulb: '💡',
  bust_in_silhouette: '👤',
  busts_in_silhouette: '👥',
  calendar: '📆',
  chart_with_downwards_trend: '📉',
  chart_with_upwards_trend: '📈',
  clipboard: '📋',
  clock9: '🕘',
  date: '📅',
  envelope: '✉️',
  exclamation: '❗',
  eyes: '👀',
  file_folder: '📁',
  floppy_disk: '💾',
  fire: '🔥',
  gear: '⚙️',
  green_circle: '🟢',
  hash: '#️⃣',
  heart: '❤️',
  heavy_check_mark: '✔️',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  house: '🏠',
  inbox_tray: '📥',
  information_source: 'ℹ️',
  large_blue_circle: '🔵',
  large_yellow_circle: '🟡',
  link: '🔗',
  lock: '🔒',
  mag: '🔍',
  mega: '📣',
  memo: '📝',
  mortar_board: '🎓',
  no_entry: '⛔',
  outbox_tray: '📤',
  page_facing_up: '📄',
  paperclip: '📎',
  pencil2: '✏️',
  pushpin: '📌',
  question: '❓',
  red_circle: '🔴',
  repeat: '🔁',
  rocket: '🚀',
  rotating_light: '🚨',
  school: '🏫',
  shrug: '🤷',
  smile: '😄',
  sparkles: '✨',
  spiral_calendar_pad: '🗓️',
  star: '⭐',
  stopwatch: '⏱️',
  tada: '🎉',
  thumbsdown: '👎',
  thumbsup: '👍',
  trophy: '🏆',
  warning: '⚠️',
  wave: '👋',
  white_check_mark: '✅',
  x: '❌',
  zap: '⚡',
};

/** The character of an emoji name without colons; undefined if unknown. */
function emojiCharacter(name: string): string | undefined {
  return Object.hasOwn(emojiByName, name) ? emojiByName[name] : undefined;
}

/** Splits text at known `:name:` emoji. Every second piece is an emoji name. */
export function splitAtEmoji(text: string): string[] {
  const pieces: string[] = [''];
  for (const part of text.split(/(:[a-z0-9_+-]+:)/)) {
    const name = part.slice(1, -1);
    if (part.length > 2 && part.startsWith(':') && emojiCharacter(name) !== undefined) pieces.push(name, '');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}
