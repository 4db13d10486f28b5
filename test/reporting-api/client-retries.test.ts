import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { createLocalReader } from '../../src/reporting-api/answer-reader.js';
import type { ReadPlan } from '../../src/runner/ports.js';
import { ask, dispatcher, lines, open, rows, server, setUpClient, time, tracks } from './client-setup.js';
import { answer, type Behaviour, cut, pieces, silent, status } from './fault-server.js';

setUpClient();

/** A whole answer as one chunk, then other bytes than those that end chunks, on a connection that closes. */
const inChunks =
  (end: string): Behaviour =>
  (_response, socket) => {
    const body = rows('Lost', 'Lost');
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';
    socket.end(`${head}${body.length.toString(16)}\r\n${body}\r\n${end}`);
  };

describe('a retry', () => {
  it.each<[string, Behaviour, number]>([
    ['a gateway that fails', status(502), 1000],
    ['a service that is down', status(503, '<html>'), 1000],
    ['a gateway that waits too long', status(504), 1000],
    ['a connection lost before the answer', cut(), 1000],
    ['a connection lost within it', cut(rows('Lost', 'Lost').slice(0, -5)), 1000],
    ['a connection reset within it', cut(rows('Lost', 'Lost').slice(0, -5), 'reset'), 1000],
    ['an answer cut short', answer(rows('Lost', 'Lost').slice(0, -5)), 1000],
    ['an empty answer', answer(''), 1000],
    ['an answer in chunks that lacks the last one', inChunks(''), 1000],
    ['a compressed answer cut short', answer(gzipSync(rows('Lost', 'Lost')).subarray(0, -9)), 1000],
    ['too many requests', status(429, {}, { 'retry-after': '7' }), 7000],
    ['too many requests without a time', status(429), 30_000],
  ])('succeeds after %s, without anything of the failed answer', async (_, failure, wait) => {
    server.behave(failure, answer(rows('One')));
    expect(await ask()).toMatchObject({ records: 1 });
    expect(await lines()).toEqual(['Track,Email', 'One,a@b.test']);
    expect(time.waits).toEqual([wait]);
    expect(server.seen.map(({ body }) => body)).toEqual([server.seen[0]?.body, server.seen[0]?.body]);
  });

  it('happens at most three times', async () => {
    server.behave(status(503), cut('[{'), answer('[{'), status(502), answer('[]'));
    await expect(ask()).rejects.toMatchObject({ code: 'service-broken', details: { status: 502 } });
    expect(time.waits).toEqual([1000, 2000, 4000]);
    expect(server.seen).toHaveLength(4);
  });

  it('waits for a service that is not up yet', async () => {
    const { port } = server;
    await server.close();
    const answer = ask();
    await expect(answer).rejects.toMatchObject({
      code: 'service-unreachable',
      details: { reason: 'refused' },
    });
    expect(time.waits).toEqual([1000, 2000, 4000]);
    expect(port).toBeGreaterThan(0);
  });

  it('does not happen if the service asks for too long a wait', async () => {
    server.behave(status(429, {}, { 'retry-after': '3600' }), answer('[]'));
    await expect(ask()).rejects.toMatchObject({ code: 'wait-too-long', details: { waitMs: 3_600_000 } });
    expect(time.waits).toEqual([]);
    // The next query does not wait: a person may ask again after an hour, or after the operator fixed it.
    expect(await ask()).toMatchObject({ records: 0 });
    await lines();
  });

  it('reports a wait of more than a minute, and all queries wait', async () => {
    open({ maxParallelRequests: 2 });
    const answeredAt: number[] = [];
    const timed =
      (body: string): Behaviour =>
      (response, socket) => {
        answeredAt.push(time.now());
        return answer(body)(response, socket);
      };
    server.behave(status(429, {}, { 'retry-after': '90' }), timed(rows('One')), timed(rows('One')));
    const told: unknown[] = [];
    const late: Promise<unknown>[] = [];
    const onWait = (wait: number | undefined) => {
      told.push(wait);
      // Another person asks during the wait.
      late.push(ask(tracks, { asker: 'U2', onWait: (its) => told.push(its) }, 'two.csv'));
    };
    await ask(tracks, { onWait }, 'one.csv');
    await Promise.all(late);
    expect(told).toEqual([90_000, 90_000]);
    expect(answeredAt).toHaveLength(2);
    for (const at of answeredAt) expect(at).toBeGreaterThanOrEqual(90_000);
    for (const name of ['one.csv', 'two.csv'])
      expect(await lines(name)).toEqual(['Track,Email', 'One,a@b.test']);
  });

  it.each<[string, Behaviour, string]>([
    ['a refused token', status(401), 'token-refused'],
    ['a refused query', status(422, { message: 'No' }), 'query-refused'],
    ['a missing report', status(404), 'no-such-report'],
    ['a broken service', status(500), 'service-broken'],
    ['chunks of no size', inChunks('zz\r\n'), 'damaged-answer'],
    ['a redirect', status(307, '', { location: '/' }), 'service-redirects'],
    ['no content', status(204, ''), 'empty-answer'],
    ['silence', silent, 'service-timed-out'],
    ['silence within the answer', pieces('[{"email":"a"},'), 'service-timed-out'],
  ])('does not happen after %s', async (_, failure, code) => {
    open({ idleTimeoutMs: 150 });
    server.behave(failure, answer('[]'));
    await expect(ask()).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['cancelled', true, { code: 'cancelled' }],
    ['lost', false, { message: 'ours' }],
  ])(
    'is of no use where reading fails on our side after the connection was %s',
    async (_, cancels, failure) => {
      const ended = new AbortController();
      /** Reads as ever, but fails when the connection is gone. */
      class Failing extends AnswerStream {
        override write() {
          if (cancels) ended.abort();
          return this.rollBackAnswer();
        }
        override async rollBackAnswer() {
          await server.seen[0]?.disconnected;
          throw new TypeError('ours');
        }
      }
      const failing = (reading: ReadPlan) => new Failing(reading, startCounting);
      open({}, createLocalReader(failing, dispatcher));
      server.behave(cut('[{"email":"a"},'), answer('[]'));
      await expect(ask(tracks, { signal: ended.signal })).rejects.toMatchObject(failure);
      expect(server.seen).toHaveLength(1);
    },
  );
});
