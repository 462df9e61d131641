import * as Type from 'typebox';
import { choice, closed } from '../bodies/schema.ts';

/* Members of an armed fault, here and in a bundle. */

export const faultMethod = choice('the method of the calls that it takes', ['GET', 'POST', 'PUT', 'DELETE']);

export const faultPath = Type.String({
  description: 'how the path begins, in whole segments, * for any one of them',
  pattern: '^(/api-sandbox)?/v1(/|$)',
  maxLength: 500,
  examples: ['/v1/accounts/*/balances'],
});

export const faultTimes = Type.Integer({
  description: 'how many calls it takes, 1 to 1000000',
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
    description: 'A code that the next matching calls of the interface answer with.',
    expected: 'an object with code, and method, path and times where they matter',
    examples: [{ code: 'SERVICE_BLOCKED', method: 'GET', path: '/v1/accounts/*/balances', times: 2 }],
  },
);
