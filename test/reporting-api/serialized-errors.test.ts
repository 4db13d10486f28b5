import { describe, expect, it } from 'vitest';
import { deserializeError, serializeError } from '../../src/reporting-api/answer-reader.js';
import * as errors from '../../src/reporting-api/errors.js';
import {
  AnswerCutShort,
  FileNotWritten,
  QueryRefused,
  ServiceTimedOut,
} from '../../src/reporting-api/errors.js';

/** What arrives on the other side. */
const across = (error: unknown) => deserializeError(structuredClone(serializeError(error)));

describe('an error that is sent to another thread', () => {
  it.each([
    new ServiceTimedOut(5000, true),
    new QueryRefused(422, 'departments: unknown'),
    new AnswerCutShort(12),
    new FileNotWritten('ENOSPC', new Error('cause')),
  ])('keeps its class and fields: $name', (error) => {
    const arrived = across(error);
    expect(arrived).toBeInstanceOf(error.constructor);
    expect(arrived.message).toBe(error.message);
    expect({ ...arrived }).toEqual({ ...error });
  });

  it('keeps fields hidden from loggers', () => {
    const arrived = across(new QueryRefused(422, 'departments: unknown'));
    expect(arrived instanceof QueryRefused && arrived.serviceMessage).toBe('departments: unknown');
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

  it('has a class for each known error', () => {
    for (const known of Object.values(errors)) {
      const plain = { name: known.name, message: '', stack: '', fields: [] };
      expect(deserializeError(plain)).toBeInstanceOf(known);
    }
  });
});
