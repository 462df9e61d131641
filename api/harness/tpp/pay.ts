import type { Signer } from '../../bodies/signers.ts';
import { BankError } from '../bank-error.ts';
import { membersGiven, messageOf, textGiven } from '../given.ts';
import type {
  CancelOptions,
  PaymentOrder,
  PaymentStatus,
  PaymentStory,
  Psu,
  ReadPayment,
  ReadPaymentStatus,
} from '../types.ts';
import { approve, ask, type Fetching, type ScaLinks, startSca } from './ask.ts';
import { orderRequest, requireOrder } from './order-request.ts';
import { personsIn, type Signers } from './who-signs.ts';

/** What a TPP of the harness works with. */
export interface Surroundings {
  readonly tpp: Fetching;
  /** Who signs payments from an account, by BBAN or IBAN. */
  signers(account: string): Promise<Signers>;
  psu(customerNumber: string): Psu;
  payments(paymentId: string): Promise<PaymentStory>;
}

/**
 * Initiates the order. PSUs sign until no signature is missing, or everybody in `signedBy` has. Returns the paymentId. Throws a BankError
 * if the bank refuses. A payment that cannot be signed is deleted first; the error says so, or why it was not.
 */
export async function pay(around: Surroundings, order: PaymentOrder): Promise<string> {
  requireOrder(order);
  const { usual, of, currency } = await around.signers(order.from);
  const signers = personsIn('tpp.pay', order.signedBy)?.map(of) ?? usual;
  const { path, query, body } = orderRequest(order, currency);
  const { psu, approval } = signers[0] ?? usual[0];
  const { spoil } = order;
  const { paymentId, _links: links } = await ask<Initiated>(around.tpp, 'The payment', path + query, {
    method: 'POST',
    headers: { 'x-psu-identity': psu, 'psu-context': approval.context },
    body,
    ...(spoil !== undefined && { spoil }),
  });
  // Exempt from SCA (rules.md A5): no signature is needed.
  if (links.scaRedirect === undefined) return paymentId;
  try {
    await haveSigned(around, paymentId, signers, new URL(links.scaRedirect.href));
    const { status } = await around.payments(paymentId);
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

async function haveSigned(
  around: Surroundings,
  paymentId: string,
  signers: readonly Signer[],
  firstPage: URL,
): Promise<void> {
  let page: URL | null = firstPage;
  for (const signer of signers) {
    await approve(around.psu(signer.psu), page ?? (await authorise(around, paymentId)), signer.approval);
    page = null;
    if ((await around.payments(paymentId)).status !== 'PATC') return;
  }
}

/** Deletes the unsigned payment. Returns the error with the id and last status of the payment, and why a deletion failed. */
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
    if (offered !== null) throw new Error('It is signed, and so must be its cancellation.');
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
  return startSca(around.tpp, `${await pathOf(around, 'tpp.authorise', paymentId)}/authorisations`);
}

/** Reads a payment as its TPP does. */
export async function readPayment(around: Surroundings, paymentId: string): Promise<ReadPayment> {
  return ask(around.tpp, 'The reading', await pathOf(around, 'tpp.payment', paymentId));
}

/** Reads the status of a payment as its TPP does. */
export async function readStatus(around: Surroundings, paymentId: string): Promise<ReadPaymentStatus> {
  return ask(around.tpp, 'The reading', `${await pathOf(around, 'tpp.status', paymentId)}/status`);
}

/** The path of a payment with its service and product, which the control plane knows. */
async function pathOf({ payments }: Surroundings, call: string, paymentId: string): Promise<string> {
  return pathTo(await payments(textGiven(call, 'a paymentId', paymentId)));
}

/** By the id that the TPP knows. */
function pathTo({ paymentId, wirePaymentId = paymentId, service, product }: PaymentStory): string {
  return `/v1/${service}/${product}/${wirePaymentId}`;
}

/** Deletes a payment. A PSU signs the cancellation of a signed one (rules.md P12). Throws a BankError if the bank refuses. */
export async function cancel(around: Surroundings, paymentId: string, options: CancelOptions): Promise<void> {
  membersGiven('tpp.cancel', ['signedBy'], options);
  const signedBy = personsIn('tpp.cancel', options.signedBy);
  const story = await around.payments(textGiven('tpp.cancel', 'a paymentId', paymentId));
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
