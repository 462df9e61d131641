import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';

const headers = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: { type: 'string', description: 'the value of the header' },
  description: 'an object of header values by name',
  examples: [{ Date: 'Tue, 30 Mar 2027 08:00:00 GMT' }],
});

/** `POST /sandbox/doctor` (rules.md G12). */
export const judgedRequestBody = closed(
  {
    method: Type.String({
      description: 'the method, in capitals',
      pattern: '^[A-Z]+$',
      maxLength: 20,
      examples: ['POST'],
    }),
    target: Type.String({
      description: 'path and query, as they are sent',
      pattern: String.raw`^/\S*$`,
      maxLength: 8000,
      examples: ['/v1/accounts?withBalance=true'],
    }),
    headers,
    body: Type.Optional(Type.String({ description: 'the body as text, as it is sent in UTF-8', examples: ['{}'] })),
  },
  {
    title: 'JudgedRequest',
    description: 'A request of the interface that is judged and not carried out.',
    examples: [{ method: 'GET', target: '/v1/accounts', headers: { Date: 'Tue, 30 Mar 2027 08:00:00 GMT' } }],
  },
);
