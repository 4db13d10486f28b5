import { memberOf, reportNamed } from '../../catalogue/index.js';
import type { ReportRequest } from '../../requests/request.js';
import type { RecordKey } from '../record-key.js';

/**
 * Whom a request names in its filters, and whose it is: hashes with the key of the record, so that no
 * address is stored or can be guessed, and a person's rows are found.
 *
 * @param owners Slack user IDs and e-mail addresses
 */
export function peopleIn(key: RecordKey, request: ReportRequest, owners: readonly string[]): string {
  const report = reportNamed(request.report);
  const named = request.filters.flatMap(({ object, member, entries }) =>
    memberOf(report, object, member)?.member.personLevel === false ? [] : entries,
  );
  return [...new Set([...owners, ...named].map((person) => hashOfPerson(key, person)))].join(' ');
}

/** @param person a Slack user ID or an e-mail address */
export function hashOfPerson(key: RecordKey, person: string): string {
  return key.hash('person', person.trim().toLowerCase()).slice(0, 16);
}
