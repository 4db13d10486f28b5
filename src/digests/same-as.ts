import { createHash } from 'node:crypto';
import type { ReportRequest } from '../requests/request.js';

/**
 * Equal for runs that one question can answer, as far as a digest alone says. What belongs to rights is told apart
 * where they are known.
 */
export function sameAs(request: ReportRequest, zone: string, dueAt: number): string {
  const { toMe: _toMe, ...asked } = request;
  return createHash('sha256')
    .update(JSON.stringify([asked, zone, dueAt]))
    .digest('base64url')
    .slice(0, 22);
}
