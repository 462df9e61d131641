import * as Type from 'typebox';
import type { Refusal } from '../../../engine/values/fault.ts';
import { faultResponse } from '../../faults/fault-response.ts';
import type { Judgement, RequestToJudge } from '../../pipeline/dry-run.ts';
import { Mismatch } from '../../signing/doctor/mismatch.ts';
import { faultCode, orNull, text } from '../answers.ts';
import { choice, closed } from '../../bodies/schema.ts';
import { signingDifference } from './signing-difference.ts';
import { controlEndpoint, type ControlCall } from '../control-endpoint.ts';
import { Problem } from '../../pipeline/problem.ts';
import { parseHttpText } from './http-text.ts';
import { judgedRequestBody } from './judged-request-body.ts';

/** A bulk payment of 8 MB and its headers, as text. */
const limit = 9 * 1024 * 1024;

const finding = 'The request is not signed: the headers Signature and TPP-Signature-Certificate are missing.';

/** The answer of `POST /sandbox/doctor`. */
export const judgement = closed(
  {
    verdict: choice("the signature check's", ['accepted', 'refused']),
    tpp: orNull(text('the id of the TPP once the signature check has passed', 'PSDNO-FSA-987654321')),
    status: orNull(Type.Integer({ description: 'the HTTP status of the refusal; null: it would be carried out' })),
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
  },
  {
    title: 'Judgement',
    description: 'What the bank would do with the request now.',
    examples: [{ verdict: 'refused', tpp: null, status: 400, code: 'SIGNATURE_MISSING', finding, signing: null }],
  },
);

/** `POST /sandbox/doctor`: judges a request as the bank would now, without carrying it out (rules.md G12). */
export const doctor = controlEndpoint({
  method: 'POST',
  path: '/doctor',
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

type JsonRequest = Readonly<{
  method: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}>;

/** A header value is sent as Node and fetch send it: one byte a character. */
function ofJson({ method, target, headers, body = '' }: JsonRequest): RequestToJudge {
  const lines = Object.entries(headers).map(([name, value]) => {
    if (!/[^\0-\xff]/.test(value)) return `${name}: ${value}`;
    const detail =
      'The value has characters outside ISO-8859-1, which a client cannot send so. Send the request as message/http.';
    throw new Problem({ status: 400, detail, errors: [{ path: `headers.${name}`, detail }] });
  });
  return { method, target, lines, body: Buffer.from(body) };
}

async function answerOf({ refusal, tpp }: Judgement, { bank }: ControlCall<unknown>): Promise<object> {
  const verdict = tpp === null ? 'refused' : 'accepted';
  if (refusal === null) return { verdict, tpp, status: null, code: null, finding: null, signing: null, answer: null };
  const { status, body } = faultResponse(refusal.faults, { signature401: bank.quirks.has('signature-401') });
  return { verdict, tpp, status, code: refusal.faults[0].code, ...(await findingOf(refusal)), answer: body };
}

async function findingOf(refusal: Refusal): Promise<object> {
  if (!(refusal instanceof Mismatch)) return { finding: refusal.faults[0].text, signing: null };
  const { finding, expected, received, difference } = await refusal.diagnosis;
  return { finding, signing: expected === null ? null : { expected, received, difference } };
}
