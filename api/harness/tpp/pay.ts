import { initiationOf, nobodyPays, signInTurn } from '../../control/payments/pay-and-sign.ts';
import { BankError } from '../bank-error.ts';
import { isPromise, membersGiven, partGiven, textGiven, wrongGiven } from '../given.ts';
import { messageOf } from '../../../engine/values/message-of.ts';
import type {
  CancelOptions,
  PaymentOrder,
  PaymentStatus,
  PaymentStory,
  Psu,
  ReadPayment,
  ReadPaymentStatus,
} from '../types/index.ts';
import { noteUse } from '../../pipeline/use-of-program.ts';
import { approve, ask, type ScaLinks, type SendingTpp, startSca } from './ask.ts';
import { personsIn, type Signers } from '../account-state.ts';
import { isForeign, products } from '../../../engine/values/product.ts';
import { Mistake } from '../../../engine/values/mistake.ts';

/** What a TPP of the harness works with. */
export interface Surroundings {
  readonly tpp: SendingTpp;
  /** Who signs payments from an account, by BBAN or IBAN. */
  signers(account: string): Promise<Signers>;
  psu(customerNumber: string): Psu;
  payments(paymentId: string): Promise<PaymentStory>;
}

/**
 * Initiates the order. PSUs sign until no signature is missing, or everybody in `signedBy` has. Returns the paymentId.
 * Throws a BankError if the bank refuses, and a Mistake if nobody may pay and nobody is named. A payment that cannot be
 * signed is deleted first; the error says so, or why it was not.
 */
export async function pay(around: Surroundings, order: PaymentOrder): Promise<string> {
  requireOrder(order);
  const { usual, of, currency } = await around.signers(order.from);
  const signers = personsIn('tpp.pay', order.signedBy)?.map(of) ?? usual;
  const [asks = usual[0]] = signers;
  if (asks === undefined) throw new Mistake(`${nobodyPays(order.from)} Name who signs in signedBy.`);
  const { path, query, body } = initiationOf(order, currency);
  const { spoil } = order;
  const { paymentId, _links: links } = await ask<Initiated>(around.tpp, 'The payment', path + query, {
    method: 'POST',
    headers: { 'x-psu-identity': asks.psu, 'psu-context': asks.approval.context },
    body,
    ...(spoil !== undefined && { spoil }),
  });
  noteUse('a TPP paid');
  // Exempt from SCA (rules.md A5): no signature is needed.
  if (links.scaRedirect === undefined) return paymentId;
  let status = 'RCVD' as PaymentStatus;
  try {
    await signInTurn(signers, {
      firstPage: links.scaRedirect.href,
      authorise: async () => (await authorise(around, paymentId)).href,
      approve: async ({ psu: signer, approval: as }, page) => {
        await approve(around.psu(signer), page, as);
        return true;
      },
      needsMore: async () => ({ status } = await around.payments(paymentId)).status === 'PATC',
    });
    if (order.signedBy !== undefined || (status !== 'PATC' && status !== 'RCVD')) return paymentId;
    const all = signers.map((signer) => signer.psu).join(', ');
    throw new BankError(`The payment needs more signatures than those of ${all}. Name who signs in signedBy.`);
  } catch (error) {
    throw await afterDeleting(around, paymentId, path, error);
  }
}

interface Initiated {
  readonly paymentId: string;
  readonly _links: ScaLinks;
}

/**
 * Deletes the unsigned payment. Returns the error with the id and last status of the payment, and why a deletion
 * failed.
 */
async function afterDeleting(
  { tpp, payments }: Surroundings,
  paymentId: string,
  path: string,
  error: unknown,
): Promise<unknown> {
  const first = messageOf(error).trimEnd();
  const text = `${first}${first.endsWith('.') ? '' : '.'} The payment ${paymentId}`;
  let was: PaymentStatus | undefined;
  try {
    ({ status: was } = await payments(paymentId));
    const offered = await ask<object | null>(tpp, 'The deletion', `${path}/${paymentId}`, { method: 'DELETE' });
    if (offered !== null) throw new BankError('It is signed, and so must be its cancellation.');
    return about(error, `${text} was ${was} and is deleted.`, paymentId, was);
  } catch (refusal) {
    const wasThat = was === undefined ? '' : `was ${was}, and `;
    return about(error, `${text} ${wasThat}could not be deleted: ${messageOf(refusal)}`, paymentId, was);
  }
}

/** The error with the facts of its payment. An error that is no refusal becomes the cause. */
function about(error: unknown, text: string, paymentId: string, paymentStatus?: PaymentStatus): BankError {
  const { status, code } = error instanceof BankError ? error : {};
  const options = error instanceof BankError ? {} : { cause: error };
  return new BankError(text, { paymentId, paymentStatus, status, code }, options);
}

/** Starts an authorisation of a payment. Returns the address of its SCA page. */
export async function authorise(around: Surroundings, paymentId: string): Promise<URL> {
  return startSca(around.tpp, `${await pathOfPaymentId(around, 'tpp.authorise', paymentId)}/authorisations`);
}

/** Reads a payment as its TPP does. */
export async function readPayment(around: Surroundings, paymentId: string): Promise<ReadPayment> {
  return ask(around.tpp, 'The reading', await pathOfPaymentId(around, 'tpp.payment', paymentId));
}

/** Reads the status of a payment as its TPP does. */
export async function readStatus(around: Surroundings, paymentId: string): Promise<ReadPaymentStatus> {
  return ask(around.tpp, 'The reading', `${await pathOfPaymentId(around, 'tpp.status', paymentId)}/status`);
}

/** The path of a payment with its service and product, which the control plane knows. */
async function pathOfPaymentId({ payments }: Surroundings, call: string, paymentId: string): Promise<string> {
  return pathTo(await payments(partGiven(call, 'a paymentId', paymentId)));
}

/** By the id that the TPP knows. */
function pathTo({ paymentId, wirePaymentId = paymentId, service, product }: PaymentStory): string {
  return `/v1/${service}/${product}/${wirePaymentId}`;
}

/**
 * Deletes a payment. A PSU signs the cancellation of a signed one (rules.md P12). Throws a BankError if the bank
 * refuses.
 */
export async function cancel(around: Surroundings, paymentId: string, options: CancelOptions): Promise<void> {
  membersGiven('tpp.cancel', ['signedBy'], options);
  const signedBy = personsIn('tpp.cancel', options.signedBy);
  const story = await around.payments(partGiven('tpp.cancel', 'a paymentId', paymentId));
  try {
    await deletePayment(around, story, signedBy);
  } catch (error) {
    throw error instanceof BankError ? about(error, error.message, story.paymentId, story.status) : error;
  }
}

async function deletePayment(
  around: Surroundings,
  story: PaymentStory,
  signedBy: readonly string[] | undefined,
): Promise<void> {
  const path = pathTo(story);
  const offered = await ask<{ readonly _links: ScaLinks } | null>(around.tpp, 'The cancellation', path, {
    method: 'DELETE',
  });
  if (offered === null) return;
  const { usual, of } = await around.signers(debtorOf(story.initiation));
  // One signature cancels, also what several have signed (rules.md A4c).
  const [signer] = signedBy?.map(of) ?? usual;
  if (signer === undefined) return;
  const page = await startSca(around.tpp, `${path}/cancellation-authorisations`);
  await approve(around.psu(signer.psu), page, signer.approval);
}

function debtorOf(initiation: unknown): string {
  const { debtorAccount = {} } = Object(initiation) as {
    readonly debtorAccount?: { readonly bban?: string; readonly iban?: string };
  };
  return debtorAccount.bban ?? debtorAccount.iban ?? '';
}

const transferMembers = ['to', 'amount', 'kid'];
/** Members that need `every`. */
const periodicMembers = ['until', 'dayOfExecution', 'monthsOfExecution', 'executionRule'];
const otherMembers = ['product', 'currency', 'payments', 'allowDuplicate', 'signedBy', 'more', 'spoil'];
const orderMembers = ['from', ...transferMembers, 'on', 'every', ...periodicMembers, ...otherMembers];

/** Throws a Mistake if a member is missing, unknown or does not go with another one, or if an await is missing. */
function requireOrder(order: unknown): void {
  if (typeof order !== 'object' || order === null) throw wrongGiven('tpp.pay', 'an order {from, to, amount}', order);
  membersGiven('tpp.pay', orderMembers, order);
  const { from, payments, every, signedBy, ...others } = order as Readonly<Record<string, unknown>>;
  textGiven('tpp.pay', 'a BBAN or IBAN in from', from);
  if (payments === undefined) requireTransfer('', others);
  else if (Array.isArray(payments)) {
    for (const [index, item] of payments.entries()) requireItem(`payments[${index}].`, item);
    const why = 'payments: each of them has a creditor, an amount in NOK and perhaps a KID of its own';
    refuse(others, [...transferMembers, 'product', 'currency'], why);
    if (every !== undefined) throw new Mistake('tpp.pay takes every or payments: a bulk payment is made once.');
  } else throw wrongGiven('tpp.pay', 'a list of {to, amount} in payments', payments);
  if (every === undefined) {
    const odd = periodicMembers.find((name) => others[name] !== undefined);
    if (odd !== undefined) throw new Mistake(`tpp.pay takes ${odd} with every: it belongs to a standing order.`);
  } else {
    refuse(others, ['product', 'currency', 'allowDuplicate'], 'every: a standing order is a domestic one in NOK');
    refuse(others, ['kid'], 'every: a standing order carries no structured reference');
  }
  const product = Object.values(products).find((each) => each === others['product']);
  if (product !== undefined && isForeign(product))
    refuse(others, ['kid'], `${product}: only domestic payments carry one`);
  personsIn('tpp.pay', signedBy);
}

function requireItem(where: string, item: unknown): void {
  if (typeof item !== 'object' || item === null || isPromise(item))
    throw wrongGiven('tpp.pay', `{to, amount} as ${where.slice(0, -1)}`, item);
  membersGiven(`tpp.pay, ${where.slice(0, -1)},`, [...transferMembers, 'more'], item);
  requireTransfer(where, item as Readonly<Record<string, unknown>>);
}

function requireTransfer(where: string, { to, amount, kid }: Readonly<Record<string, unknown>>): void {
  textGiven('tpp.pay', `a BBAN or IBAN in ${where}to`, to);
  textGiven('tpp.pay', `an amount as a string, such as '250.00', in ${where}amount`, amount);
  if (kid !== undefined) textGiven('tpp.pay', `a KID, a text of digits, in ${where}kid`, kid);
}

/** Throws a Mistake for a member that does not go with another one. */
function refuse(given: Readonly<Record<string, unknown>>, names: readonly string[], why: string): void {
  const found = names.find((name) => given[name] !== undefined);
  if (found !== undefined) throw new Mistake(`tpp.pay takes no ${found} with ${why}.`);
}
