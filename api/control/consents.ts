import {
  grantConsentDirectly,
  type ConsentView,
  listConsents,
  revokeConsent,
  accessIdOf,
} from '../../engine/consents/consents.ts';
import { accountNumbers } from '../interface/accounts/accounts.ts';
import { answeredInstant, listAnswer, noon, orNull } from './answers/forms.ts';
import { wireId } from './answers/names.ts';
import { withExample, story } from '../bodies/examples.ts';
import { numberMembers, ownNumbers } from '../interface/answer-parts.ts';
import { closed, listOf, meaning, optional, text, titled } from '../bodies/schema.ts';
import { customerNumber, date, grantedAccounts, maskedPan, psuContext } from '../bodies/values.ts';
import { controlEndpoint, shownAddress } from './control-endpoint.ts';
import { listTpps } from '../../engine/tpps/tpps.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { accessDays } from '../../engine/parties/rules/access.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { addDays } from '../../engine/values/local-date.ts';
import { quote } from '../../engine/values/text.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { testTppId, testTppName } from '../signing/test-tpp.ts';
import type { AnswerValue } from '../bodies/written.ts';

/** `POST /sandbox/consents` (rules.md A7). */
export const consentGrantBody = titled('ConsentGrant', 'A consent that a PSU gives directly with the bank.', {
  examples: [{ tpp: testTppId('docs'), psu: '13039319955' }],
}).closed({
  tpp: text('the authorisation number of a TPP, or the name of a TPP of the unsigned door, such as wish', {
    format: 'well-formed',
    minLength: 1,
    maxLength: 2000,
    examples: ['PSDNO-FSA-987654321'],
  }),
  psu: meaning('The customer number of the PSU.', customerNumber),
  context: optional(psuContext),
  agreement: optional(
    text('the agreement that the PSU chooses', { format: 'well-formed', minLength: 1, maxLength: 255 }),
  ),
  accounts: optional(grantedAccounts),
});

export const consent = titled('Consent', 'What a PSU lets a TPP read.', { examples: [{ endedAt: null }] }).closed({
  consentId: text('the id of the consent', '7'),
  tpp: text('the id of the TPP', 'PSDNO-FSA-987654321'),
  tppName: orNull(
    text('its name in the certificate of its latest SCA', 'Test TPP, AS'),
    'null if it began none, as when the PSU granted the consent directly with the bank',
  ),
  psu: closed({ number: customerNumber, name: text('the name of the PSU', 'Test Testperson 3') }),
  psuId: text("the TPP's PSU-ID of the PSU", story.psuId),
  context: psuContext,
  corporateId: optional(text("the TPP's PSU-Corporate-ID, in the context CORPORATE")),
  agreement: orNull(text('the name of the agreement that the PSU chose', 'Test Testperson 3')),
  accounts: listOf(
    closed(
      { id: text('its id', story.accountId), wireId, ...numberMembers, name: text('its name', 'Totalkonto') },
      { examples: [ownNumbers] },
    ),
    'the granted accounts that are open',
  ),
  cardAccounts: listOf(
    closed({ id: text('its id', story.cardId), wireId, maskedPan, name: text('its name', 'Kredittkort') }),
    'the granted cards',
  ),
  grantedAt: answeredInstant('when it was granted'),
  endedAt: orNull(answeredInstant('when it ended; null while it holds')),
  lastScaAt: answeredInstant('when the PSU last authenticated for it'),
  lapsesOn: meaning('The day on which it lapses without another SCA.', date),
  lastUsed: orNull(date, 'the bank day of the last answered read; null: it was not used'),
});

/** `/sandbox/consents`: a PSU grants and revokes consents directly with the bank (rules.md A7). */
export const consents = [
  controlEndpoint('GET /consents', {
    summary: 'List the consents of all TPPs and PSUs',
    answer: listAnswer('consents', 'Consents', consent),
    handle: async ({ bank }) => ({ consents: (await listConsents(bank)).map((view) => formatConsent(bank, view)) }),
  }),
  controlEndpoint('POST /consents', {
    summary: 'Grant a consent as the PSU does directly with the bank',
    answer: consent,
    refusals: { 404: 'There is no such PSU or account.' },
    body: consentGrantBody,
    handle: async (call) => {
      const { tpp, psu, context = 'PRIVATE', agreement = null, accounts = null } = call.readBody();
      const tppId = await tppIdOf(call.bank, tpp);
      return formatConsent(
        call.bank,
        await grantConsentDirectly(call.bank, { tppId, psu, context, agreement, accounts }),
      );
    },
  }),
  controlEndpoint('GET /access/:number', {
    summary: 'The page on which a PSU sees who has access to its accounts',
    answer: titled('AccessPage').closed({
      address: text('the page of access', `${story.address}/sca/access/7.m3wLhTjTkG7sGqVh1d2kq3PBqlhYzW8O8mAqkq4i2Nw`),
    }),
    refusals: { 404: 'There is no such PSU.' },
    handle: async (call) => {
      const id = await accessIdOf(call.bank, call.params.number);
      if (id === null) throw new Refusal({ code: 'NOT_FOUND', text: 'The bank has no such PSU.' });
      return { address: `${shownAddress(call)}/sca/access/${id}` };
    },
  }),
  controlEndpoint('DELETE /consents/:consentId', {
    summary: 'Revoke a consent as the PSU does directly with the bank',
    answer: withExample(consent, { endedAt: noon }),
    handle: async ({ bank, params }) => formatConsent(bank, await revokeConsent(bank, params.consentId)),
  }),
] as const;

/** `PSDNO-FSA-987654321`: the country, its authority and the number there. */
const authorisationNumber = /^PSD[A-Z]{2}-[A-Z]{2,8}-./;

/**
 * The id of the TPP that a text names (rules.md G6b). Throws a Problem with the TPPs that the bank knows if it names
 * none.
 */
async function tppIdOf(bank: Bank, named: string): Promise<string> {
  if (authorisationNumber.test(named)) return named;
  if (testTppName.test(named) && !/^PSD[A-Z]{2}-/.test(named)) return testTppId(named);
  const known = await listTpps(bank);
  if (known.includes(named)) return named;
  const there = known.length === 0 ? 'The bank knows no TPP yet.' : 'allowed lists the TPPs that the bank knows.';
  const detail =
    `${quote(named, 100)} is no TPP. Send an authorisation number, such as PSDNO-FSA-987654321, or the name of a TPP of the ` +
    `unsigned door: 1 to 60 letters, digits and hyphens. ${there}`;
  throw refusedAt('tpp', detail, known, 'FORMAT_ERROR');
}

/** `psuId` is the TPP's PSU-ID, `corporateId` its PSU-Corporate-ID. */
function formatConsent(
  { quirks }: Pick<Bank, 'quirks'>,
  { consent: own, accounts, cards }: ConsentView,
): AnswerValue<typeof consent> {
  const isCorporate = own.owner_type === 'corporate';
  return {
    consentId: String(own.id),
    tpp: own.tpp_id,
    tppName: own.tpp_name,
    psu: { number: own.customer_number, name: own.customer_name },
    psuId: own.psu_id,
    context: isCorporate ? 'CORPORATE' : 'PRIVATE',
    corporateId: isCorporate ? own.agreement_id : undefined,
    agreement: own.agreement_name,
    accounts: accounts.map((account) => ({ id: account.resource_id, ...accountNumbers(account), name: account.name })),
    cardAccounts: cards.map((card) => ({ id: card.resource_id, maskedPan: card.masked_pan, name: card.name })),
    grantedAt: own.granted_at,
    endedAt: own.ended_at,
    lastScaAt: own.last_sca_at,
    lapsesOn: addDays(osloDate(own.last_sca_at), quirks.get('consent-days') ?? accessDays),
    lastUsed: own.used_on,
  };
}
