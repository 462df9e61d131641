import * as Type from 'typebox';
import type { Refusal } from '../../engine/values/fault.ts';
import { faultResponse } from '../faults/fault-response.ts';
import type { Judgement, RequestToJudge } from '../pipeline/dry-run.ts';
import { Mismatch } from '../signing/doctor/mismatch.ts';
import { faultCode } from './answers/names.ts';
import { orNull } from './answers/forms.ts';
import { signingDifference } from './answers/refusals.ts';
import { choice, closed, integer, optional, type Static, text, titled } from '../bodies/schema.ts';
import { controlEndpoint, type ControlCall } from './control-endpoint.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { quote } from '../../engine/values/text.ts';

const headers = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: { type: 'string', description: 'the value of the header' },
  description: 'an object of header values by name',
  examples: [{ Date: 'Tue, 30 Mar 2027 08:00:00 GMT' }],
});

/** `POST /sandbox/doctor` (rules.md G12c). */
export const judgedRequestBody = titled(
  'JudgedRequest',
  'A request of the interface that is judged and not carried out.',
  {
    examples: [{ method: 'GET', target: '/v1/accounts', headers: { Date: 'Tue, 30 Mar 2027 08:00:00 GMT' } }],
  },
).closed({
  method: text('the method, in capitals', { pattern: '^[A-Z]+$', maxLength: 20, examples: ['POST'] }),
  target: text('path and query, as they are sent; of a named bank with its name in front, or without', {
    pattern: String.raw`^/\S*$`,
    maxLength: 8000,
    examples: ['/v1/accounts?withBalance=true'],
  }),
  headers,
  body: optional(text('the body as text, as it is sent in UTF-8', '{}')),
});

/** Room for a bulk payment of 8 MB and its headers, as text. */
const limit = 9 * 1024 * 1024;

const finding = 'The request is not signed: the headers Signature and TPP-Signature-Certificate are missing.';

/** The answer of `POST /sandbox/doctor`. */
export const judgement = titled('Judgement', 'What the bank would do with the request now.', {
  examples: [{ verdict: 'refused', tpp: null, status: 400, code: 'SIGNATURE_MISSING', finding, signing: null }],
}).closed({
  verdict: choice("the signature check's", ['accepted', 'refused']),
  tpp: orNull(text('the id of the TPP once the signature check has passed', 'PSDNO-FSA-987654321')),
  status: orNull(integer('the HTTP status of the refusal, or null if the request would be carried out')),
  code: orNull(faultCode),
  finding: orNull(text('why it would be refused')),
  signing: orNull(
    closed({
      expected: text('the signing string that the bank verifies'),
      received: orNull(text('the one that was signed, as far as the doctor found it')),
      difference: orNull(signingDifference),
    }),
  ),
  answer: orNull(Type.Unknown({ description: 'the refusal, as the bank would send it' })),
});

/** `POST /sandbox/doctor` judges a request as the bank would now, and does not carry it out (rules.md G12c). */
export const doctor = controlEndpoint('POST /doctor', {
  summary: 'Have a request of the interface checked without carrying it out',
  answer: judgement,
  body: judgedRequestBody,
  text: 'message/http',
  limit,
  handle: async (call) => {
    const judgement = await call.judge(call.text === null ? ofJson(call.readBody()) : parseHttpText(call.text));
    return answerOf(judgement, call);
  },
});

/** Sends a header value as Node and fetch do: one byte a character. */
function ofJson({ method, target, headers, body = '' }: Static<typeof judgedRequestBody>): RequestToJudge {
  const lines = Object.entries(headers).map(([name, value]) => {
    if (!/[^\0-\xff]/.test(value)) return `${name}: ${value}`;
    const detail =
      'The value has characters outside ISO-8859-1, which a client cannot send so. Send the request as message/http.';
    throw refusedAt(`headers.${name}`, detail);
  });
  return { method, target, lines, body: Buffer.from(body) };
}

function answerOf({ refusal, tpp }: Judgement, { bank }: ControlCall<unknown>): Static<typeof judgement> {
  const verdict = tpp === null ? 'refused' : 'accepted';
  if (refusal === null) return { verdict, tpp, status: null, code: null, finding: null, signing: null, answer: null };
  const { status, body } = faultResponse(refusal.faults, { signature401: bank.quirks.has('signature-401') });
  return { verdict, tpp, status, code: refusal.faults[0].code, ...findingOf(refusal), answer: body };
}

function findingOf(refusal: Refusal): Pick<Static<typeof judgement>, 'finding' | 'signing'> {
  if (!(refusal instanceof Mismatch)) return { finding: refusal.faults[0].text, signing: null };
  const { finding, expected, received, difference } = refusal.diagnosis;
  return { finding, signing: expected === null ? null : { expected, received, difference } };
}

/** Largest request line with its headers, in bytes: more than the bank's parser takes. */
const maxHead = 131_072;
const blankLine = /\r?\n\r?\n/;

/**
 * Reads a request from text (`message/http`, or a file): request line, header lines, a blank line, body. A line break
 * may be `\n` alone. Without a Content-Length, one line break at the end belongs to the file, not to the body. Throws a
 * Problem (400) for other texts.
 */
function parseHttpText(bytes: Uint8Array): RequestToJudge {
  // A file of an editor may begin with a byte order mark.
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const gap = blankLine.exec(text);
  // A line break at the end of a request without a body, or the first half of one, begins no new line.
  const head = (gap === null ? text : text.slice(0, gap.index)).replace(/(?:\r?\n)?\r?$/, '');
  const rest = gap === null ? '' : text.slice(gap.index + gap[0].length);
  // Refused before a text of millions of lines becomes a list.
  if (head.length > maxHead)
    throw refusedAt('body', `The lines before the body have ${head.length} bytes: a request has at most ${maxHead}.`);
  const [first = '', ...lines] = head.split(/\r?\n/);
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/\d\.\d)?$/.exec(first) ?? [];
  if (method === undefined || target === undefined) {
    throw refusedAt(
      'body',
      `The first line is ${quote(first)}. Expected method and target, such as: POST /v1/payments HTTP/1.1`,
    );
  }
  return { method, target, lines, body: Buffer.from(statedBody(lines, rest), 'latin1') };
}

function statedBody(lines: readonly string[], rest: string): string {
  const stated = lines
    .map((line) => /^content-length:[ \t]*(\d{1,9})[ \t]*$/i.exec(line)?.[1])
    .find((length) => length !== undefined);
  if (stated === undefined) return rest.replace(/\r?\n$/, '');
  const length = Number(stated);
  if (rest.length >= length) return rest.slice(0, length);
  throw refusedAt('body', `Content-Length is ${length}, and the body has ${rest.length} bytes. Send all of it.`);
}
