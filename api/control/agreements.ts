import * as Type from 'typebox';
import { inspectAgreements, type InspectedAgreement } from '../../engine/sandbox-data/agreements.ts';
import { rolesOf } from '../../engine/parties/customers-and-agreements.ts';
import { closed, customerType, roles, text } from '../bodies/schema.ts';
import { story } from '../bodies/story.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { accountNumber, listAnswer, person } from './answers.ts';
import type { AnswerValue } from '../bodies/written.ts';

const engagement = closed(
  {
    psu: person,
    account: closed({ number: accountNumber, name: text('its name', 'Totalkonto') }, { title: 'NamedAccount' }),
    roles,
  },
  { title: 'Engagement', description: 'What a PSU may do with an account under the agreement.' },
);

const agreement = closed(
  {
    id: text('what a TPP sends in PSU-Corporate-ID', story.agreementId),
    name: text('the name of the agreement', 'Test Testperson 3'),
    owner: closed({ ...person.properties, type: customerType }, { title: 'Owner' }),
    engagements: Type.Array(engagement),
  },
  { title: 'Agreement', examples: [{ engagements: [] }] },
);

export const agreementList = listAnswer('agreements', 'AgreementList', agreement);

/** `GET /sandbox/agreements`: all agreements, the oldest first, those of private customers included. */
export const listAgreements = controlEndpoint('GET /agreements', {
  summary: 'List agreements and who may do what under them',
  answer: agreementList,
  handle: async ({ bank }) => ({ agreements: (await inspectAgreements(bank)).map(formatAgreement) }),
});

function formatAgreement({ agreement: own, engagements }: InspectedAgreement): AnswerValue<typeof agreement> {
  return {
    id: own.resource_id,
    name: own.name,
    owner: { number: own.owner_number, name: own.owner_name, type: own.owner_type },
    engagements: engagements.map((engaged) => ({
      psu: { number: engaged.psu_number, name: engaged.psu_name },
      account: { number: engaged.bban ?? engaged.iban ?? engaged.account_name, name: engaged.account_name },
      roles: rolesOf(engaged),
    })),
  };
}
