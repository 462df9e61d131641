import * as Type from 'typebox';
import { listScas as scasOf } from '../../engine/approval/list-scas.ts';
import { choice, closed, flag, listOf, optional, shortText, type Static, text, titled } from '../bodies/schema.ts';
import { grantedAccounts, psuContext } from '../bodies/values.ts';
import { story } from '../bodies/examples.ts';
import { controlEndpoint, shownAddress } from './control-endpoint.ts';
import { answeredInstant, listAnswer, orNull } from './answers/forms.ts';
import { paymentId, person, tpp, wireId } from './answers/names.ts';
import { assert } from '../../engine/values/assert.ts';
import { finishSca, type ScaAnswer } from '../../engine/approval/finish-sca.ts';
import { requireState } from '../sca/sca-pages.ts';
import { redirectAddress } from '../interface/redirect-address.ts';
import { codeNamed } from './faults.ts';
import type { Members, RuleFault } from '../bodies/rule.ts';

const signer = titled('OpenScaSigner', 'A PSU, and as what it may sign.').closed({
  ...person.properties,
  as: orNull(
    listOf(
      titled('SignerContext', { examples: [{ agreement: null }] }).closed({
        context: psuContext,
        agreement: orNull(
          closed({ id: text('its id', story.agreementId), name: text('its name', 'Corporation 1 AS') }),
          'null for PRIVATE',
        ),
      }),
    ),
    'the contexts in which the PSU may pay from the account; null if nothing is paid: then any of its own',
  ),
});

const openSca = titled('OpenSca', 'Its instants are of the wall clock; with --follow-clock, of the bank clock.').closed(
  {
    id: text('the id for POST /sandbox/sca/{id}', story.scaId),
    address: text('its page', `${story.address}/sca/${story.scaId}`),
    purpose: choice('what the PSU is asked for', ['payment', 'cancellation', 'basket', 'consent', 'identification']),
    tpp,
    payments: listOf(paymentId, 'those to sign or to cancel'),
    payees: listOf(
      orNull(text('a name', 'Company 123'), 'null for several payees, and for a payment that names none'),
      'the payee of each payment',
    ),
    wirePayments: optional(listOf(text('an id'), 'the same as a TPP reads them, if a quirk changes ids')),
    basketId: orNull(Type.String(), 'null if it signs no basket'),
    wireBasketId: wireId,
    context: orNull(psuContext, 'the only context in which it can be approved, or null for any'),
    agreement: orNull(Type.String(), 'the id of the only agreement, or null for any'),
    startedAt: answeredInstant('when it was opened'),
    expiresAt: answeredInstant('when its link runs out, by the same clock'),
    signers: orNull(listOf(signer), 'who may sign, or null for any PSU, because the request named nobody'),
    heldByBasket: optional(
      flag('true if an open signing basket holds its payment, which is signed with the basket alone, else left out'),
    ),
  },
);

/** `GET /sandbox/sca`: the SCAs that a PSU can answer now, the newest first. */
export const listScas = controlEndpoint('GET /sca', {
  summary: 'List open SCAs and who may sign',
  answer: listAnswer('scas', 'ScaList', openSca),
  handle: async (call) => {
    const own = shownAddress(call);
    return {
      scas: (await scasOf(call.bank)).map(({ id, isHeldByBasket: isHeld, ...sca }) => {
        return { id, address: `${own}/sca/${id}`, ...sca, ...(isHeld && { heldByBasket: true as const }) };
      }),
    };
  },
});

/** `POST /sandbox/sca/{id}` (rules.md A3). The outcome approve has psu and context. */
export const scaOutcomeBody = titled('ScaOutcome', 'What the PSU does on the SCA page, in one call.', {
  expected: 'an object with outcome; to approve, psu and context too',
  examples: [{ outcome: 'approve', psu: '13039319955', context: 'PRIVATE' }],
  rules: [scaOutcome],
}).closed({
  outcome: choice('what the PSU does', ['approve', 'cancel', 'reject', 'fail', 'expire']),
  psu: optional(shortText('the number that the PSU types, 1 to 35 characters', 35, '13039319955')),
  context: optional(psuContext),
  agreement: optional(
    shortText("the agreement that the PSU chooses in CORPORATE: its id, its name or its owner's number", 255),
  ),
  accounts: optional(grantedAccounts),
  failure: optional(shortText('the code that the failure redirect carries', 100, 'SCA_INVALID')),
});

type ScaOutcomeBody = Static<typeof scaOutcomeBody>;

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

const scaFinished = titled('ScaFinished', 'The way back to the TPP.').closed({
  redirect: text('where the browser of the PSU goes next', 'https://tpp.example/callback?state=abc&psu-id=...'),
});

/** `POST /sandbox/sca/{id}`: the SCA in one call (rules.md A3). Answers with the redirect address. */
export const finishScaInOneCall = controlEndpoint('POST /sca/:scaId', {
  summary: 'Answer an SCA as the PSU does on the page',
  answer: scaFinished,
  // The address of an SCA page may contain them (A10, A2g).
  query: {
    method: optional(text('a preferred SCA method, which is ignored here')),
    state: optional(
      text('the state of the address, or none, which a bank with sca-query refuses. Left out: it is not compared'),
    ),
  },
  body: scaOutcomeBody,
  handle: async (call) => {
    const answer = answerOf(call.readBody());
    const state = call.query.get('state');
    if (state !== undefined) requireState(call.bank, call.params.scaId, state);
    const result = await finishSca(call.bank, call.params.scaId, answer);
    return { redirect: redirectAddress(result) };
  },
});

function answerOf({ outcome, psu, context, agreement, accounts, failure }: ScaOutcomeBody): ScaAnswer {
  if (outcome === 'cancel' || outcome === 'reject' || outcome === 'expire') return { outcome };
  if (outcome === 'fail')
    return {
      outcome,
      fault: { code: codeNamed(failure ?? 'SCA_INVALID', 'failure'), text: 'The authorisation failed.' },
    };
  assert(psu !== undefined && context !== undefined, 'the schema asks for both when the PSU approves');
  return { outcome, psu, context, agreement: agreement ?? null, accounts: accounts ?? null };
}
