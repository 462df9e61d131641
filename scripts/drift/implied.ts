import { norwegianIban } from '../../engine/values/account-number.ts';
import { type Currency, isCurrency, minorUnits } from '../../engine/values/money.ts';
import {
  codeOf,
  type Exchange,
  isInitiation,
  itemsOf,
  listOf,
  type Members,
  membersOf,
  messageOf,
  parsed,
} from './exchange.ts';

/** A person of the recording: what signs. */
export interface Person {
  readonly number: string;
}

/** An account of the recording. */
export interface ImpliedAccount {
  readonly bban: string;
  readonly iban: string;
  readonly currency: Currency;
  name: string | null;
  product: string | null;
  type: string | null;
  /** A key of its holder ({@link psuKeyOf}); null: not known. */
  holder: string | null;
  /** The PSU-Corporate-ID under which it is used; empty: one that the recording does not name. Null: it is a private account. */
  corporation: string | null;
  signatures: number;
  kid: 'MOD10' | 'MOD11' | null;
  isBlocked: boolean;
}

interface ImpliedCard {
  readonly shown: Readonly<Record<'maskedPan' | 'name' | 'product' | 'creditLimit', string>> & {
    readonly currency: Currency;
  };
  readonly holder: string | null;
}

interface Corporation {
  readonly number: string;
  readonly name: string;
  /** Of its agreement. */
  readonly agreement: string;
}

/** The customer number of payees inside the bank that the recording does not name. */
export const stranger = '41019999901';

/** What a search assumes about a ledger: opening balances by BBAN, and payees with an account in this bank, each with the key of its holder. */
export interface LedgerGuess {
  readonly balances: ReadonlyMap<string, string>;
  readonly inside: ReadonlyMap<string, string>;
}

/** How a request names its PSU: by number, or by the id that its TPP has. Null: it names no PSU. */
export function psuKeyOf({ headers, tpp }: Exchange): string | null {
  const number = headers.get('x-psu-identity') ?? '';
  if (number !== '') return `number ${number}`;
  const id = headers.get('psu-id') ?? '';
  return id === '' ? null : `id ${tpp} ${id}`;
}

/** The BBAN of an account reference; null: it names no Norwegian account. */
export function bbanOf(reference: unknown): string | null {
  const { bban, iban } = membersOf(reference);
  if (typeof bban === 'string' && /^\d{11}$/.test(bban)) return bban;
  const plain = typeof iban === 'string' ? iban.replaceAll(/\s/g, '') : '';
  return /^NO\d{13}$/.test(plain) ? plain.slice(4) : null;
}

/** The parsed body of a request; undefined: it is no object or list of JSON. */
export function bodyOf({ body }: Exchange): unknown {
  const value = parsed(body);
  return typeof value === 'object' ? value : undefined;
}

/** The people, accounts and agreements that a recording implies: who was named, what was shown, and what was paid from. */
export class Implied {
  readonly accounts = new Map<string, ImpliedAccount>();
  readonly #cards = new Map<string, ImpliedCard>();
  /** By key; people who are one are one object. */
  readonly #people = new Map<string, { readonly keys: Set<string> }>();
  /** By PSU-Corporate-ID. The recording does not name the corporation under the empty one. */
  readonly #corporations = new Map<string, Corporation>();
  /** The customers in lists of the test data, by number. */
  readonly #listed = new Map<string, { readonly name: string; readonly type: string }>();
  /** The agreements that the test data list, by the number of their corporate owner. */
  readonly #engaged = new Map<string, { readonly name: string; readonly engagements: readonly object[] }>();
  /** Numbers of customers and accounts that the recording itself creates. */
  readonly #created = new Set<string>();
  readonly #numbers = new Map<object, string>();

  constructor(exchanges: readonly Exchange[]) {
    for (const exchange of exchanges) this.#take(exchange);
    for (const exchange of exchanges) this.#takeSignatures(exchanges, exchange);
    for (const { bban, corporation, signatures, holder } of this.accounts.values()) {
      if (holder === null) this.#person('somebody');
      if (corporation === null || this.#created.has(bban)) continue;
      this.#corporation(corporation);
      for (let number = 1; number <= signatures; number += 1) this.#person(`signer ${number}`);
    }
    if (this.#people.size === 0) this.#person('somebody');
  }

  /** Who a key stands for; without one, somebody. */
  personOf(key: string | null): Person {
    const one = this.#person(key ?? 'somebody');
    return { number: this.#numberOf(one) };
  }

  /** The people who can sign a payment from an account, the holder first. */
  signersOf(account: ImpliedAccount): readonly [Person, ...Person[]] {
    const holder = this.personOf(account.holder);
    if (account.corporation === null) return [holder];
    const all = this.#everybody().map((one) => ({ number: this.#numberOf(one) }));
    return [holder, ...all.filter(({ number }) => number !== holder.number)];
  }

  /** The agreement that a PSU-Corporate-ID names; undefined: it is empty, and a PSU has one. */
  agreementOf(corporateId: string): string | undefined {
    return corporateId === '' ? undefined : this.#corporation(corporateId).agreement;
  }

  /** A known state for a replay of the recording. */
  fixtures({ balances, inside }: LedgerGuess): object {
    const numbers = this.#everybody().map((one) => this.#numberOf(one));
    const all = [...this.accounts.values(), ...Array.from(inside, ([bban, holder]) => accountIn(bban, holder))];
    const open = all.filter(({ bban }) => !this.#created.has(bban));
    const held = Map.groupBy(open, (account) => this.#ownerOf(account));
    const customerOf = (customerNumber: string, name: string, type: string): Customer => {
      const accounts = (held.get(customerNumber) ?? []).map((account) => fixtureOf(account, balances));
      return { customerNumber, name, type, accounts };
    };
    const cards = Map.groupBy(this.#cards.values(), ({ holder }) => this.personOf(holder).number);
    const people = numbers
      .filter((number) => !this.#created.has(number))
      .map((number) => ({
        ...customerOf(number, this.#listed.get(number)?.name ?? `Person ${number}`, 'private'),
        ...(cards.has(number) && {
          cards: cards.get(number)?.map(({ shown }) => ({ ...shown, balance: amountOf('0', shown.currency) })),
        }),
      }));
    const owners = [...Map.groupBy(this.#corporations.values(), ({ number }) => number)].map(([number, [first]]) =>
      customerOf(number, first?.name ?? '', 'corporate'),
    );
    const named = new Set([...numbers, ...this.#created, ...owners.map(({ customerNumber }) => customerNumber)]);
    const unused = [...this.#listed]
      .filter(([number]) => !named.has(number))
      .map(([customerNumber, { name, type }]) => ({ customerNumber, name, type, accounts: [] }));
    const strangers = held.has(stranger) ? [customerOf(stranger, 'Somebody', 'private')] : [];
    const agreements = Array.from(this.#corporations.values(), (corporation) => {
      const { number, agreement } = corporation;
      const engaged = this.#engaged.get(number);
      const inferred = open
        .filter((account) => account.corporation !== null && this.#corporation(account.corporation) === corporation)
        .flatMap(({ iban }) =>
          people.map(({ customerNumber }) => ({ customer: customerNumber, iban, roles: ['VIEW', 'REGISTER'] })),
        );
      return { owner: number, name: engaged?.name ?? agreement, engagements: engaged?.engagements ?? inferred };
    });
    const listed = [...this.#listed.keys()];
    const placeOf = ({ customerNumber }: Customer): number => {
      const place = listed.indexOf(customerNumber);
      return place < 0 ? listed.length : place;
    };
    const customers = [...people, ...owners, ...unused, ...strangers];
    return { customers: customers.toSorted((one, other) => placeOf(one) - placeOf(other)), agreements };
  }

  /** The customer number of the owner of an account. */
  #ownerOf({ corporation, holder }: ImpliedAccount): string {
    if (corporation !== null) return this.#corporation(corporation).number;
    return holder === stranger ? stranger : this.personOf(holder).number;
  }

  #take(exchange: Exchange): void {
    const { endpoint, method, status, headers, answer } = exchange;
    const key = psuKeyOf(exchange);
    if (key !== null) this.#person(key);
    const corporateId = headers.get('psu-corporate-id') ?? '';
    const isCorporate = corporateId !== '' || headers.get('psu-context') === 'CORPORATE';
    const corporation = isCorporate ? corporateId : null;
    const body = membersOf(bodyOf(exchange));
    if (isInitiation(exchange)) this.#takePayment(exchange, key, corporation);
    if (status === 201 && method === 'POST' && endpoint === '/sandbox/accounts')
      this.#created.add(String(bbanOf(body)));
    if (status === 201 && method === 'POST' && endpoint === '/sandbox/customers')
      this.#created.add(String(body['customerNumber']));
    if (status >= 300) return;
    if (endpoint === '/accounts')
      for (const account of listOf(answer, 'accounts')) this.#noteAccount(account, key, corporation);
    if (endpoint?.startsWith('/accounts/:accountId') === true)
      this.#noteAccount(membersOf(answer)['account'], key, corporation);
    if (endpoint === '/card-accounts' || endpoint === '/card-accounts/:accountId')
      for (const card of listOf(answer, 'cardAccounts')) this.#noteCard(card, key);
    if (endpoint === '/agreements')
      for (const agreement of listOf(answer, 'agreements')) this.#noteAgreement(membersOf(agreement), key);
    if (endpoint === '/sandbox/accounts' && method === 'GET')
      for (const account of itemsOf(answer)) this.#noteListed(membersOf(account));
    if (endpoint === '/sandbox/agreements' && method === 'GET')
      for (const agreement of itemsOf(answer)) this.#noteEngaged(membersOf(agreement));
    if (endpoint === '/sandbox/customers' && method === 'GET')
      for (const customer of itemsOf(answer)) {
        const { customerNumber, customerName, customerType } = membersOf(customer);
        if (typeof customerNumber === 'string' && /^\d{1,35}$/.test(customerNumber))
          this.#listed.set(customerNumber, {
            name: isName(customerName) ? customerName : 'Somebody',
            type: customerType === 'corporate' || customerType === 'CORPORATE' ? 'corporate' : 'private',
          });
      }
  }

  #takePayment(exchange: Exchange, key: string | null, corporation: string | null): void {
    const { status, answer } = exchange;
    const { debtorAccount, creditorAccount } = membersOf(bodyOf(exchange));
    const { path } = messageOf(answer);
    const code = codeOf(answer);
    if (status >= 300 && code === 'RESOURCE_UNKNOWN' && String(path).startsWith('debtorAccount')) return;
    // A refusal does not tell whose account it is.
    const account = this.#noteAccount(debtorAccount, status === 201 ? key : null, status === 201 ? corporation : null);
    if (account !== null && code === 'SERVICE_BLOCKED') account.isBlocked = true;
    if (code.startsWith('KID_')) {
      const creditor = this.#noteAccount(creditorAccount, null, null);
      if (creditor !== null) creditor.kid = 'MOD10';
    }
    const { transactionStatus } = membersOf(answer);
    // No SCA was asked for: both accounts are open to the PSU (rules.md A5).
    if (status === 201 && transactionStatus !== 'RCVD' && creditorAccount !== undefined)
      this.#noteAccount(creditorAccount, key, corporation);
  }

  /** PATC: the account asks for more signatures, as many as authorisations were started until the payment read otherwise. */
  #takeSignatures(exchanges: readonly Exchange[], exchange: Exchange): void {
    const { paymentId, transactionStatus } = membersOf(exchange.answer);
    if (transactionStatus !== 'PATC' || typeof paymentId !== 'string') return;
    const first = exchanges.find((one) => isInitiation(one) && membersOf(one.answer)['paymentId'] === paymentId);
    const account = this.accounts.get(
      bbanOf(membersOf(first === undefined ? null : bodyOf(first))['debtorAccount']) ?? '',
    );
    if (account === undefined) return;
    account.corporation ??= '';
    account.signatures = Math.max(account.signatures, 2);
  }

  #noteAccount(reference: unknown, key: string | null, corporation: string | null): ImpliedAccount | null {
    const bban = bbanOf(reference);
    if (bban === null) return null;
    const { currency = 'NOK', name, product, cashAccountType } = membersOf(reference);
    const account = this.accounts.get(bban) ?? {
      ...accountIn(bban, null),
      currency: typeof currency === 'string' && isCurrency(currency) ? currency : 'NOK',
    };
    this.accounts.set(bban, account);
    if (isName(name) && name.length >= (account.name?.length ?? 0)) account.name = name;
    if (isName(product)) account.product = product;
    if (typeof cashAccountType === 'string' && /^(?:CACC|TAXE|SVGS)$/.test(cashAccountType))
      account.type = cashAccountType;
    if (corporation !== null && (account.corporation ?? '') === '') account.corporation = corporation;
    if (key !== null) {
      if (account.holder !== null && corporation === null && account.corporation === null)
        this.#join(account.holder, key);
      account.holder ??= key;
    }
    return account;
  }

  /** An account of the list of the test data, which names its owner. */
  #noteListed(account: Members): void {
    const { accountName: name, customerNumber: number } = account;
    const noted = this.#noteAccount({ ...account, name }, null, null);
    if (noted === null || typeof number !== 'string') return;
    const owner = this.#listed.get(number);
    if (owner?.type !== 'corporate') {
      this.#person(`number ${number}`);
      noted.holder ??= `number ${number}`;
    } else {
      noted.corporation ??= `owner ${number}`;
      this.#corporations.set(`owner ${number}`, { number, name: owner.name, agreement: owner.name });
    }
  }

  /** An agreement in a list of the test data, with the rights of its people. The bank itself makes the agreement of a person with himself. */
  #noteEngaged(agreement: Members): void {
    const { owner, name } = agreement;
    if (typeof owner !== 'string' || this.#listed.get(owner)?.type !== 'corporate' || this.#created.has(owner)) return;
    const engagements = listOf(agreement, 'engagements').flatMap((one): object[] => {
      const { customer, account, roles } = membersOf(one);
      const bban = bbanOf(account);
      if (typeof customer !== 'string' || bban === null || !Array.isArray(roles)) return [];
      return [
        { customer, iban: norwegianIban(bban), roles: roles.filter((role) => role === 'VIEW' || role === 'REGISTER') },
      ];
    });
    this.#engaged.set(owner, { name: isName(name) ? name : `Agreement ${owner}`, engagements });
  }

  #noteCard(card: unknown, holder: string | null): void {
    const { maskedPan, name, product, currency, creditLimit } = membersOf(card);
    const { amount } = membersOf(creditLimit);
    if (typeof maskedPan !== 'string' || !/^\d{0,8}[xX*]{4,20}\d{0,4}$/.test(maskedPan)) return;
    if (typeof currency !== 'string' || !isCurrency(currency)) return;
    const isLimit = typeof amount === 'string' && /^\d{1,12}(?:\.\d+)?$/.test(amount);
    const shown = {
      maskedPan,
      name: isName(name) ? name : 'Kredittkort',
      product: isName(product) ? product : 'Basic Credit',
      currency,
      creditLimit: amountOf(isLimit ? (amount.split('.')[0] ?? '0') : '30000', currency),
    };
    this.#cards.set(maskedPan, { shown, holder });
  }

  #noteAgreement({ agreementId, name, owner, ownerName }: Members, key: string | null): void {
    if (typeof agreementId !== 'string' || typeof owner !== 'string' || !/^\d{1,35}$/.test(owner)) return;
    // The agreement of a person with himself.
    if (owner.length === 11) return this.#join(`number ${owner}`, key);
    this.#corporations.set(agreementId, {
      number: owner,
      name: isName(ownerName) ? ownerName : `Corporation ${owner}`,
      agreement: isName(name) ? name : `Agreement ${owner}`,
    });
  }

  #corporation(corporateId: string): Corporation {
    const known =
      this.#corporations.get(corporateId) ?? (corporateId === '' ? [...this.#corporations.values()][0] : undefined);
    if (known !== undefined) return known;
    const number = String(91_000_001 + this.#corporations.size);
    const made = { number, name: `Corporation ${number}`, agreement: `Agreement ${number}` };
    this.#corporations.set(corporateId, made);
    return made;
  }

  #everybody(): { readonly keys: Set<string> }[] {
    return [...new Set(this.#people.values())];
  }

  #person(key: string): { readonly keys: Set<string> } {
    const known = this.#people.get(key);
    if (known !== undefined) return known;
    const made = { keys: new Set([key]) };
    this.#people.set(key, made);
    return made;
  }

  #join(one: string, other: string | null): void {
    if (other === null) return;
    const [first, second] = [this.#person(one), this.#person(other)];
    const numbersIn = ({ keys }: { readonly keys: Set<string> }): string[] =>
      [...keys].filter((own) => own.startsWith('number '));
    if (first === second || (numbersIn(first).length > 0 && numbersIn(second).length > 0)) return;
    for (const key of second.keys) {
      first.keys.add(key);
      this.#people.set(key, first);
    }
  }

  /** The number of a customer who is in a list of the test data and nowhere else; undefined: there is none. */
  #unused(): string | undefined {
    const used = new Set(this.#numbers.values());
    return [...this.#listed]
      .filter(([number, { type }]) => type === 'private' && !used.has(number) && !this.#created.has(number))
      .map(([number]) => number)
      .find((number) => !this.#people.has(`number ${number}`));
  }

  #numberOf(person: { readonly keys: Set<string> }): string {
    const own = [...person.keys].find((key) => /^number \d{11}$/.test(key));
    if (own !== undefined) return own.slice('number '.length);
    const given = this.#numbers.get(person) ?? this.#unused() ?? String(41_010_100_001 + this.#numbers.size);
    this.#numbers.set(person, given);
    return given;
  }
}

/** A customer of the known state. */
interface Customer {
  readonly customerNumber: string;
  readonly name: string;
  readonly type: string;
  readonly accounts: readonly object[];
}

/** An account as the known state has it. */
function fixtureOf(account: ImpliedAccount, balances: LedgerGuess['balances']): object {
  const { bban, iban, currency, name, product, type, kid, signatures, isBlocked } = account;
  return {
    accountName: name ?? 'Brukskonto',
    bban,
    iban,
    currency,
    product: product ?? 'Brukskonto',
    cashAccountType: type ?? 'CACC',
    balance: balances.get(bban) ?? amountOf(ample, currency),
    ...(kid !== null && { kidAgreement: kid }),
    ...(signatures > 1 && { signaturesRequired: signatures }),
    ...(isBlocked && { paymentsAllowed: false }),
  };
}

/** An account in kroner. Nothing more is known of it. */
function accountIn(bban: string, holder: string | null): ImpliedAccount {
  return {
    bban,
    iban: norwegianIban(bban),
    currency: 'NOK',
    name: null,
    product: null,
    type: null,
    holder,
    corporation: null,
    signatures: 1,
    kid: null,
    isBlocked: false,
  };
}

/** A name that a bank takes: letters of this part of the world. Another one is a stranger's. */
function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 70) return false;
  return /\w/.test(value) && /^[\wæøåÆØÅäöÄÖéÉü .,'&/()+-]+$/.test(value);
}

/** Whole units: no payment of a recording is short of funds by it. */
export const ample = '50000000';

/** An amount of whole units with the fraction digits of its currency. */
export function amountOf(units: string, currency: Currency): string {
  const digits = minorUnits(currency);
  return digits === 0 ? units : `${units}.${'0'.repeat(digits)}`;
}
