import type { CashAccountType } from '../values/customer-type.ts';
import { createHash } from 'node:crypto';
import { Pauses } from '../ledger/pauses.ts';
import { keepNewest } from '../values/lists.ts';
import type { Currency } from '../values/money.ts';

/**
 * The data of a new bank, which a reset restores (rules.md D1, D3b, D4): fixtures/known-state.json or another file of
 * this shape. Amounts are decimal strings in the account's currency.
 */
export interface KnownState {
  readonly customers: readonly KnownCustomer[];
  readonly agreements: readonly KnownAgreement[];
}

export interface KnownCustomer {
  readonly customerNumber: string;
  readonly name: string;
  readonly type: 'private' | 'corporate';
  /** Text for people, shown in the list of PSUs. */
  readonly note?: string;
  /** The same in Norwegian bokmål. */
  readonly noteNb?: string;
  readonly accounts: readonly KnownAccount[];
  readonly cards?: readonly KnownCard[];
}

export interface KnownCard {
  readonly name: string;
  readonly maskedPan: string;
  readonly product: string;
  readonly currency: Currency;
  readonly creditLimit: string;
  readonly balance: string;
}

export interface KnownAccount {
  readonly accountName: string;
  readonly bban: string;
  readonly iban: string;
  readonly currency: Currency;
  readonly product: string;
  readonly cashAccountType: CashAccountType;
  readonly balance: string;
  readonly creditLine?: string;
  readonly kidAgreement?: 'MOD10' | 'MOD11';
  readonly signaturesRequired?: number;
  readonly paymentsAllowed?: boolean;
  /** A Persona (engine/life) whose life begins with the bank, with its usual past; checked by the reader. */
  readonly persona?: object;
  /** What has happened on it, after its opening balance. */
  readonly transactions?: readonly KnownTransaction[];
}

export interface KnownTransaction {
  /** A credit above zero, a debit below. */
  readonly amount: string;
  /** Calendar days before the bank date of the beginning; booked on that day, or on the banking day before. */
  readonly daysAgo: number;
  readonly remittanceInformationUnstructured: string;
}

export interface KnownAgreement {
  /** The corporation's customerNumber. */
  readonly owner: string;
  readonly name: string;
  readonly engagements: readonly KnownEngagement[];
}

interface KnownEngagement {
  /** The PSU's customerNumber. */
  readonly customer: string;
  readonly iban: string;
  readonly roles: readonly ('VIEW' | 'REGISTER')[];
}

/** The last eight of each known state: the banks of a process often have the same one. */
const hashes = new WeakMap<KnownState, Map<string, Promise<string>>>();

/** SHA-256 of the JSON of a known state between two texts, in hex. */
export function hashOfKnownState(state: KnownState, [before, after] = ['', '']): Promise<string> {
  const kept = hashes.get(state) ?? new Map<string, Promise<string>>();
  hashes.set(state, kept);
  const around = JSON.stringify([before, after]);
  const hash = kept.get(around) ?? hashBetween(state, before, after);
  keepNewest(kept, around, hash, 8);
  return hash;
}

/** With hundreds of personas that is megabytes: other banks work meanwhile. */
async function hashBetween({ customers, agreements }: KnownState, before: string, after: string): Promise<string> {
  const pauses = new Pauses();
  const hash = createHash('sha256').update(`${before}{"customers":[`);
  for (const [index, customer] of customers.entries()) {
    if (pauses.isDue()) await pauses.take();
    hash.update(`${index === 0 ? '' : ','}${JSON.stringify(customer)}`);
  }
  return hash.update(`],"agreements":${JSON.stringify(agreements)}}${after}`).digest('hex');
}
