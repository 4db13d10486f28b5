/** The first few of many entries by their order, the lowest first. Of equal ones, the earlier stay first. */
export class FirstEntries<Entry> {
  /** How many there were, stored or not. */
  total = 0;
  private readonly entries: { readonly order: number; readonly name: string; readonly entry: Entry }[] = [];

  /** @param byName true where entries of equal order are sorted by name */
  constructor(
    private readonly limit: number,
    private readonly byName = false,
  ) {}

  /** Counts an entry. True if it may be among the first, and is to be added. */
  count(order: number): boolean {
    this.total++;
    const last = this.entries.at(-1)?.order ?? 0;
    return this.entries.length < this.limit || order < last || (this.byName && order === last);
  }

  add(order: number, entry: Entry, name = ''): void {
    const { entries, limit } = this;
    const comesLater = (other: (typeof entries)[number]) =>
      order === other.order ? collator.compare(name, other.name) < 0 : order < other.order;
    const at = entries.findIndex(comesLater);
    entries.splice(at < 0 ? entries.length : at, 0, { order, name, entry });
    if (entries.length > limit) entries.pop();
  }

  merge({ entries, total }: FirstEntries<Entry>): void {
    this.total += total;
    for (const { order, entry, name } of entries) this.add(order, entry, name);
  }

  get all(): Entry[] {
    return this.entries.map(({ entry }) => entry);
  }
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
