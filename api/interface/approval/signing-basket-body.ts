import * as Type from 'typebox';
import { closed, text } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { idLike, links, paymentId, transactionStatus } from '../answer-parts.ts';

const basketId = 'enc!!OrEy318bRGBwcd5F40-mze7FkAx34i81Z6y8UTbnbQ==';

/** interface: signing baskets; real-api-facts.md 7. */
export const signingBasketBody = closed(
  {
    paymentIds: Type.Array(text('the id of a payment', { minLength: 1, maxLength: 255 }), {
      description: 'a list of one or more payment ids, all different',
      minItems: 1,
      uniqueItems: true,
    }),
  },
  {
    title: 'SigningBasket',
    description: 'Payments that the PSU approves together.',
    examples: [{ paymentIds: [story.paymentId] }],
  },
);

export const signingBasketAnswer = closed(
  {
    basketId: idLike(basketId),
    transactionStatus,
    paymentIds: Type.Array(paymentId, { description: 'The payments of the basket.', minItems: 1 }),
    _links: links(`/v1/signing-baskets/${basketId}`, ['self'], ['startAuthorisation']),
  },
  { title: 'SigningBasketAnswer', description: 'A signing basket, with the least status of its payments.' },
);
