import * as Type from 'typebox';
import type { Members, RuleFault } from '../bodies/rule.ts';
import { choice, closed, type Static } from '../bodies/schema.ts';
import { grantedAccounts, psuContext } from '../bodies/values.ts';

/** `POST /sandbox/sca/{id}` (rules.md A3). The outcome approve has psu and context. */
export const scaOutcomeBody = closed(
  {
    outcome: choice('what the PSU does', ['approve', 'cancel', 'reject', 'fail', 'expire']),
    psu: Type.Optional(
      Type.String({
        description: 'the number that the PSU types, 1 to 35 characters',
        minLength: 1,
        maxLength: 35,
        examples: ['13039319955'],
      }),
    ),
    context: Type.Optional(psuContext),
    agreement: Type.Optional(
      Type.String({
        description: "the agreement that the PSU chooses in CORPORATE: its id, its name or its owner's number",
        minLength: 1,
        maxLength: 255,
      }),
    ),
    accounts: Type.Optional(grantedAccounts),
    failure: Type.Optional(
      Type.String({
        description: 'the code that the failure redirect carries',
        minLength: 1,
        maxLength: 100,
        examples: ['SCA_INVALID'],
      }),
    ),
  },
  {
    title: 'ScaOutcome',
    description: 'What the PSU does on the SCA page, in one call.',
    expected: 'an object with outcome; to approve, psu and context too',
    examples: [{ outcome: 'approve', psu: '13039319955', context: 'PRIVATE' }],
    rules: [scaOutcome],
  },
);

export type ScaOutcomeBody = Static<typeof scaOutcomeBody>;

/** rules.md A3: approve needs psu and context; agreement needs CORPORATE; failure needs the outcome fail. */
function scaOutcome(members: Members): readonly RuleFault[] {
  const { outcome, context, agreement, failure } = members;
  const named = ['psu', 'context'].filter((name) => outcome === 'approve' && members[name] === undefined);
  const faults = named.map((member) => ({
    member,
    text: `${member} is missing: an approval says who approves and as what.`,
  }));
  if (agreement !== undefined && context !== 'CORPORATE') {
    faults.push({ member: 'agreement', text: 'agreement goes with the context CORPORATE. Leave it out.' });
  }
  if (failure === undefined || outcome === 'fail') return faults;
  return [...faults, { member: 'failure', text: 'failure goes with the outcome fail. Leave it out.' }];
}
