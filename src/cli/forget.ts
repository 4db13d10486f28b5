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
  return `${user} is forgotten: ${asks} questions, ${savedReports} saved reports, ${digests} digests and ${approvals} approvals no longer say whose they are. Backups made before still do.`;
}
