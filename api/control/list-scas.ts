import * as Type from 'typebox';
import { listScas as scasOf } from '../../engine/approval/list-scas.ts';
import { choice, closed, psuContext, text } from '../bodies/schema.ts';
import { story } from '../bodies/story.ts';
import { controlEndpoint, shownAddress } from './control-endpoint.ts';
import { answeredInstant, listAnswer, orNull, paymentId, person, tpp, wireId } from './answers.ts';

const signer = closed(
  {
    ...person.properties,
    as: orNull(
      Type.Array(
        closed(
          {
            context: psuContext,
            agreement: orNull(
              closed({ id: text('its id', story.agreementId), name: text('its name', 'Corporation 1 AS') }),
              'null: PRIVATE',
            ),
          },
          { title: 'SignerContext', examples: [{ agreement: null }] },
        ),
      ),
      'the contexts in which the PSU may pay from the account; null: any of its own, as nothing is paid',
    ),
  },
  { title: 'OpenScaSigner', description: 'A PSU, and as what it may sign.' },
);

export const openSca = closed(
  {
    id: text('the id for POST /sandbox/sca/{id}', story.scaId),
    address: text('its page', `${story.address}/sca/${story.scaId}`),
    purpose: choice('what the PSU is asked for', ['payment', 'cancellation', 'basket', 'consent', 'identification']),
    tpp,
    payments: Type.Array(paymentId, { description: 'those to sign or to cancel' }),
    payees: Type.Array(orNull(text('a name', 'Company 123'), 'null: several, or a payment that names none'), {
      description: 'the payee of each payment',
    }),
    wirePayments: Type.Optional(
      Type.Array(text('an id'), { description: 'the same as a TPP reads them, if a quirk changes ids' }),
    ),
    basketId: orNull(Type.String(), 'null: it signs no basket'),
    wireBasketId: wireId,
    context: orNull(psuContext, 'the only context in which it can be approved; null: any'),
    agreement: orNull(Type.String(), 'the id of the only agreement; null: any'),
    startedAt: answeredInstant('when it was opened'),
    expiresAt: answeredInstant('when its link runs out, by the wall clock'),
    signers: orNull(Type.Array(signer), 'who may sign; null: any PSU, as the request named nobody'),
  },
  { title: 'OpenSca', description: 'Its instants are of the wall clock.' },
);

export const scaList = listAnswer('scas', 'ScaList', openSca);

/** `GET /sandbox/sca`: the SCAs that a PSU can answer now, the newest first. */
export const listScas = controlEndpoint('GET /sca', {
  summary: 'List open SCAs and who may sign',
  answer: scaList,
  handle: async (call) => {
    const own = shownAddress(call);
    return { scas: (await scasOf(call.bank)).map(({ id, ...sca }) => ({ id, address: `${own}/sca/${id}`, ...sca })) };
  },
});
