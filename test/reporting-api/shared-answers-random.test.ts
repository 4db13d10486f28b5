import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Failure } from '../../src/errors/failure.js';
import { shareAnswers } from '../../src/reporting-api/shared-answers.js';
import type { ReadPlan, ReadResult, ReportSource } from '../../src/runner/ports.js';
import { propertyRuns } from '../property-runs.js';
import { simulatedTime } from './simulated-clock.js';

/** Three queries that are not equal. A reader of one must get its answer and no other. */
const kinds = ['all', 'team', 'self'] as const;
type Kind = (typeof kinds)[number];

type Step =
  | { readonly do: 'ask'; readonly kind: Kind }
  | { readonly do: 'cancel' | 'answer' | 'fail'; readonly which: number }
  | { readonly do: 'wait'; readonly milliseconds: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), kind: fc.constantFrom(...kinds) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constantFrom('cancel', 'answer', 'fail'), which: fc.nat({ max: 20 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: fc.nat({ max: 6000 }) }),
    },
  ),
  { maxLength: 25 },
);

interface Sent {
  readonly kind: Kind;
  readonly at: number;
  readonly signal: AbortSignal;
  isOpen: boolean;
  answer(): Promise<void>;
  fail(): void;
}

it('gives every reader the answer to their own query, once, whatever happens in between', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-random-'));
  let [readers, queries] = [0, 0];
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const time = simulatedTime();
      const sent: Sent[] = [];
      const source: ReportSource = {
        read: (query, plan, { signal }) =>
          new Promise((resolve, reject) => {
            const kind = query.operation as Kind;
            const one: Sent = {
              kind,
              at: time.now(),
              signal,
              isOpen: true,
              async answer() {
                one.isOpen = false;
                await writeFile(plan.file?.path ?? '', kind, { flag: 'wx' });
                resolve({
                  records: kinds.indexOf(kind),
                  file: plan.file && { path: plan.file.path, bytes: kind.length, columns: [] },
                });
              },
              fail() {
                one.isOpen = false;
                reject(new Failure('connection-lost', { afterFirstByte: true }));
              },
            };
            signal.addEventListener('abort', () => {
              one.isOpen = false;
              reject(new Failure('cancelled'));
            });
            sent.push(one);
          }),
      };
      const shared = shareAnswers(source, {
        now: time.now,
        wasAnybodyErased: async () => false,
        clock: time,
        log: { warn: (details) => expect(details).toBeUndefined() },
      });
      const reads: { kind: Kind; path: string; cancel: AbortController; result: Promise<ReadResult> }[] = [];
      for (const step of all) {
        const open = sent.filter(({ isOpen }) => isOpen);
        if (step.do === 'wait') await time.pass(step.milliseconds);
        else if (step.do === 'ask') {
          const { kind } = step;
          const path = join(folder, `${reads.length}.csv`);
          const plan: ReadPlan = {
            fields: [],
            file: { path, format: 'csv', title: '', zone: 'UTC', columns: [] },
          };
          const cancel = new AbortController();
          const result = shared.source.read({ operation: kind, addsUp: false, body: {} }, plan, {
            urgency: 'person',
            asker: `U${reads.length}`,
            signal: cancel.signal,
          });
          result.catch(() => {});
          reads.push({ kind, path, cancel, result });
        } else if (step.do === 'cancel') reads[step.which % (reads.length || 1)]?.cancel.abort();
        else if (step.do === 'answer') await open[step.which % (open.length || 1)]?.answer();
        else open[step.which % (open.length || 1)]?.fail();
        await time.pass(0);
        for (const kind of kinds) {
          const young = sent.filter((one) => one.kind === kind && one.isOpen && time.now() - one.at < 10_000);
          expect(young.length).toBeLessThanOrEqual(1);
        }
      }
      for (const one of sent.filter(({ isOpen }) => isOpen)) {
        expect(one.signal.aborted).toBe(false);
        await one.answer();
      }
      for (const { kind, path, cancel, result } of reads) {
        const outcome = await result.catch((error: unknown) => error);
        if (outcome instanceof Error) {
          if (!cancel.signal.aborted) expect(outcome).toMatchObject({ code: 'connection-lost' });
          continue;
        }
        expect(outcome).toEqual({
          records: kinds.indexOf(kind),
          file: { path, bytes: kind.length, columns: [] },
        });
        expect(await readFile(path, 'utf8')).toBe(kind);
        await rm(path);
      }
      await time.pass(10_000);
      await shared.close();
      expect(await readdir(folder)).toEqual([]);
      readers += reads.length;
      queries += sent.length;
    }),
    { numRuns: propertyRuns(400) },
  );
  await rm(folder, { recursive: true });
  expect(queries).toBeLessThan(readers);
});
