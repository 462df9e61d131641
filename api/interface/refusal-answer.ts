import * as Type from 'typebox';
import type { FaultCode } from '../../engine/values/fault.ts';
import { closed } from '../bodies/schema.ts';
import { links, tppMessage } from './answer-parts.ts';

/** Schema of a refusal whose messages have these codes. `name` tells it apart from refusals of other statuses. */
export function refusalAnswer(name: string, codes: readonly FaultCode[], offersSca: boolean) {
  return closed(
    {
      tppMessages: Type.Array(tppMessage(`${name}Message`, ['ERROR'], codes), {
        description: 'What is wrong; the first message gives the status.',
        minItems: 1,
        maxItems: 20,
      }),
      ...(offersSca && { _links: Type.Optional(links('', ['scaRedirect'])) }),
    },
    { title: name, description: 'Why the bank refused the request.' },
  );
}
