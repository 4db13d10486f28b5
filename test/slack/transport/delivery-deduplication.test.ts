import { describe, expect, it, vi } from 'vitest';
import { createDeliveryDeduplication } from '../../../src/slack/transport/delivery-deduplication.js';
import { databaseUnusable } from '../../../src/store/errors.js';

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

describe('deliveries that could not be saved', () => {
  it('are saved with the next ones, in small writes', async () => {
    let isFull = true;
    const writes: (readonly string[])[] = [];
    const duplicates = await createDeliveryDeduplication(
      {
        has: async () => false,
        latest: async () => [],
        async add(seen) {
          if (isFull) throw databaseUnusable('a.db', 'SQLITE_FULL');
          writes.push(seen.map(({ envelope }) => envelope));
        },
      },
      () => 1,
      log,
    );
    for (let i = 0; i < 450; i += 1) await duplicates.isNew(`early ${i}`, { isRetry: false });
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1));
    expect(writes).toEqual([]);

    isFull = false;
    await duplicates.isNew('late', { isRetry: false });
    await duplicates.stop();
    expect(writes.map(({ length }) => length)).toEqual([200, 200, 51]);
    expect(writes.flat()).toEqual([...Array.from({ length: 450 }, (_, i) => `early ${i}`), 'late']);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });
});
