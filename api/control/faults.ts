import * as Type from 'typebox';
import { quote } from '../../engine/values/text.ts';
import { faultCodes, type FaultCode } from '../../engine/values/fault.ts';
import type { ArmedFault } from '../pipeline/armed-faults.ts';
import { count, faultCode, listAnswer } from './answers.ts';
import { exampleOf } from '../bodies/example.ts';
import { closed, choice } from '../bodies/schema.ts';
import { controlEndpoint, type ControlEndpoint } from './control-endpoint.ts';
import { refusedAt } from '../pipeline/problem.ts';

/* Members of an armed fault, here and in a bundle. */

export const faultMethod = choice('the method of the calls to refuse', ['GET', 'POST', 'PUT', 'DELETE']);

export const faultPath = Type.String({
  description: 'the first segments of the path; * matches any one segment',
  pattern: '^(/api-sandbox)?/v1(/|$)',
  maxLength: 500,
  examples: ['/v1/accounts/*/balances'],
});

export const faultTimes = Type.Integer({
  description: 'how many calls to refuse, 1 to 1000000',
  minimum: 1,
  maximum: 1000000,
});

/** `POST /sandbox/faults` (rules.md E6). */
export const armedFaultBody = closed(
  {
    code: Type.String({
      description: 'a code of the interface',
      minLength: 1,
      maxLength: 100,
      examples: ['SERVICE_BLOCKED'],
    }),
    method: Type.Optional(faultMethod),
    path: Type.Optional(faultPath),
    times: Type.Optional(faultTimes),
  },
  {
    title: 'ArmedFault',
    description: 'The next matching calls of the interface are refused with this code.',
    expected: 'an object with code, and perhaps method, path and times',
    examples: [{ code: 'SERVICE_BLOCKED', method: 'GET', path: '/v1/accounts/*/balances', times: 2 }],
  },
);

const path = '/faults';

const armed = closed(
  {
    id: Type.Integer({ description: 'the number of the fault, in the order of arming', minimum: 1 }),
    code: faultCode,
    method: armedFaultBody.properties.method,
    path: armedFaultBody.properties.path,
    times: Type.Integer({ description: 'how many calls it refuses', minimum: 1 }),
    remaining: count('how many calls it will still refuse'),
  },
  {
    title: 'Armed',
    description: 'An armed fault.',
    examples: [{ ...Object(exampleOf(armedFaultBody)), remaining: 2 }],
  },
);

/** `/sandbox/faults`: makes the next matching calls of the interface answer with a code (rules.md E6). DELETE disarms all. */
export const faults: readonly ControlEndpoint[] = [
  controlEndpoint({
    method: 'POST',
    path,
    summary: 'Make the next matching calls of the interface answer with a code',
    answer: armed,
    refusals: { 429: 'A hundred faults are armed.' },
    body: armedFaultBody,
    handle: (call) => {
      const { code, method = null, path: where = null, times = 1 } = call.readBody();
      const order = { code: codeNamed(code, 'code'), method, path: where, times };
      return Promise.resolve(formatFault(call.faults.arm(order)));
    },
  }),
  {
    method: 'GET',
    path,
    summary: 'List the armed faults',
    answer: listAnswer('faults', 'ArmedFaults', armed),
    handle: (call) => Promise.resolve({ faults: call.faults.list().map(formatFault) }),
  },
  {
    method: 'DELETE',
    path,
    summary: 'Disarm all faults',
    answer: closed({ disarmed: count('how many were armed') }, { title: 'Disarmed' }),
    handle: (call) => Promise.resolve({ disarmed: call.faults.disarm() }),
  },
];

/** The code of this name. Problem 400, for `path`, if the interface has no such code. */
export function codeNamed(text: string, path: string): FaultCode {
  const code = faultCodes.find((known) => known === text);
  if (code === undefined) throw refusedAt(path, `There is no code ${quote(text)}.`, faultCodes);
  return code;
}

/** Leaves out a method or path that matches everything, as the request does. */
function formatFault({ id, code, method, path: where, times, remaining }: ArmedFault): object {
  return { id, code, ...(method !== null && { method }), ...(where !== null && { path: where }), times, remaining };
}
