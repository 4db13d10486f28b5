import type { PageUser } from '../../server/page-protocol.js';
import { useWorkspacePart } from '../connection/use-workspace.js';
import { BrandMark } from './brand-mark.js';

/** Two letters on a colour; the bot has the product's mark. */
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
