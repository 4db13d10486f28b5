import type { UnitTotals } from '../../runner/ports.js';
import type { RecordKey } from '../access/event-chain.js';
import { deleteRows, is, putRow, rowsOf } from '../database/rows.js';
import type { Db } from '../database/schema.js';

/** The events of the record that end figures before them. */
interface EndingEvents {
  newest(
    query: { readonly kinds: readonly ('erased' | 'rule-changed')[] },
    limit: number,
  ): Promise<readonly { readonly seq: number }[]>;
}

/**
 * The figures of ended units, for later answers over time. They are found by a keyed hash of what they were counted from,
 * so nobody can tell of whom they are. A later erasure or change of the rules deletes them, whichever process made it:
 * positions in the record need no clock.
 */
export function unitTotalsIn(db: Db, now: () => number, key: RecordKey, events: EndingEvents): UnitTotals {
  return {
    async open(identity) {
      const read_at = now();
      const unit_of = key.hash('unit', identity);
      const [{ seq: through } = { seq: 0 }] = await events.newest({ kinds: ['erased', 'rule-changed'] }, 1);
      await deleteRows(db, 'unit_totals', { through: is('<', through) });
      const row = await rowsOf(db, 'unit_totals', { unit_of })
        .select(['figures', 'read_at'])
        .executeTakeFirst();
      // The clock of the playground moves back, too.
      const isKept = row && row.read_at <= read_at && row.read_at >= read_at - maxAgeMs;
      return {
        kept: isKept ? { ...JSON.parse(row.figures), readAt: row.read_at } : undefined,
        keep: (unit) =>
          putRow(db, 'unit_totals', { unit_of, figures: JSON.stringify(unit), read_at, through }),
      };
    },
  };
}

/** As the schema says, also where nothing has deleted them yet. */
const maxAgeMs = 30 * 24 * 3_600_000;
