import { PeopleList } from '../counting/people-list.js';
import { nameReader } from '../counting/person-name.js';
import { placesOf } from '../counting/report-figures.js';
import { cutText } from '../format/text.js';
import type { RecordView } from '../record-view.js';

/** So much of a title is kept. */
const longestTitle = 120;

/** Whose assignments have been overdue for longest. */
export class OverduePeople {
  private constructor(
    private readonly nameOf: (record: RecordView) => string,
    private readonly titlePlace: number,
    readonly list: PeopleList,
  ) {}

  static start(fields: readonly string[]): OverduePeople {
    const { content_title } = placesOf(fields, ['content_title']);
    return new OverduePeople(nameReader(fields), content_title, PeopleList.empty());
  }

  note(record: RecordView, due: number, days: number): void {
    if (!this.list.counts(-due)) return;
    const title = record.text(this.titlePlace)?.trim();
    this.list.list(-due, {
      name: this.nameOf(record),
      ...(title ? { about: cutText(title, longestTitle) } : {}),
      value: { kind: 'amount', amount: days, unit: 'days' },
    });
  }

  copy(): OverduePeople {
    return new OverduePeople(this.nameOf, this.titlePlace, this.list.copy());
  }
}
