import { fullName, isManager, isSuspended } from './learner.js';
import { yesNo } from './values.js';

/**
 * What a record says of one more person: `assigner`, `assigner_email`, …
 *
 * @param flag what the flags begin with
 * @param person the person's name in the statement; all is null where there is none
 */
export function otherPersonColumns(flag: string, person: string): Readonly<Record<string, string>> {
  const ifThere = (truth: string) => yesNo(`CASE WHEN ${person}.id IS NOT NULL THEN ${truth} END`);
  return {
    [flag]: fullName(person),
    [`${flag}_email`]: `${person}.email`,
    [`${flag}_first_name`]: `${person}.first_name`,
    [`${flag}_last_name`]: `${person}.last_name`,
    [`${flag}_userid`]: `${person}.userid`,
    [`${flag}_job_title`]: `${person}.job_title`,
    [`${flag}_image`]: `${person}.image`,
    [`${flag}_is_manager`]: ifThere(isManager(person)),
    [`${flag}_is_purchaser`]: ifThere(`${person}.is_purchaser`),
    [`${flag}_is_suspended`]: ifThere(isSuspended(person)),
  };
}
