import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';

/** real-api-facts.md 8: PUT /v1/tpps/{tppId}/contact-information. */
export const tppContactBody = closed(
  {
    email: Type.String({
      description: 'an e-mail address',
      format: 'email-address',
      examples: ['tpp.contact.email@tpp.example.com'],
    }),
  },
  {
    title: 'TppContact',
    description: 'Where the bank reaches the TPP.',
    examples: [{ email: 'tpp.contact.email@tpp.example.com' }],
  },
);

export const tppContactAnswer = closed(
  { email: tppContactBody.properties.email },
  { title: 'TppContactAnswer', description: 'Where the bank reaches the TPP.' },
);
