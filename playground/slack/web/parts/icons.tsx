import type { PageUser } from '../../server/page-protocol.js';
import { useWorkspacePart } from '../connection/connection.js';

const paths = {
  hash: 'M6.5 2.5 5 13.5M11 2.5 9.5 13.5M2.5 5.8h11M2 10.2h11',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  box: 'M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.5h3',
  link: 'M6.7 9.3 9.3 6.7M7.5 4.6l1.6-1.6a2.7 2.7 0 0 1 3.9 3.9l-1.6 1.6M8.5 11.4l-1.6 1.6A2.7 2.7 0 0 1 3 9.1l1.6-1.6',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.2v1.5M8 13.3v1.5M1.2 8h1.5M13.3 8h1.5M3.2 3.2l1 1M11.8 11.8l1 1M3.2 12.8l1-1M11.8 4.2l1-1',
  moon: 'M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z',
  panel: 'M2 3h12v10H2zM10 3v10',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.2 1.6',
  send: 'M2.5 13.5 14 8 2.5 2.5 4 8zM4 8h5',
  reply: 'M2.5 3h11v8H7l-3 2.5V11H2.5z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  file: 'M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.3h3.3',
  download: 'M8 2.5v7.5M4.8 7.2 8 10.3l3.2-3.1M3 13.3h10',
  open: 'M9.5 2.5h4v4M13.2 2.8 7.5 8.5M12 9.5v4H2.5V4h4',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  people:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c.4-2.3 2-3.6 4.5-3.6s4.1 1.3 4.5 3.6M10.6 3.3a2.4 2.4 0 0 1 0 4.5M12.2 10.2c1.3.5 2.1 1.6 2.4 3.3',
  home: 'M2.5 7.5 8 2.8l5.5 4.7M4 6.6v6.6h8V6.6',
  chevron: 'M4.5 6.5 8 10l3.5-3.5',
  'thumb-up':
    'M2.5 7.5H5v5.6H2.5zM5 7.5l2.8-5c1.2 0 1.8.9 1.6 2L9 6.5h3.4c.8 0 1.3.7 1.1 1.4l-1 4.3c-.1.6-.6.9-1.1.9H5',
  'thumb-down':
    'M2.5 8.5H5V2.9H2.5zM5 8.5l2.8 5c1.2 0 1.8-.9 1.6-2L9 9.5h3.4c.8 0 1.3-.7 1.1-1.4l-1-4.3c-.1-.6-.6-.9-1.1-.9H5',
  trash: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.8 7v4M9.2 7v4',
  bolt: 'M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon in the colour of the text. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** Rollcall's logo: a list with a checked item. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6.5h6M4 12h6M4 17.5h16" />
      <path className="brand-tick" d="M13 9.2l2.6 2.7L20.5 6" />
    </svg>
  );
}

/** Initials on a colour; the logo for the bot. */
export function Avatar({ user, size }: { user: PageUser | undefined; size: 20 | 24 | 36 }) {
  const botId = useWorkspacePart((workspace) => workspace.bot.user);
  if (user?.id === botId) {
    return (
      <span className={`avatar avatar-${size} avatar-bot`} aria-hidden="true">
        <BrandMark />
      </span>
    );
  }
  return (
    <span
      className={`avatar avatar-${size}`}
      style={{ backgroundColor: user?.colour ?? '#888' }}
      aria-hidden="true"
    >
      {user?.initials ?? '?'}
    </span>
  );
}
