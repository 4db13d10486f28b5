import { PeopleList } from '../counting/people-list.js';
import { nameReader } from '../counting/person-name.js';
import { placesOf } from '../counting/report-figures.js';
import { cutText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import type { PeopleToLookAt } from '../result.js';

/** So much of a title is kept. */
const longestTitle = 120;

/** Who has come least far on a track that is in progress. */
export class StalledPeople {
  private constructor(
    private readonly nameOf: (record: RecordView) => string,
    private readonly titlePlace: number,
    private readonly list: PeopleList,
  ) {}

  static start(fields: readonly string[]): StalledPeople {
    const { track_title } = placesOf(fields, ['track_title']);
    return new StalledPeople(nameReader(fields), track_title, PeopleList.empty());
  }

  note(record: RecordView, progress: number): void {
    if (!this.list.counts(-progress)) return;
    const title = record.text(this.titlePlace)?.trim();
    this.list.list(-progress, {
      name: this.nameOf(record),
      ...(title ? { about: cutText(title, longestTitle) } : {}),
      value: { kind: 'amount', amount: progress, unit: 'percent' },
    });
  }

  copy(): StalledPeople {
    return new StalledPeople(this.nameOf, this.titlePlace, this.list.copy());
  }

  /**
   * @param rows how many are stalled in all
   * @param asFraction true when progress turned out to be a fraction of 1: then fewer of those noted are stalled
   */
  finish(rows: number, asFraction: boolean): PeopleToLookAt {
    const { why, listed } = this.list.finish('stalled');
    if (!asFraction) return { why, rows, listed };
    const inPercent = listed.flatMap((person) =>
      person.value?.kind === 'amount'
        ? [{ ...person, value: { ...person.value, amount: person.value.amount * 100 } }]
        : [],
    );
    return { why, rows, listed: inPercent.slice(0, rows) };
  }
}
