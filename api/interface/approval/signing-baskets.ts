import type { AnswerValue } from '../../bodies/written.ts';
import { authoriseSigningBasketIn } from '../../../engine/approval/start-sca.ts';
import { type BasketView, createSigningBasketIn, readSigningBasket } from '../../../engine/approval/signing-baskets.ts';
import { resourceId, links, paymentId, startedScaAnswer, transactionStatus } from '../answer-parts.ts';
import { listOf, shortText, titled } from '../../bodies/schema.ts';
import { answerOnce, endpoint, link } from '../../pipeline/endpoint.ts';
import { startedSca, startOnce } from '../sca/offered-scas.ts';
import { psuOf, returnTo } from '../../pipeline/request-headers.ts';
import { basketStatus } from '../../../engine/approval/rules/basket.ts';
import { awaitsSignature } from '../../../engine/values/transaction-status.ts';
import { visibleStatus } from '../payments/payment-answers.ts';
import { longestId } from '../../../engine/bank/rules/quirk.ts';
import { story } from '../../bodies/examples.ts';

const { basketId } = story;

/** interface: signing baskets; real-api-facts.md 7. */
export const signingBasketBody = titled('SigningBasket', 'Payments that the PSU approves together.', {
  examples: [{ paymentIds: [story.paymentId] }],
}).closed({
  paymentIds: listOf(shortText('the id of a payment', longestId), 'a list of one or more payment ids, all different', {
    minItems: 1,
    uniqueItems: true,
  }),
});

const signingBasketAnswer = titled(
  'SigningBasketAnswer',
  'A signing basket, with the least status of its payments.',
).closed({
  basketId: resourceId(basketId),
  transactionStatus,
  paymentIds: listOf(paymentId, 'The payments of the basket.', { minItems: 1 }),
  _links: links(`/v1/signing-baskets/${basketId}`, ['self'], ['startAuthorisation']),
});

const common = { role: 'PSP_PI' } as const;

/** interface: signing baskets; real-api-facts.md 7. No DELETE: a basket cannot be deleted. */
export const signingBaskets = [
  endpoint('POST /signing-baskets', {
    ...common,
    summary: 'Put payments into a signing basket',
    answers: { 201: signingBasketAnswer },
    requires: ['tpp-redirect-uri'],
    withPsu: true,
    body: signingBasketBody,
    faultPaths: {
      REFERENCE_MIX_INVALID: 'paymentIds[1]',
      REFERENCE_STATUS_INVALID: 'paymentIds[0]',
      RESOURCE_BLOCKED: 'paymentIds[0]',
      RESOURCE_UNKNOWN: 'paymentIds[0]',
    },
    handle: async (call) => {
      const { tpp, headers, body } = call;
      const command = { tpp, psu: psuOf(headers), returnTo: returnTo(headers), paymentIds: body.paymentIds };
      const made = await answerOnce(call, async (writing) => {
        const view = await createSigningBasketIn(writing, command);
        return { about: { basketId: view.basket.id }, body: signingBasket(view) };
      });
      return { status: 201, body: made };
    },
  }),
  endpoint('GET /signing-baskets/:basketId', {
    ...common,
    summary: 'Read a signing basket',
    answers: { 200: signingBasketAnswer },
    names: 'path',
    handle: async ({ bank, tpp, headers, params }) => {
      const query = { tppId: tpp.id, psu: psuOf(headers), basketId: params.basketId };
      return { status: 200, body: signingBasket(await readSigningBasket(bank, query)) };
    },
  }),
  endpoint('POST /signing-baskets/:basketId/authorisations', {
    ...common,
    summary: 'Start the SCA that signs all payments of a basket',
    withPsu: true,
    answers: { 201: startedScaAnswer },
    names: 'path',
    handle: async (call) => {
      const { tpp, headers, params } = call;
      const { redirectUri, sessionId } = headers;
      const command = { tpp, psu: psuOf(headers), basketId: params.basketId, redirectUri, sessionId };
      const body = await startOnce(call, startedSca, (writing) => authoriseSigningBasketIn(writing, command));
      return { status: 201, body };
    },
  }),
];

/** real-api-facts.md 7. Has the `startAuthorisation` link while the basket can be signed. */
function signingBasket({ basket, payments }: BasketView): AnswerValue<typeof signingBasketAnswer> {
  const self = `/v1/signing-baskets/${basket.resource_id}`;
  const isOpen = basket.signed_at === null && payments.some(({ status }) => awaitsSignature(status));
  return {
    basketId: basket.resource_id,
    transactionStatus: basketStatus(payments.map(visibleStatus)),
    paymentIds: payments.map((payment) => payment.resource_id),
    _links: {
      self: link(self, 'GET'),
      ...(isOpen && { startAuthorisation: link(`${self}/authorisations`, 'POST') }),
    },
  };
}
