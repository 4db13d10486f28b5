import { withExistingStore } from './open-existing-store.js';
import { WrongUsage } from './wrong-usage.js';

/**
 * Takes a Slack user out of everything that is kept: what they asked stays, as nobody's, for the figures of use.
 *
 * @returns a sentence on what was done
 * @throws WrongUsage
 */
export async function forget(user: string): Promise<string> {
  if (!/^[UW][A-Z0-9]+$/.test(user)) {
    throw new WrongUsage('forget takes a Slack user ID such as U024BE7LH (“Copy member ID” in a profile).');
  }
  const { asks, approvals, savedReports, digests } = await withExistingStore((store) =>
    store.forgetPerson(user),
  );
  if (asks + approvals + savedReports + digests === 0) return `Nothing is kept about ${user}.`;
  const [questions, reports, ofDigests, ofApprovals] = [
    sayCount(asks, 'question'),
    sayCount(savedReports, 'saved report'),
    sayCount(digests, 'digest'),
    sayCount(approvals, 'approval'),
  ];
  return `${user} is forgotten: ${questions}, ${reports}, ${ofDigests} and ${ofApprovals} no longer say whose they were; those kept in direct messages are deleted. Their digests in channels are paused until an admin hands them over. Backups made before still name ${user}.`;
}

function sayCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
