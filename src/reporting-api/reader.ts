import type { Dispatcher } from 'undici';
import type { ReadPlan, ReadResult } from '../runner/report-source.js';
import type { AnswerStream } from './answer/read-answer.js';
import { Cancelled } from './errors.js';
import { exchange } from './http-exchange.js';
import type { HttpRequest } from './http-request.js';

/** What happens while an answer is read. */
export interface AnswerEvents {
  /** Called when the service begins to answer. */
  readonly onBegun?: () => void;
  /** Called at most four times a second with the records of the whole reading so far. */
  readonly onRecords?: ((records: number) => void) | undefined;
}

/** Where requests are sent and their answers read: in a thread of its own, or right here. */
export interface AnswerReader {
  open(reading: ReadPlan): AnswerInProgress;
  /** To be called when no reading is under way. */
  close(): Promise<void>;
}

/** One or several answers that are read into one result. Ends with `finish` or `discard`. */
export interface AnswerInProgress {
  /**
   * Sends a request and reads its whole answer. When it fails, the reading is as it was before, and the request may be
   * sent again.
   */
  add(wire: HttpRequest, signal: AbortSignal, events: AnswerEvents): Promise<void>;
  finish(): Promise<ReadResult>;
  /** Leaves nothing on disk. */
  discard(): Promise<void>;
}

const recordsEveryMs = 250;

/** Reads answers in this thread. Whoever gives the dispatcher closes it. */
export function createLocalReader(
  openReading: (reading: ReadPlan) => AnswerStream,
  dispatcher: Dispatcher,
): AnswerReader {
  return {
    open: (reading) => readingHere(() => openReading(reading), dispatcher),
    close: async () => {},
  };
}

function readingHere(openReading: () => AnswerStream, dispatcher: Dispatcher): AnswerInProgress {
  let opened: AnswerStream | undefined;
  const open = () => {
    opened ??= openReading();
    return opened;
  };
  return {
    async add(wire, signal, { onBegun, onRecords }) {
      const reading = open();
      await reading.beginAnswer();
      let toldAt = performance.now();
      const write = (chunk: Buffer) => {
        const pause = reading.write(chunk);
        if (onRecords && performance.now() - toldAt >= recordsEveryMs) {
          toldAt = performance.now();
          onRecords(reading.records);
        }
        return pause;
      };
      try {
        await exchange(wire, write, { dispatcher, signal, ...(onBegun ? { onBegun } : {}) });
        await reading.endAnswer();
      } catch (error) {
        await reading.rollBackAnswer().catch((failure) => {
          // Reading failed on our side before the service did, and would again.
          if (!(error instanceof Cancelled)) throw failure;
        });
        throw error;
      }
    },
    finish: async () => open().finish(),
    discard: async () => opened?.discard(),
  };
}
