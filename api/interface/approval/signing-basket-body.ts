import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';
import { id, links, transactionStatus } from '../answer-parts.ts';

/** interface: signing baskets; real-api-facts.md 7. */
export const signingBasketBody = closed(
  {
    paymentIds: Type.Array(Type.String({ description: 'the id of a payment', minLength: 1, maxLength: 255 }), {
      description: 'a list of one or more payment ids, all different',
      minItems: 1,
      uniqueItems: true,
    }),
  },
  {
    title: 'SigningBasket',
    description: 'Payments that the PSU approves together.',
    examples: [{ paymentIds: ['6f1c2a4e-0b7d-4a53-9a55-0a8d3c1f2b60'] }],
  },
);

export const signingBasketAnswer = closed(
  {
    basketId: id,
    transactionStatus,
    paymentIds: Type.Array(id, { description: 'The payments of the basket.', minItems: 1 }),
    _links: links(['self'], ['startAuthorisation']),
  },
  { title: 'SigningBasketAnswer', description: 'A signing basket, with the least status of its payments.' },
);
