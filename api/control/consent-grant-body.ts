import * as Type from 'typebox';
import { testTppId } from '../signing/test-tpp.ts';
import { closed, meaning } from '../bodies/schema.ts';
import { customerNumber, grantedAccounts, psuContext } from '../bodies/values.ts';

/** `POST /sandbox/consents` (rules.md A7). */
export const consentGrantBody = closed(
  {
    tpp: Type.String({
      description: 'the id of a TPP: the organizationIdentifier of its certificate',
      format: 'well-formed',
      minLength: 1,
      maxLength: 2000,
      examples: ['PSDNO-FSA-987654321'],
    }),
    psu: meaning('The customer number of the PSU.', customerNumber),
    context: Type.Optional(psuContext),
    agreement: Type.Optional(
      Type.String({
        description: 'the agreement that the PSU chooses',
        format: 'well-formed',
        minLength: 1,
        maxLength: 255,
      }),
    ),
    accounts: Type.Optional(grantedAccounts),
  },
  {
    title: 'ConsentGrant',
    description: 'A consent that a PSU gives directly with the bank.',
    examples: [{ tpp: testTppId('docs'), psu: '13039319955' }],
  },
);
