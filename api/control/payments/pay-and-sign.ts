import { type PaymentService, type Product, products, usualCurrency } from '../../../engine/values/product.ts';
import { whoPays } from '../../../engine/approval/who-pays.ts';
import type { BankContext } from '../../../engine/bank/bank-context.ts';
import { accountReference, type Signer, signerInPrivate } from '../../bodies/signers.ts';

/** A creditor and an amount. */
interface Transfer {
  /** BBAN or IBAN of the creditor. */
  readonly to?: string | undefined;
  readonly amount?: string | undefined;
  readonly creditorName?: string | undefined;
  readonly kid?: string | undefined;
  readonly text?: string | undefined;
  /** Members of the body, which replace those of the order. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
}

/** A payment to initiate: single, periodic (`every`) or bulk (`payments`). */
export interface OrderToPay extends Transfer {
  /** BBAN or IBAN of the debtor. */
  readonly from: string;
  /** The default is NOK, of a SEPA payment EUR. */
  readonly currency?: string | undefined;
  readonly product?: Product | undefined;
  readonly service?: PaymentService | undefined;
  readonly on?: string | undefined;
  readonly every?: string | undefined;
  readonly until?: string | undefined;
  readonly dayOfExecution?: number | string | undefined;
  readonly monthsOfExecution?: readonly unknown[] | undefined;
  readonly executionRule?: string | undefined;
  readonly payments?: readonly Transfer[] | undefined;
  readonly allowDuplicate?: boolean | undefined;
}

interface Initiation {
  /** Of the collection of payments, without the query. */
  readonly path: string;
  readonly query: string;
  readonly body: object;
}

/** Path, query and body of the initiation of an order. `debtorCurrency`: of the account that it is paid from. */
export function initiationOf(order: OrderToPay, debtorCurrency: string): Initiation {
  const { product = products.domestic, allowDuplicate = false, service = serviceOf(order) } = order;
  return {
    path: `/v1/${service}/${product}`,
    query: allowDuplicate ? '?allowLogicalDuplicate=true' : '',
    body: { ...initiationBody(order), debtorAccount: accountReference(debtorCurrency, order.from), ...order.more },
  };
}

function serviceOf({ payments, every }: OrderToPay): PaymentService {
  if (payments !== undefined) return 'bulk-payments';
  return every === undefined ? 'payments' : 'periodic-payments';
}

/** The body without its debtor. JSON leaves out what is undefined. */
function initiationBody(order: OrderToPay): object {
  const { on, payments, every: frequency, until, dayOfExecution: day, monthsOfExecution, executionRule } = order;
  if (payments !== undefined) {
    const items = payments.map((each) => ({ ...transferOf(each, 'NOK'), ...each.more }));
    return { requestedExecutionDate: on, payments: items };
  }
  const { currency = usualCurrency[order.product ?? products.domestic] } = order;
  const transfer = transferOf(order, currency);
  if (frequency === undefined) return { ...transfer, requestedExecutionDate: on };
  const dayOfExecution = day === undefined ? undefined : String(day);
  return { ...transfer, frequency, startDate: on, endDate: until, dayOfExecution, monthsOfExecution, executionRule };
}

function transferOf({ to, amount, kid, text, creditorName = 'Payee' }: Transfer, currency: string): object {
  return {
    instructedAmount: { amount, currency },
    creditorAccount: to === undefined ? undefined : accountReference(currency, to),
    creditorName,
    remittanceInformationUnstructured: text,
    remittanceInformationStructuredArray: kid === undefined ? undefined : [{ reference: kid, referenceType: 'SCOR' }],
  };
}

/** The currency of an account, and who signs its payments. Null for an account that is not here. */
export async function payerOf(bank: BankContext, from: string) {
  const found = await whoPays(bank, from);
  if (found === null) return null;
  const usual = found.payers.map(({ psu, context, agreement }): Signer =>
    context === 'PRIVATE' ? signerInPrivate(psu) : { psu, approval: { context, agreement } },
  );
  return { currency: found.currency, usual };
}

/** Why a payment has no PSU from whom it could come (control-plane.md C22). */
export function nobodyPays(from: string): string {
  return `Nobody may pay from ${from}: no agreement has the account with REGISTER.`;
}

/** How the PSUs of a payment are asked to sign. */
interface Signing {
  /** The page of the SCA that the initiation began. */
  readonly firstPage: string;
  /** Starts another authorisation. Returns its page, or null if it was refused; then nobody else is asked. */
  authorise(): Promise<string | null>;
  /** Asks a PSU. Returns false if the PSU cannot sign, and nobody else is asked. */
  approve(signer: Signer, page: string): Promise<boolean>;
  /** Whether the payment waits for more signatures (PATC). */
  needsMore(): Promise<boolean>;
}

/** Has PSUs sign a payment one after the other, until no signature is missing or all were asked. */
export async function signInTurn(
  signers: readonly Signer[],
  { firstPage, authorise, approve, needsMore }: Signing,
): Promise<void> {
  let next: string | null = firstPage;
  for (const signer of signers) {
    const page: string | null = next ?? (await authorise());
    next = null;
    if (page === null || !(await approve(signer, page)) || !(await needsMore())) return;
  }
}

/** The id of an SCA, in the address of its page, or null for the address of another page. */
export function scaIdIn(address: string): string | null {
  return /\/sca\/([^/?#]+)/.exec(address)?.[1] ?? null;
}
