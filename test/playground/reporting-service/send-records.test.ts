import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { type EventLoopYield, yieldToEventLoop } from '../../../playground/reporting-service/event-loop.js';
import { sendRecords } from '../../../playground/reporting-service/records.js';

const record = JSON.stringify({ text: 'x'.repeat(1000) });

/** Batches of `count` records, and the number that was read. */
function counted(count: number) {
  const source = { read: 0, closed: false };
  function* rows() {
    try {
      while (source.read < count) {
        source.read += 1;
        yield record;
      }
    } finally {
      source.closed = true;
    }
  }
  async function* batches() {
    yield rows();
  }
  return Object.assign(source, { batches: batches() });
}

/** A stream that accepts everything at once. */
function greedy() {
  const chunks: Buffer[] = [];
  return Object.assign(
    new Writable({
      highWaterMark: 1024 ** 3,
      write(chunk: Buffer, _, done) {
        // The buffer may be reused as soon as the stream reports that it is written.
        chunks.push(Buffer.from(chunk));
        done();
      },
    }),
    { text: () => Buffer.concat(chunks).toString() },
  );
}

describe('sending records', () => {
  it.each([0, 1, 2, 1000])('makes one array of %i', async (count) => {
    const out = greedy();
    await sendRecords(counted(count).batches, out, yieldToEventLoop());
    expect(JSON.parse(out.text())).toHaveLength(count);
  });

  it('leaves out nulls', async () => {
    async function* batches() {
      yield [null, '1', null];
      yield [null];
      yield [];
      yield ['2', null, '3'];
    }
    const out = greedy();
    await sendRecords(batches(), out, yieldToEventLoop());
    expect(out.text()).toBe('[1,2,3]');
  });

  it('reads at most two chunks ahead of a reader that has stopped', async () => {
    const source = counted(100_000);
    let goOn = () => {};
    const stuck = new Writable({
      highWaterMark: 64 * 1024,
      write(_chunk, _encoding, done) {
        goOn = done;
      },
    });
    const sending = sendRecords(source.batches, stuck, yieldToEventLoop());
    await vi.waitFor(() => expect(stuck.writableNeedDrain).toBe(true));
    const ahead = source.read;
    expect(ahead).toBeLessThan(200);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(source.read).toBe(ahead);
    // The current chunk and the next one.
    goOn();
    await new Promise((resolve) => setImmediate(resolve));
    goOn();
    await vi.waitFor(() => expect(source.read).toBeGreaterThan(ahead));
    stuck.destroy();
    await sending;
    expect(source.closed).toBe(true);
    expect(source.read).toBeLessThan(1000);
  });

  it('yields in time to a reader without back pressure', async () => {
    const source = counted(10_000);
    const readAtTurns: number[] = [];
    let looks = 0;
    const turns: EventLoopYield = {
      get isDue() {
        looks += 1;
        return looks % 10 === 0;
      },
      async yield() {
        readAtTurns.push(source.read);
      },
    };
    await sendRecords(source.batches, greedy(), turns);
    expect(readAtTurns.length).toBeGreaterThan(50);
    const steps = readAtTurns.map((read, index) => read - (readAtTurns[index - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(200);
  });

  it('yields in time to a reader that drains after every chunk', async () => {
    const eager = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        process.nextTick(done);
      },
    });
    let rounds = 0;
    let sending = true;
    const goRound = () => {
      rounds += 1;
      if (sending) setImmediate(goRound);
    };
    setImmediate(goRound);
    const begun = performance.now();
    await sendRecords(counted(200_000).batches, eager, yieldToEventLoop());
    sending = false;
    expect(rounds).toBeGreaterThan((performance.now() - begun) / 100);
  });

  it('stops when its reader disconnects', async () => {
    const source = counted(1_000_000);
    const out = greedy();
    const turns = yieldToEventLoop();
    setTimeout(() => out.destroy(), 20);
    await sendRecords(source.batches, out, turns);
    expect(source.closed).toBe(true);
  });
});

describe('yields to the event loop', () => {
  it('are due by time, and let timers and sockets run', async () => {
    const turns = yieldToEventLoop();
    let ran = 0;
    const other = setInterval(() => {
      ran += 1;
    }, 1);
    let taken = 0;
    const until = performance.now() + 200;
    while (performance.now() < until) {
      if (!turns.isDue) continue;
      await turns.yield();
      taken += 1;
    }
    clearInterval(other);
    expect(taken).toBeGreaterThan(3);
    expect(ran).toBeGreaterThan(3);
  });

  it('reject after the work is aborted', async () => {
    const over = new AbortController();
    const turns = yieldToEventLoop(over.signal);
    await turns.yield();
    over.abort(new Error('gone'));
    await expect(turns.yield()).rejects.toThrow('gone');
  });
});
