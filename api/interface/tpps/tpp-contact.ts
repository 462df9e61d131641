import { readTppContact, saveTppContact } from '../../../engine/tpps/tpps.ts';
import { text, titled } from '../../bodies/schema.ts';
import { endpoint } from '../../pipeline/endpoint.ts';

/** real-api-facts.md 8: PUT /v1/tpps/{tppId}/contact-information. */
export const tppContactBody = titled('TppContact', 'Where the bank reaches the TPP.', {
  examples: [{ email: 'tpp.contact.email@tpp.example.com' }],
}).closed({
  email: text('an e-mail address', { format: 'email-address', examples: ['tpp.contact.email@tpp.example.com'] }),
});

const tppContactAnswer = titled('TppContactAnswer', 'Where the bank reaches the TPP.').closed({
  email: tppContactBody.properties.email,
});

const common = {
  role: null,
  names: 'path',
  answers: { 200: tppContactAnswer },
} as const;

/** real-api-facts.md 8: /v1/tpps/{tppId}/contact-information. Concerns no PSU, so no PSU headers are required. */
export const tppContact = [
  endpoint('PUT /tpps/:tppId/contact-information', {
    ...common,
    summary: 'Set the contact address of the TPP',
    body: tppContactBody,
    handle: async ({ bank, tpp, params, body: { email } }) => {
      await saveTppContact(bank, tpp.id, params.tppId, email);
      return { status: 200, body: { email } };
    },
  }),
  endpoint('GET /tpps/:tppId/contact-information', {
    ...common,
    summary: 'Read the contact address of the TPP',
    handle: async ({ bank, tpp, params }) => {
      return { status: 200, body: { email: await readTppContact(bank, tpp.id, params.tppId) } };
    },
  }),
];
