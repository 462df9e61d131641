import * as Type from 'typebox';
import { ownAccount } from '../../bodies/account.ts';
import { closed, text } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { customerNumber, requiredName, roles } from '../../bodies/values.ts';

const engagementLimit = Type.Number({ description: 'a number of 0 or more', minimum: 0, examples: [0] });

/** interface: POST /v1/sandbox/agreements/{id}/engagements. Accepts the limits and ignores them: their meaning is not published. */
export const engagementBody = closed(
  {
    customer: customerNumber,
    account: ownAccount,
    roles,
    registerLimit: Type.Optional(engagementLimit),
    approvalLimit: Type.Optional(engagementLimit),
  },
  {
    title: 'SandboxEngagement',
    description: 'What a PSU may do with an account of a corporation.',
    examples: [{ customer: story.psu, account: { bban: story.corporateBban }, roles: ['VIEW', 'REGISTER'] }],
  },
);

/** rules.md D1b. */
const customerReference = text(
  "The corporation's customerNumber, or the customerId that POST /v1/sandbox/customers answered.",
  {
    expected: 'a customer number of 1 to 35 digits, or a customerId',
    pattern: '^(\\d{1,35}|enc!![\\w-]{42}==)$',
    examples: [story.corporation],
  },
);

/** interface: /v1/sandbox/agreements; real-api-facts.md 10. */
export const agreementBody = closed(
  {
    owner: customerReference,
    name: requiredName,
    engagements: Type.Optional(
      Type.Array(engagementBody, { description: 'a list of engagements, 200 at most', maxItems: 200 }),
    ),
  },
  {
    title: 'SandboxAgreement',
    description: 'An agreement with a corporation, under which PSUs act for it.',
    expected: 'an object with owner, name and engagements',
    examples: [{ owner: story.corporation, name: 'Wages' }],
  },
);
