import { type Field, fieldOf, type ReportName, reportNamed } from '../../src/catalogue/index.js';
import type { AnswerKind } from '../answers/answer-bytes.js';
import { completionRecord, engagementRecord } from '../answers/records.js';

/** The report of each kind of answer. */
export function reportOf(kind: AnswerKind): ReportName {
  return isEngagement(kind) ? 'engagement' : 'completions';
}

function isEngagement(kind: AnswerKind): boolean {
  return kind === 'engagement' || kind === 'repeated';
}

/** All of its fields, in the order of its records. */
export function columnsOf(kind: AnswerKind): readonly Field[] {
  const report = reportNamed(reportOf(kind));
  const flags = Object.keys(isEngagement(kind) ? engagementRecord(0) : completionRecord(0));
  return flags.map((flag) => {
    const field = fieldOf(report, flag);
    if (!field) throw new Error(`${report.name} has no field ${flag}`);
    return field;
  });
}
