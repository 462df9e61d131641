import * as Type from 'typebox';
import { finishSca } from '../../../engine/approval/finish-sca.ts';
import { randomIds } from '../../../engine/bank/ids.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { listPsus } from '../../../engine/sandbox-data/psus.ts';
import { changesIds } from '../../../engine/bank/rules/quirk.ts';
import { orRefusal, Refusal } from '../../../engine/values/fault.ts';
import { faultResponse } from '../../faults/fault-response.ts';
import { Problem, refusedAt } from '../../pipeline/problem.ts';
import { type StruckFault, struckText } from '../../pipeline/fault-effect.ts';
import { redirectAddress } from '../../interface/redirect-address.ts';
import { frequency } from '../../interface/payments/payment-bodies.ts';
import { paymentMessage } from '../../interface/answer-parts.ts';
import type { Members, RuleFault } from '../../bodies/rule.ts';
import { choice, closed, flag, integer, listOf, optional, type Static, text, titled } from '../../bodies/schema.ts';
import { type Signer, signerInPrivate, signerNamed } from '../../bodies/signers.ts';
import { customerNumber, date } from '../../bodies/values.ts';
import { story, storyDays } from '../../bodies/examples.ts';
import { testTppName } from '../../signing/test-tpp.ts';
import { orNull } from '../answers/forms.ts';
import { type ControlCall, controlEndpoint, shownAddress } from '../control-endpoint.ts';
import { paymentAnswer, productOfPayment, readPayment, serviceOfPayment } from './get-payment.ts';
import { initiationOf, nobodyPays, payerOf, scaIdIn, signInTurn } from './pay-and-sign.ts';

/**
 * What a TPP is told. `body`: the JSON of the answer, or the text of another one. Both are null if no whole answer
 * came.
 */
export interface ToldTpp {
  readonly status: number | null;
  readonly body: unknown;
  /** The armed fault that struck the call. */
  readonly fault: StruckFault | undefined;
  /** The payment that the call has changed, by its id in the ledger; null: none. */
  readonly paymentId: string | null;
}

/**
 * Sends a POST through the unsigned door of this bank, at the address of a call. Throws a Problem (503) if no answer
 * comes, and no armed fault is why.
 */
export type AtDoor = (
  call: Pick<ControlCall, 'address'>,
  sent: {
    readonly tpp: string;
    /** Below the door, with its query. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: object;
  },
) => Promise<ToldTpp>;

const more = Type.Record(Type.String(), Type.Unknown(), {
  description: 'members of the body under /v1, which replace those made of the order',
  examples: [{ purposeCode: 'SALA' }],
});

/**
 * What a text must be that the payment is sent with in a header: 1 to 255 printable ASCII characters without blanks.
 */
const sentInHeader = { pattern: '^[\\x21-\\x7e]{1,255}$' } as const;

const transfer = {
  to: optional(text('BBAN or IBAN of the creditor', story.creditorBban)),
  amount: optional(text('a decimal string with the fraction digits of its currency', '100.00')),
  creditorName: optional(text('the name of the creditor, by default Payee', 'Company 123')),
  kid: optional(text('the KID of a domestic payment that is made once', '12345678903')),
  text: optional(text('a text for the creditor', 'Invoice 4711')),
  more: optional(more),
};

/** `POST /sandbox/payments`. The bank itself judges what it says of the payment. */
const paymentOrder = titled('PaymentOrder', 'A payment to initiate as a TPP of the unsigned door, and to sign.', {
  expected: 'an object with from, to and amount',
  examples: [
    {
      from: story.debtorBban,
      to: story.creditorBban,
      amount: '75.00',
      text: 'Invoice 4711',
      on: storyDays.nextBankingDay,
    },
  ],
  rules: [oneOrSeveral],
}).closed({
  from: text('BBAN or IBAN of the debtor', { minLength: 1, maxLength: 42, examples: [story.debtorBban] }),
  ...transfer,
  currency: optional(text('the currency of the amount, by default NOK, for SEPA EUR', 'NOK')),
  on: optional(date),
  product: optional(productOfPayment),
  service: optional(serviceOfPayment),
  allowDuplicate: optional(flag('whether to pay although the same payment exists', { default: false })),
  every: optional(frequency),
  until: optional(date),
  dayOfExecution: optional(
    Type.Unsafe<number | string>({ description: 'a day of the month', type: ['integer', 'string'], examples: [15] }),
  ),
  monthsOfExecution: optional(
    listOf(Type.Unknown({ description: 'the number of a month' }), 'the months of a payment with MonthlyVariable', {
      examples: [[2, 5]],
    }),
  ),
  executionRule: optional(
    choice('what replaces a closed day, in the spelling of the interface', ['following', 'preceeding']),
  ),
  payments: optional(
    listOf(closed(transfer), 'the transfers of a bulk payment, in place of to and amount', {
      minItems: 1,
      maxItems: 100,
    }),
  ),
  tpp: optional(
    text('the name of the TPP, 1 to 60 letters, digits and hyphens, by default pay', {
      pattern: testTppName.source,
      examples: ['pay'],
    }),
  ),
  psu: optional(
    text('the customer number of the PSU who asks for the payment, by default the first signer', {
      ...sentInHeader,
      examples: [story.psu],
    }),
  ),
  agreement: optional(
    text('the id of the agreement for which this PSU acts, as GET /sandbox/agreements has it', sentInHeader),
  ),
  sign: optional(
    Type.Unsafe<boolean | string[]>({
      description:
        'the PSUs who sign, by customer number, by default everybody who must; in a body also false for nobody',
      type: ['boolean', 'array'],
      items: customerNumber,
      maxItems: 20,
      default: true,
      examples: [[story.psu]],
    }),
  ),
});

type PaymentOrder = Static<typeof paymentOrder>;

/** A bulk payment has transfers in place of a creditor and an amount, and every other payment has both. */
function oneOrSeveral(order: Members): readonly RuleFault[] {
  const isBulk = order['payments'] !== undefined;
  const wrong = ['to', 'amount'].filter((name) => (order[name] === undefined) !== isBulk);
  const why = isBulk ? 'goes with one creditor; payments has a creditor each' : 'is missing';
  return wrong.map((member) => ({ member, text: `${member} ${why}.` }));
}

const status = integer('the HTTP status', { examples: [201] });

const paymentMade = titled('PaymentMade', 'The payment, its SCAs, and what its TPP was told.', {
  examples: [{ refusal: null }],
}).closed({
  told: titled('ToldTpp', 'The answer to the initiation.').closed({
    requestId: text('the X-Request-ID of the initiation, for GET /sandbox/requests/{X-Request-ID}', story.requestId),
    status: orNull(status, 'null if no whole answer came'),
    body: Type.Unknown({ description: 'its body', examples: [{ paymentId: story.paymentId }] }),
  }),
  struck: orNull(
    text(
      'what an armed fault did to a call of the TPP, after which nobody was asked to sign, and what was carried out',
      'Armed fault 3 closed the connection, after the commit. The payment is made.',
    ),
    'null if none did',
  ),
  payment: orNull(paymentAnswer, 'null if the bank refused the initiation'),
  scas: listOf(
    titled('PaymentSca', 'An SCA of the payment.').closed({
      id: text('the id for POST /sandbox/sca/{id}', story.scaId),
      address: text('its page', `${story.address}/sca/${story.scaId}`),
      psu: orNull(customerNumber, 'null if nobody was asked to sign it'),
      redirect: orNull(
        text('where the browser of the PSU goes next', 'https://tpp.example/callback?psu-id=...'),
        'null while the SCA is open',
      ),
    }),
    'in the order in which they were begun; none: the payment is exempt, or refused',
  ),
  refusal: orNull(
    titled('ToldRefusal', 'What a TPP was told instead.').closed({
      status: integer('the HTTP status', { examples: [400] }),
      tppMessages: listOf(paymentMessage),
    }),
    'null if the bank refused neither the initiation nor an authorisation nor a signature',
  ),
});

/** `POST /sandbox/payments` (C22): initiates a payment at the door, and has PSUs sign it. */
export function paymentEndpoint(atDoor: AtDoor) {
  return controlEndpoint('POST /payments', {
    summary: 'Initiate a payment as a TPP of the unsigned door, and sign it',
    answer: paymentMade,
    body: paymentOrder,
    handle: async (call) => {
      const order = call.readBody();
      const { tpp = 'pay' } = order;
      // Somebody pays from an account that is not here, so that the bank itself says what is wrong.
      const { currency, usual } = (await payerOf(call.bank, order.from)) ?? {
        currency: 'NOK',
        usual: [signerInPrivate((await listPsus(call.bank))[0]?.customerNumber ?? '')],
      };
      const named = Array.isArray(order.sign) ? order.sign.map((psu) => signerNamed(usual, psu)) : null;
      const signers = order.sign === false ? [] : (named ?? usual);
      const [asks = usual[0]] = order.psu === undefined ? signers : [signerInPrivate(order.psu)];
      const isLeftToNobody = signers === usual && usual.length === 0;
      if (asks === undefined || isLeftToNobody)
        throw refusedAt('from', `${nobodyPays(order.from)} Name who signs in sign.`);
      const { path, query, body } = initiationOf(await dated(call, order), currency);
      const requestId = randomIds.uuid();
      const headers = { ...headersOf(order, asks), ...ofService(path), 'x-request-id': requestId };
      const { fault, paymentId: made, ...answer } = await atDoor(call, { tpp, path: path + query, headers, body });
      const told = { requestId, ...answer };
      let struck = struckText(fault, 'The payment is made.', made !== null);
      const refused = (payment: Paid | null, scas: Scas, refusal: Refused | null) => {
        return { told, struck, payment, scas, refusal };
      };
      const readById = (paymentId: string) => readPayment({ bank: call.bank, params: { paymentId } });
      if (struck !== null) return refused(made === null ? null : await readById(made), [], refusalIn(answer));
      const { paymentId: wireId, _links: links } = Object(told.body) as Partial<Initiated>;
      const refusedAtOnce = refusalIn(answer);
      if (refusedAtOnce !== null || wireId === undefined) return refused(null, [], refusedAtOnce);
      const paymentId = await ledgerIdOf(call, wireId);
      const read = () => readById(paymentId);
      const firstPage = links?.scaRedirect?.href;
      if (firstPage === undefined) return refused(await read(), [], null);
      const scas = signers.length === 0 ? [openSca(call, firstPage)] : [];
      let refusal: Refused | null = null;
      await signInTurn(signers, {
        firstPage,
        authorise: async () => {
          const next = await atDoor(call, { tpp, path: links?.startAuthorisation?.href ?? '', headers: {} });
          const { _links: started } = Object(next.body) as Partial<Initiated>;
          struck = struckText(next.fault, 'The SCA of the next signer is open.');
          refusal = refusalIn(next);
          return started?.scaRedirect?.href ?? null;
        },
        approve: async (signer, page) => {
          const sca = openSca(call, page);
          const { redirect, refusal: why } = await approved(call, sca.id, signer);
          scas.push({ ...sca, psu: signer.psu, redirect });
          refusal = why;
          return why === null;
        },
        needsMore: async () => (await read()).status === 'PATC',
      });
      return refused(await read(), scas, refusal);
    },
  });
}

type Paid = Awaited<ReturnType<typeof readPayment>>;
type Scas = Static<typeof paymentMade>['scas'];
type Refused = NonNullable<Static<typeof paymentMade>['refusal']>;

/** The members that are read of the answer to an initiation. */
interface Initiated {
  readonly paymentId: string;
  readonly _links: {
    readonly scaRedirect?: { readonly href: string };
    readonly startAuthorisation?: { readonly href: string };
  };
}

/** The id of the ledger, of a payment's id that a TPP was given. */
async function ledgerIdOf({ bank }: Pick<ControlCall, 'bank'>, paymentId: string): Promise<string> {
  if (!changesIds(bank.quirks)) return paymentId;
  const { ledgerPaymentId } = await import('../wire-ids.ts');
  return ledgerPaymentId(bank, paymentId);
}

/** A standing order begins today unless it says otherwise. */
async function dated({ bank }: Pick<ControlCall, 'bank'>, order: PaymentOrder) {
  return order.every === undefined || order.on !== undefined ? order : { ...order, on: (await readClock(bank)).date };
}

/** The headers that name the PSU who asks for the payment. */
function headersOf({ agreement }: PaymentOrder, asks: Signer): Record<string, string> {
  const context = agreement === undefined ? asks.approval.context : 'CORPORATE';
  const ofAgreement = agreement === undefined ? {} : { 'psu-corporate-id': agreement };
  return { 'x-psu-identity': asks.psu, 'psu-context': context, ...ofAgreement };
}

/** The headers that a periodic initiation needs. */
function ofService(path: string): Record<string, string> {
  return path.startsWith('/v1/periodic-payments') ? { 'tpp-session-id': randomIds.uuid(), 'x-accept-fix': 'none' } : {};
}

function openSca(call: ControlCall<PaymentOrder>, page: string): Scas[number] {
  const id = scaIdIn(page) ?? '';
  return { id, address: `${shownAddress(call)}/sca/${id}`, psu: null, redirect: null };
}

/** Has a PSU approve. The redirect is null, and the SCA open, if the bank does not take the approval at all. */
async function approved(
  { bank }: Pick<ControlCall, 'bank'>,
  scaId: string,
  { psu, approval: { context, agreement } }: Signer,
): Promise<{ readonly redirect: string | null; readonly refusal: Refused | null }> {
  const given = { outcome: 'approve', psu, context, agreement: agreement ?? null, accounts: null } as const;
  const result = await orRefusal(finishSca(bank, scaId, given));
  if (result instanceof Refusal) return { redirect: null, refusal: refusalOf(result.faults) };
  const fault = 'fault' in result.answer ? result.answer.fault : null;
  return { redirect: redirectAddress(result), refusal: fault === null ? null : refusalOf([fault]) };
}

function refusalOf(faults: Refusal['faults']): Refused {
  const { status, body } = faultResponse(faults, { signature401: false });
  return { status, tppMessages: [...body.tppMessages] };
}

type Answered = Pick<ToldTpp, 'status' | 'body'>;

/**
 * The refusal in an answer, as its TPP reads it, or null if the call was not refused. The page of a gateway has no
 * messages. Throws the Problem of the door itself, which the call did not pass.
 */
function refusalIn({ status, body }: Answered): Refused | null {
  if (status === null || status < 400) return null;
  const { tppMessages = [], detail } = Object(body) as Partial<Refused> & { readonly detail?: string };
  if (detail !== undefined) throw new Problem({ status, detail });
  return { status, tppMessages };
}
