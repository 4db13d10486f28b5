/** The emoji that people type by name; any other name stays as typed, as Slack does with names it doesn't know. */
const byName: Readonly<Record<string, string>> = {
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

/** The character of a named emoji, without its colons; undefined when the playground doesn't know it. */
export function emojiCharacter(name: string): string | undefined {
  return Object.hasOwn(byName, name) ? byName[name] : undefined;
}

/** Text cut at its `:name:` emoji: every second piece is a known emoji's name. */
export function splitAtEmoji(text: string): string[] {
  const pieces: string[] = [''];
  for (const part of text.split(/(:[a-z0-9_+-]+:)/)) {
    const name = part.slice(1, -1);
    if (part.length > 2 && part.startsWith(':') && emojiCharacter(name) !== undefined) pieces.push(name, '');
    else pieces[pieces.length - 1] += part;
  }
  return pieces;
}
