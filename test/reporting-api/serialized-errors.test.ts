import { describe, expect, it } from 'vitest';
import { Failure, isFailure } from '../../src/errors/failure.js';
import { deserializeError, serializeError } from '../../src/reporting-api/answer-reader.js';

/** What arrives on the other side. */
const across = (error: unknown) => deserializeError(structuredClone(serializeError(error)));

describe('an error that is sent to another thread', () => {
  it.each([
    new Failure('service-timed-out', { idleTimeoutMs: 5000, afterFirstByte: true }),
    new Failure('query-refused', { status: 422, serviceMessage: 'departments: unknown' }),
    new Failure('answer-not-an-array'),
    new Failure('file-not-written', { reason: 'ENOSPC', cause: new Error('cause') }),
  ])('keeps its code and details: $code', (error) => {
    const arrived = across(error);
    expect(arrived).toBeInstanceOf(Failure);
    expect(arrived.message).toBe(error.message);
    expect(arrived).toMatchObject({ code: error.code, details: error.details });
    expect(arrived.stack).toContain('serialized-errors.test');
  });

  it('keeps fields hidden from loggers', () => {
    const arrived = across(
      new Failure('query-refused', { status: 422, serviceMessage: 'departments: unknown' }),
    );
    expect(isFailure(arrived, 'query-refused') && arrived.details.serviceMessage).toBe(
      'departments: unknown',
    );
    expect(JSON.stringify(arrived)).not.toContain('departments');
  });

  it('loses the message of an unknown error, which may quote a row', () => {
    let unknown: unknown;
    try {
      JSON.parse('[{"email": ada@example.com}]');
    } catch (error) {
      unknown = error;
    }
    const arrived = across(unknown);
    expect(arrived.name).toBe('SyntaxError');
    expect(`${arrived.message} ${arrived.stack}`).not.toContain('ada');
    expect(arrived.stack).toContain('serialized-errors.test');
    expect(across('thrown text').message).not.toContain('thrown text');
  });
});
