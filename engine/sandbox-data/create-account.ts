import { accountNumbers, type AccountNumbers } from '../values/account-numbers.ts';
import type { Currency } from '../values/currency.ts';
import { refuseAny } from '../values/bounded-faults.ts';
import { Refusal, type Fault } from '../values/fault.ts';
import { accountByNumber } from '../accounts/rows/accounts.ts';
import { customerByNumber } from '../parties/rows/customers.ts';
import type { Reader } from '../ledger/database.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { holderUnknown } from '../parties/holder-unknown.ts';
import { openAccount } from './open-account.ts';
import type { SandboxAccount } from './sandbox-account.ts';

/** A wanted account. Money in minor units of its currency. */
export interface CreateAccount {
  readonly customerNumber: string;
  readonly name: string;
  /** At least one of the two; the other is derived where it can be. Blanks in the IBAN are allowed. */
  readonly bban?: string | undefined;
  readonly iban?: string | undefined;
  readonly currency: Currency;
  readonly product: string | null;
  readonly cashAccountType: string | null;
  readonly creditLine: bigint;
  readonly openingBalance: bigint;
}

/**
 * Opens an account with its opening balance, an entry against clearing (rules.md D3). Refuses, all at once: a
 * customerNumber that nobody has (RESOURCE_UNKNOWN), a number in use (CONFLICT, D3b).
 */
export function createAccount(bank: BankContext, wanted: CreateAccount): Promise<SandboxAccount> {
  return bank.ledger.write(async (tx) => {
    const holder = await customerByNumber(tx, wanted.customerNumber);
    const numbers = accountNumbers(wanted);
    const faults = await conflicts(tx, wanted, numbers);
    if (holder === undefined) throw new Refusal(holderUnknown(wanted.customerNumber), ...faults);
    refuseAny(faults);
    const rest = { kidAgreement: null, signaturesRequired: 1, paymentsAllowed: true } as const;
    const now = await bankNow(bank, tx);
    const account = await openAccount(bank.ids, tx, { ...wanted, ...numbers, ...rest, customerId: holder.id }, now);
    return { account, customerNumber: holder.customer_number };
  });
}

/** One fault for each member of the body that names an account in use; a derived number stands under the given one. */
async function conflicts(reader: Reader, wanted: CreateAccount, { bban, iban }: AccountNumbers): Promise<Fault[]> {
  const numbers = [
    { path: wanted.bban === undefined ? 'iban' : 'bban', number: bban },
    { path: wanted.iban === undefined ? 'bban' : 'iban', number: iban },
  ];
  const faults: Fault[] = [];
  for (const { path, number } of numbers) {
    const other = number === null ? undefined : await accountByNumber(reader, number);
    if (other === undefined || faults.some((fault) => fault.path === path)) continue;
    const text =
      `Account ${number} exists already: ${other.name}, resourceId ${other.resource_id}. ` +
      'Use it, DELETE it first, or send another number.';
    faults.push({ code: 'CONFLICT', path, text });
  }
  return faults;
}
