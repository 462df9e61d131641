import * as Type from 'typebox';
import { closed, meaning } from '../../bodies/schema.ts';
import { customerNumber, requiredName } from '../../bodies/values.ts';
import { engagementBody } from './engagement-body.ts';

/** interface: /v1/sandbox/agreements; real-api-facts.md 10. */
export const agreementBody = closed(
  {
    owner: meaning("The corporation's customerNumber.", customerNumber),
    name: requiredName,
    engagements: Type.Optional(
      Type.Array(engagementBody, { description: 'a list of engagements, 200 at most', maxItems: 200 }),
    ),
  },
  {
    title: 'SandboxAgreement',
    description: 'An agreement with a corporation, under which PSUs act for it.',
    expected: 'an object with owner, name and engagements',
    examples: [{ owner: '88888888', name: 'Testfirma 1' }],
  },
);
