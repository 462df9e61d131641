import * as Type from 'typebox';
import { ownAccount } from '../../bodies/account.ts';
import { closed } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { customerNumber, roles } from '../../bodies/values.ts';

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
