import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecordView } from '../../../src/figures/record-view.js';
import type { FiguresPlan, FiguresReader, FiguresResult } from '../../../src/figures/result.js';
import { AnswerStream } from '../../../src/reporting-api/answer/read-answer.js';
import type { ReadPlan } from '../../../src/runner/ports.js';
import { propertyRuns } from '../../property-runs.js';
import { plainCsv } from './plain-csv.js';
import { type PlainObject, parsePlainJson } from './plain-json.js';
import { anyAnswer, anyCuts, cutInto, flags } from './random-answers.js';
import { csvPlan, field, noFigures, tempFolder } from './read-bytes.js';

const folder = tempFolder();
afterAll(() => folder.remove());
beforeEach(() => expect(folder.files()).toEqual([]));

const fields = flags.slice(0, 4).map(field);
const plan = {} as FiguresPlan;

/** Figures that keep the text of the first field of each record. */
class Texts implements FiguresReader {
  readonly lastRank = Number.NaN;
  constructor(readonly seen: (string | undefined)[] = []) {}
  add(record: RecordView): void {
    this.seen.push(record.text(0));
  }
  readonly lastOrder = Number.NaN;
  readonly lastDays = Number.NaN;
  isCounted(): boolean {
    return true;
  }
  addBeside(): void {}

  startPart(): Texts {
    return new Texts();
  }
  merge({ seen }: Texts): void {
    this.seen.push(...seen);
  }
  finish(): FiguresResult {
    return { records: this.seen.length, seen: this.seen } as unknown as FiguresResult;
  }
}

function readingInto(name: string): ReadPlan {
  return {
    fields: fields.map(({ flag }) => flag),
    figures: plan,
    file: { ...csvPlan, path: folder.path(name), columns: fields },
  };
}

function recordsIn(answer: string): PlainObject[] {
  return parsePlainJson(Buffer.from(answer).toString()) as PlainObject[];
}

describe('a reading', () => {
  it('joins answers, and forgets those that were dropped', async () => {
    const anyTry = fc.record({ answer: anyAnswer, cuts: anyCuts, dropped: fc.boolean(), cutAt: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(anyTry, { minLength: 1, maxLength: 5 }), async (tries) => {
        const reading = new AnswerStream(readingInto('joined.csv'), () => new Texts());
        const kept: PlainObject[] = [];
        for (const { answer, cuts, dropped, cutAt } of tries) {
          const bytes = Buffer.from(answer);
          await reading.beginAnswer();
          if (dropped) {
            for (const piece of cutInto(bytes.subarray(0, cutAt % bytes.length), cuts))
              await reading.write(piece);
            await expect(reading.endAnswer()).rejects.toMatchObject({ code: 'answer-cut-short' });
            await reading.rollBackAnswer();
          } else {
            for (const piece of cutInto(bytes, cuts)) await reading.write(piece);
            await reading.endAnswer();
            kept.push(...recordsIn(answer));
          }
          expect(reading.records).toBe(kept.length);
        }
        const read = await reading.finish();
        const text = readFileSync(folder.path('joined.csv'), 'utf8');
        const plain = Buffer.from(plainCsv(fields, kept).text).toString();
        await reading.discard();
        expect(text).toBe(plain);
        expect(read.figures).toMatchObject({ records: kept.length });
      }),
      { numRuns: propertyRuns(150) },
    );
  }, 120_000);

  it('goes back in the middle of a long answer, after columns were added and blocks written', async () => {
    const long = (letter: string, late: object) =>
      JSON.stringify([
        ...Array.from({ length: 20_000 }, (_, number) => ({
          alpha: `${letter}${number}`,
          beta: { id: number },
        })),
        { alpha: 'last', beta: late },
      ]);
    const reading = new AnswerStream(readingInto('long.csv'), () => new Texts());
    const [first, second, third] = [long('a', { one: 1 }), long('b', { two: 2 }), long('c', { three: 3 })];
    for (const [answer, dropped] of [
      [first, true],
      [second, false],
      [third, true],
      [third, false],
    ] as const) {
      await reading.beginAnswer();
      const bytes = Buffer.from(answer);
      for (const piece of cutInto(bytes.subarray(0, dropped ? bytes.length - 1 : bytes.length), [65_536])) {
        await reading.write(piece);
      }
      if (dropped) await reading.rollBackAnswer();
      else await reading.endAnswer();
    }
    const read = await reading.finish();
    const plain = plainCsv(fields, [...recordsIn(second), ...recordsIn(third)]);
    expect(readFileSync(folder.path('long.csv'), 'utf8') === plain.text).toBe(true);
    expect(read.file?.columns).toEqual(plain.columns);
    expect(read.records).toBe(40_002);
    await reading.discard();
  });

  it('takes chunks of any size, and more of them before it has done with one', async () => {
    const answer = Buffer.from(
      JSON.stringify(Array.from({ length: 50_000 }, (_, number) => ({ alpha: number }))),
    );
    const reading = new AnswerStream(readingInto('big.csv'), () => new Texts());
    await reading.beginAnswer();
    const pauses = cutInto(answer, [200_000]).map((piece) => reading.write(piece));
    expect(pauses.every((pause) => pause instanceof Promise)).toBe(true);
    await Promise.all(pauses);
    await reading.endAnswer();
    expect(await reading.finish()).toMatchObject({ records: 50_000, figures: { records: 50_000 } });
    await reading.discard();
  });

  it('ends before the result of an answer that was cancelled while it was counted', async () => {
    const reading = new AnswerStream({ fields: ['email'], figures: plan }, () => new Texts());
    await reading.beginAnswer();
    await reading.write(Buffer.from('[{"email":"a@b"}]'));
    await reading.endAnswer();
    const cancelling = new AbortController();
    const finishing = reading.finish(cancelling.signal);
    cancelling.abort();
    await expect(finishing).rejects.toMatchObject({ code: 'cancelled' });
    await reading.discard();
  });

  it('pauses when the disk is slow, and lets other work run', async () => {
    const wide = {
      beta: Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`m${number}`, number])),
    };
    const answer = Buffer.from(JSON.stringify([wide, ...Array.from({ length: 20_000 }, () => ({}))]));
    const reading = new AnswerStream(readingInto('wide.csv'), () => new Texts());
    await reading.beginAnswer();
    let pauses = 0;
    for (const piece of cutInto(answer, [60_000])) {
      const pause = reading.write(piece);
      if (pause) pauses += 1;
      await pause;
    }
    await reading.endAnswer();
    const { file } = await reading.finish();
    expect(pauses).toBeGreaterThan(0);
    expect(file?.bytes).toBeGreaterThan(20_000 * 500);
    await reading.discard();
  });

  describe('that fails', () => {
    const ours = new TypeError('ours');
    const failing = (place: number) => () => {
      const texts = new Texts();
      const add = texts.add.bind(texts);
      texts.add = (record) => {
        add(record);
        if (texts.seen.length === place) throw ours;
      };
      return texts;
    };
    const settled = (step: () => Promise<unknown> | undefined) =>
      Promise.resolve()
        .then(step)
        .then(
          () => 'well',
          (error) => error,
        );

    it.each([
      ['in the first bytes', 2, 3],
      ['in bytes that are read at once', 900, 1000],
      ['in bytes that are read in turns', 20_000, 30_000],
    ])('on our side %s throws that failure from then on', async (_, place, count) => {
      const answer = Buffer.from(
        JSON.stringify(Array.from({ length: count }, (_one, number) => ({ alpha: number }))),
      );
      for (const pieces of [[answer], cutInto(answer, [5000])]) {
        const reading = new AnswerStream(readingInto('failed.csv'), failing(place));
        await reading.beginAnswer();
        const outcomes = await Promise.all(pieces.map((piece) => settled(() => reading.write(piece))));
        expect(outcomes).toContain(ours);
        for (const step of [
          () => reading.write(answer),
          () => reading.endAnswer(),
          () => reading.finish(),
          () => reading.rollBackAnswer(),
          () => reading.beginAnswer(),
        ]) {
          expect(await settled(step)).toBe(ours);
        }
        await reading.discard();
        expect(folder.files()).toEqual([]);
      }
    });

    it('by a fault of the answer is as new once that answer is dropped', async () => {
      const reading = new AnswerStream(readingInto('mended.csv'), () => new Texts());
      await reading.beginAnswer();
      const broken = await settled(() => reading.write(Buffer.from('[{"alpha":1},2]')));
      expect(broken).toMatchObject({ code: 'record-not-an-object', details: { record: 2 } });
      expect(await settled(() => reading.endAnswer())).toBe(broken);
      expect(await settled(() => reading.finish())).toBe(broken);
      await reading.rollBackAnswer();
      await reading.beginAnswer();
      await reading.write(Buffer.from('[{"alpha":1}]'));
      await reading.endAnswer();
      expect(await reading.finish()).toMatchObject({ records: 1, figures: { records: 1 } });
      await reading.discard();
    });
  });

  it('works without a CSV, and without figures', async () => {
    const reading = new AnswerStream({ fields: ['alpha'] }, noFigures);
    await reading.beginAnswer();
    await reading.write(Buffer.from('[{"alpha":1}]'));
    await reading.endAnswer();
    expect(await reading.finish()).toEqual({ records: 1 });
  });

  it('leaves nothing on disk when it is discarded, at any time', async () => {
    const answer = Buffer.from(
      JSON.stringify(Array.from({ length: 20_000 }, (_, alpha) => ({ alpha, beta: 'x'.repeat(60) }))),
    );
    const atAnyTime: ((reading: AnswerStream) => Promise<void>)[] = [
      async () => {},
      async (reading) => reading.beginAnswer(),
      async (reading) => {
        await reading.beginAnswer();
        // Not awaited: the bytes are still being read when the reading is discarded.
        void reading.write(answer);
      },
      async (reading) => {
        await reading.beginAnswer();
        await reading.write(answer);
        await reading.endAnswer();
        await reading.finish();
      },
    ];
    for (const until of atAnyTime) {
      const reading = new AnswerStream(readingInto('gone.csv'), () => new Texts());
      await until(reading);
      await reading.discard();
      expect(folder.files()).toEqual([]);
    }
  });

  it('fails if the file cannot be created', async () => {
    const reading = new AnswerStream(readingInto('no/such/folder.csv'), () => new Texts());
    await expect(reading.beginAnswer()).rejects.toMatchObject({
      code: 'file-not-written',
      details: { reason: 'ENOENT' },
    });
    await reading.discard();
  });
});
