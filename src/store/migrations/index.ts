import { firstTables } from './0001-first-tables.js';
import { builder } from './0002-builder.js';
import { savedReports } from './0003-saved-reports.js';
import { digests } from './0004-digests.js';
import { digestReasons } from './0005-digest-reasons.js';
import { digestPages } from './0006-digest-pages.js';
import { digestTries } from './0007-digest-tries.js';
import { oneLedger } from './0008-one-ledger.js';
import { lastFigures } from './0009-last-figures.js';
import { workspaces } from './0010-workspaces.js';
import { access } from './0011-access.js';
import { digestGrace } from './0012-digest-grace.js';
import { erasure } from './0013-erasure.js';
import { savedHandOvers } from './0014-saved-hand-overs.js';
import { deletions } from './0015-deletions.js';
import { requestFields } from './0016-request-fields.js';
import { details } from './0017-details.js';
import { processes } from './0018-processes.js';
import { answersInThreads } from './0019-answers-in-threads.js';
import { inbox } from './0020-inbox.js';
import { answerEdits } from './0021-answer-edits.js';
import { turnsOfOwners } from './0022-turns-of-owners.js';
import { chosenFilters } from './0023-chosen-filters.js';
import { peopleOfNames } from './0024-people-of-names.js';
import { recordKey } from './0025-record-key.js';
import { members } from './0026-members.js';
import { formSearches } from './0027-form-searches.js';
import { dueRanges } from './0028-due-ranges.js';

/** A change of the schema. Its number is its position in the list, from 1. Never edit the SQL of a released migration. */
export interface Migration {
  readonly name: string;
  /** One statement each, in SQL that both SQLite and PostgreSQL accept. */
  readonly statements: readonly string[];
}

export const migrations: readonly Migration[] = [
  firstTables,
  builder,
  savedReports,
  digests,
  digestReasons,
  digestPages,
  digestTries,
  oneLedger,
  lastFigures,
  workspaces,
  access,
  digestGrace,
  erasure,
  savedHandOvers,
  deletions,
  requestFields,
  details,
  processes,
  answersInThreads,
  inbox,
  answerEdits,
  turnsOfOwners,
  chosenFilters,
  peopleOfNames,
  recordKey,
  members,
  formSearches,
  dueRanges,
];
