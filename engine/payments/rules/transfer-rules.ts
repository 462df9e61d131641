import type { Amount, Currency } from '../../values/money.ts';
import type { Fault } from '../../values/fault.ts';
import { parseIban } from '../../values/account-number.ts';
import { checkKid, type KidCheck } from './kid.ts';
import { accountNumber, creditorNumber, norwegianNumber, type InitiatedTransfer } from './payment-initiation.ts';
import type { CreditTransferInitiation } from '../../values/credit-transfer.ts';
import { isForeign, type PaymentService, type Product, products } from '../../values/product.ts';
import { behaviourOf } from '../../values/numbers-with-a-meaning.ts';
import { words } from '../../values/text.ts';

/** The columns of a creditor account of this bank that decide. */
export interface CreditorAccount {
  readonly currency: Currency;
  readonly kid_agreement: KidCheck | null;
}

/** The first sum with 14 digits before the point, in øre. */
const sumLimit = 10n ** 15n;

/**
 * The faults of an initiation's transfers, with paths from the root of the body (rules.md P5b, P6, P11). `creditors`
 * holds the creditor accounts in this bank, by creditor number.
 */
export function checkTransfers(
  { service, product }: { readonly service: PaymentService; readonly product: Product },
  transfers: readonly InitiatedTransfer[],
  debtorCurrency: Currency,
  creditors: ReadonlyMap<string, CreditorAccount>,
): Fault[] {
  return transfers.flatMap(({ path, body, creditorNumber: number }) => {
    const creditor = creditors.get(number);
    const faults = [
      ...(creditor === undefined ? toldFault(number) : []),
      ...checkTransfer[product](body, debtorCurrency, creditor?.currency ?? null),
      // A KID is a Norwegian reference: foreign products cannot carry one.
      ...(isForeign(product) ? [] : checkKid(body, creditor?.kid_agreement ?? null, service === 'periodic-payments')),
    ];
    return path === '' ? faults : faults.map((fault) => within(path, fault));
  });
}

/** The fault of a creditor number that refuses every initiation (rules.md D1c). */
function toldFault(number: string): Fault[] {
  const behaviour = behaviourOf(number);
  if (behaviour?.does !== 'refuse' || behaviour.what !== 'every initiation') return [];
  return [{ code: 'PAYMENT_FAILED', path: 'creditorAccount', text: `The payment is refused: ${behaviour.cause}.` }];
}

/** Prefixes the path of an item's fault; the debtor account of a bulk payment is at the root. */
function within(path: string, fault: Fault): Fault {
  if (fault.path?.startsWith('debtorAccount')) return fault;
  return { ...fault, path: fault.path === undefined ? path : `${path}.${fault.path}` };
}

/** PAYMENT_FAILED when the sum of a bulk payment has more digits than an amount can have (rules.md P4). */
export function checkSum(transfers: readonly InitiatedTransfer[]): Fault[] {
  const sum = transfers.reduce((total, { amount }) => total + amount.minor, 0n);
  if (transfers.length === 1 || sum < sumLimit) return [];
  const text = `The amounts sum to ${sum / 100n} NOK; at most 13 digits before the point fit. Send several bulk payments.`;
  return [{ code: 'PAYMENT_FAILED', path: 'payments', text }];
}

/** The faults of a transfer; `creditorCurrency` is null when the account is in another bank. */
type TransferCheck = (
  body: CreditTransferInitiation,
  debtorCurrency: Currency,
  creditorCurrency: Currency | null,
) => Fault[];

/** The rules of each product; the schema has checked the form of a transfer (rules.md P5b, P11). */
const checkTransfer: Readonly<Record<Product, TransferCheck>> = {
  [products.domestic]: checkDomesticTransfer,
  [products.straks]: checkDomesticTransfer,
  [products.sepa]: checkSepaTransfer,
  [products.crossBorder]: checkAccounts,
};

/** A SEPA transfer is in EUR, to a SEPA country, from an account in NOK or EUR (interface: Endpoints, rule 8). */
function checkSepaTransfer(body: CreditTransferInitiation, debtorCurrency: Currency): Fault[] {
  const faults: Fault[] = [];
  const { currency } = body.instructedAmount;
  if (currency !== 'EUR') {
    const text = `A SEPA credit transfer is in EUR, and the payment is in ${currency}. Send cross-border-credit-transfers instead.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'instructedAmount.currency', text });
  }
  const iban = parseIban(body.creditorAccount.iban ?? '');
  if (typeof iban !== 'string' && sepaZone(iban.country) === null) {
    const text = `${iban.country} is no country of the SEPA scheme. Send cross-border-credit-transfers instead.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'creditorAccount.iban', text });
  }
  if (debtorCurrency !== 'NOK' && debtorCurrency !== 'EUR') {
    const text = `A SEPA credit transfer is paid from an account in NOK or EUR, and this one is kept in ${debtorCurrency}.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'debtorAccount', text });
  }
  return [...faults, ...checkAccounts(body, debtorCurrency)];
}

/** The debtor account is named with its own currency, and is not the creditor account. */
function checkAccounts(body: CreditTransferInitiation, debtorCurrency: Currency): Fault[] {
  const faults: Fault[] = [];
  const { debtorAccount } = body;
  if (debtorAccount.currency !== debtorCurrency) {
    const text = `The debtor account is given in ${debtorAccount.currency}, and the bank keeps it in ${debtorCurrency}. Send that.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'debtorAccount.currency', text });
  }
  const number = creditorNumber(body);
  if (number === accountNumber(debtorAccount)) {
    const text = `Debtor and creditor are the same account, ${number}. Send another creditorAccount.`;
    faults.push({ code: 'PAYMENT_FAILED', path: 'creditorAccount', text });
  }
  return faults;
}

const krone = 'NOK';

/**
 * The faults of a Norwegian domestic credit transfer: it is in NOK, from a NOK account to another Norwegian NOK account
 * (rules.md P5b). The currencies are those of the accounts in this bank; `creditorCurrency` is null when the account is
 * in another bank.
 */
export function checkDomesticTransfer(
  body: CreditTransferInitiation,
  debtorCurrency: Currency,
  creditorCurrency: Currency | null,
): Fault[] {
  const { debtorAccount, creditorAccount, instructedAmount } = body;
  const faults = [
    notKroner('instructedAmount.currency', instructedAmount.currency, 'the payment is in'),
    notKroner('debtorAccount.currency', debtorAccount.currency, 'the debtor account is given in'),
    notKroner('creditorAccount.currency', creditorAccount.currency, 'the creditor account is given in'),
    notKroner('debtorAccount', debtorCurrency, 'the bank keeps the debtor account in'),
    notKroner('creditorAccount', creditorCurrency ?? krone, 'the bank keeps the creditor account in'),
  ].filter((fault) => fault !== null);
  return [...faults, ...badCreditor(body)];
}

function notKroner(path: string, currency: Currency, what: string): Fault | null {
  if (currency === krone) return null;
  const text = `A Norwegian domestic credit transfer is in NOK, from a NOK account to a NOK account, and ${what} ${currency}.`;
  return { code: 'PAYMENT_FAILED', path, text };
}

function badCreditor(body: CreditTransferInitiation): Fault[] {
  const creditor = norwegianNumber(body.creditorAccount);
  if (creditor === null) {
    const text = `The creditor account ${body.creditorAccount.iban} is not Norwegian. Send a bban of 11 digits or a NO iban.`;
    return [{ code: 'PAYMENT_FAILED', path: 'creditorAccount.iban', text }];
  }
  if (creditor !== norwegianNumber(body.debtorAccount)) return [];
  const text = `Debtor and creditor are the same account, ${creditor}. Send another creditorAccount.`;
  return [{ code: 'PAYMENT_FAILED', path: 'creditorAccount', text }];
}

/** Transfers with the same key, debtor account and execution date are logical duplicates (rules.md P7). */
export interface DuplicateKey {
  readonly creditorNumber: string;
  readonly amount: Amount;
}

/**
 * The transfers that repeat the key of an earlier one in the list: the index of each, and of the first with its key.
 */
export function duplicatesWithin(
  transfers: readonly DuplicateKey[],
): readonly { readonly index: number; readonly first: number }[] {
  const seen = new Map<string, number>();
  return transfers.flatMap(({ creditorNumber, amount: { minor, currency } }, index) => {
    const key = `${creditorNumber} ${currency} ${minor}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [{ index, first }];
  });
}

/**
 * CONFLICT for a logical duplicate (rules.md P7). `path` is the transfer's place in the body, empty for the whole body;
 * `other` names the duplicate as this TPP may see it.
 */
export function logicalDuplicate(path: string, other: string): Fault {
  const text =
    `${path === '' ? 'This payment' : path} has the execution date, amount, debtor account and creditor account of ` +
    `${other}: a logical duplicate. Send allowLogicalDuplicate=true in the query when both are meant.`;
  const fault = { code: 'CONFLICT', place: 'payload', text } as const;
  return path === '' ? fault : { ...fault, path };
}

/**
 * The European Economic Area, by the country codes of its IBANs (AX and the French overseas departments use FI and FR).
 */
const eea: ReadonlySet<string> = new Set(
  words(['AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK']),
);

/**
 * The rest of the scheme: European Payments Council, EPC409-09, EPC List of SEPA Scheme Countries, as of 2025. GB
 * covers GG, IM and JE; Gibraltar is a territory of it whose IBANs have a code of their own.
 */
const outsideEea: ReadonlySet<string> = new Set(words(['AD AL CH GB GI MC MD ME MK RS SM VA']));

/**
 * Zone of a SEPA country; outside the EEA a BIC is required (interface: Endpoints, rule 8). Null means that it is not
 * in the scheme.
 */
type SepaZone = 'EEA' | 'outside the EEA' | null;

/** The zone of the country code of an IBAN. */
export function sepaZone(country: string): SepaZone {
  if (eea.has(country)) return 'EEA';
  return outsideEea.has(country) ? 'outside the EEA' : null;
}
