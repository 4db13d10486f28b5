import type { QuestionCalls } from '../../assistants/shared-questions.js';
import type { RecordKey } from '../access/event-chain.js';
import { addRow, changeRows, deleteRows, is, rowsOf } from '../database/rows.js';
import type { Db } from '../database/schema.js';

/**
 * Questions of assistants that run somewhere, and how the other processes call for their answers. They are found by a keyed
 * hash, so nobody can tell who asks what. A reply is there for seconds.
 */
export function longQuestionsIn(db: Db, process: string, now: () => number, key: RecordKey): QuestionCalls {
  return {
    idOf: (who) => key.hash('question', who),

    async open(question) {
      await addRow(db, 'long_questions', { question, process, opened_at: now() });
    },

    async close(question, of = process) {
      await deleteRows(db, 'long_questions', { question, process: of });
    },

    async call(question, call) {
      const elsewhere = { question, process: is('!=', process) };
      await changeRows(db, 'long_questions', elsewhere, { call_id: call, reply: null });
      const found = rowsOf(db, 'long_questions', elsewhere).select('process');
      return (await found.executeTakeFirst())?.process;
    },

    async find(question, of) {
      const found = rowsOf(db, 'long_questions', { question, process: of }).select('reply');
      const row = await found.executeTakeFirst();
      return row && { reply: row.reply ?? undefined };
    },

    async hangUp(question, call) {
      await changeRows(db, 'long_questions', { question, call_id: call }, { call_id: null });
    },

    async calls() {
      const own = rowsOf(db, 'long_questions', { process }).select(['question', 'call_id']);
      return new Map((await own.execute()).map((row) => [row.question, row.call_id ?? undefined]));
    },

    async reply(question, call, reply) {
      await changeRows(db, 'long_questions', { question, process, call_id: call }, { call_id: null, reply });
    },
  };
}
