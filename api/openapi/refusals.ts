import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import { faultGuide } from '../faults/errors-page.ts';
import { statusesOf } from '../faults/fault-response.ts';
import { refusalAnswer } from '../interface/answer-parts.ts';
import type { DocumentedAnswer } from './document.ts';

/** The beginning of the names of refusal components; the status follows. */
export const refusalName = 'Refusal';

/** Codes that a refusal may have, by its HTTP status, from the table that the bank answers by. */
function codesByStatus(): ReadonlyMap<number, readonly FaultCode[]> {
  const pairs = faultCodes.flatMap((code) => {
    // The quirk signature-401 gives the status of the interface's table (rules.md G2).
    const quirky = code.startsWith('SIGNATURE_') ? [401] : [];
    const statuses = [...statusesOf(code).map(({ status }) => status), ...quirky];
    return [...new Set(statuses)].map((status) => ({ code, status }));
  });
  const byStatus = Map.groupBy(pairs, ({ status }) => status);
  return new Map(
    [...byStatus]
      .toSorted(([left], [right]) => left - right)
      .map(([status, rows]) => [status, rows.map(({ code }) => code)]),
  );
}

/** Refusals by status: the same for all operations, as each code can be provoked for each of them (rules.md E6). */
export function refusals(): Readonly<Record<number, DocumentedAnswer>> {
  return Object.fromEntries(
    [...codesByStatus()].map(([status, codes]) => {
      const name = `${refusalName}${status}`;
      const [first = 'SYSTEM_ERROR'] = codes;
      const answer: DocumentedAnswer = {
        name,
        description: codes.map((code) => `\`${code}\`: ${faultGuide[code].when}`).join('\n\n'),
        content: {
          schema: refusalAnswer(name, codes, status === 401),
          examples: { [first]: { summary: first, value: refusalExample(first) } },
        },
        ...((status === 429 || status === 503) && { headers: retryAfter }),
      };
      return [status, answer];
    }),
  );
}

/** A refusal with this code, in the words of the table of faults. */
export function refusalExample(code: FaultCode): object {
  const { when, remedy } = faultGuide[code];
  return { tppMessages: [{ category: 'ERROR', code, text: `${when} ${remedy}`.slice(0, 512) }] };
}

const retryAfter = { 'Retry-After': { description: 'When to send it again, in seconds.', example: '1' } };
