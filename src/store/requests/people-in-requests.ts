import { createHash } from 'node:crypto';
import { memberOf, reportNamed } from '../../catalogue/index.js';
import type { ReportRequest } from '../../requests/request.js';

/**
 * Whom a request names in its filters, and whose it is: hashes, so that no address is stored and a person's rows are
 * found.
 *
 * @param owners Slack user IDs and e-mail addresses
 */
export function peopleIn(request: ReportRequest, owners: readonly string[]): string {
  const report = reportNamed(request.report);
  const named = request.filters.flatMap(({ object, member, entries }) =>
    memberOf(report, object, member)?.member.personLevel === false ? [] : entries,
  );
  return [...new Set([...owners, ...named].map(hashOfPerson))].join(' ');
}

/** @param person a Slack user ID or an e-mail address */
export function hashOfPerson(person: string): string {
  return createHash('sha256').update(person.trim().toLowerCase()).digest('hex').slice(0, 16);
}
