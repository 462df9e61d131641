import { type Currency, formatAmount, minorUnits } from '../../engine/values/money.ts';
import { type Act, resourceOf } from './acts.ts';
import { codeOf, type Exchange, isInitiation, listOf, type Members, membersOf } from './exchange.ts';
import {
  amountOf,
  ample,
  bbanOf,
  bodyOf,
  type Implied,
  type ImpliedAccount,
  type LedgerGuess,
  stranger,
} from './implied.ts';
import { amountIn, codedAsFee, keyOf, mockOf, purchaseIn, unmatched } from './listed-transactions.ts';
import type { Plan, Replayed } from './replay.ts';

/** What could have happened: an act, another opening balance, a payee inside the bank, or that an earlier guess was wrong. */
export type Guess =
  | Plan[number]
  | { readonly bban: string; readonly balance: string }
  | { readonly inside: string; readonly holder: string }
  | { readonly without: Plan[number] };

/** A recording, and what it says itself. */
export interface Known {
  readonly exchanges: readonly Exchange[];
  readonly implied: Implied;
  /** Approvals that may have happened: the recording does not tell. */
  readonly unclear: Plan;
}

/** What a search has found. */
export interface Found extends LedgerGuess {
  readonly plan: Plan;
}

/** The guesses that may explain why the answer to an exchange differs, the likeliest first. */
export function guessesAt(known: Known, found: Found, one: Replayed, index: number, keepsAmounts: boolean): Guess[] {
  return one.isLost ? [] : new Guesser(known, found, one, index).all(keepsAmounts);
}

/** The guesses for one exchange. */
class Guesser {
  readonly #exchanges: readonly Exchange[];
  readonly #implied: Implied;
  readonly #unclear: Plan;
  readonly #found: Found;
  readonly #one: Replayed;
  readonly #index: number;
  /** The exchanges before it. */
  readonly #before: readonly Exchange[];
  /** The members of the recorded answer, and those of our answer. */
  readonly #theirs: Members;
  readonly #ours: Members;

  constructor({ exchanges, implied, unclear }: Known, found: Found, one: Replayed, index: number) {
    this.#exchanges = exchanges;
    this.#implied = implied;
    this.#unclear = unclear;
    this.#found = found;
    this.#one = one;
    this.#index = index;
    this.#before = exchanges.slice(0, index);
    this.#theirs = membersOf(one.exchange.answer);
    this.#ours = membersOf(one.answered.answer);
  }

  all(keepsAmounts: boolean): Guess[] {
    const { exchange, answered, differences } = this.#one;
    const [theirs, ours] = [this.#theirs, this.#ours];
    const births = new Set(this.#found.plan.map(({ act }) => (act.does === 'approve' ? act.birth : -2)));
    const guesses: Guess[] = this.#unclear.filter(
      ({ before, act }) => before <= this.#index && act.does === 'approve' && !births.has(act.birth),
    );
    const payment = resourceOf(exchange);
    // Settled when ours waits, or accepted without a moved date.
    const isAtOnce =
      (theirs['transactionStatus'] === 'ACSC' && ours['transactionStatus'] !== 'ACSC') ||
      differences.some(({ kind, path }) => kind === 'absent' && path === 'tppMessages');
    if (payment !== null && isAtOnce) guesses.push(...this.#insideOf(payment));
    const [code, ownCode] = [codeOf(exchange.answer), codeOf(answered.answer)];
    if (['CONSENT_INVALID', 'CONSENT_UNKNOWN'].includes(code) && code !== ownCode)
      guesses.push(this.#did({ does: 'revoke' }));
    const isOtherwise =
      exchange.status !== answered.status ||
      theirs['transactionStatus'] !== ours['transactionStatus'] ||
      hasFailed(theirs) !== hasFailed(ours);
    if (payment !== null && isOtherwise) {
      guesses.push(...this.#fundsOf(payment, ownCode === 'RESOURCE_UNKNOWN' && code !== ownCode));
      if (theirs['transactionStatus'] === 'CANC') guesses.push(this.#did({ does: 'cancel', payment }));
      if (theirs['transactionStatus'] === 'RJCT') guesses.push(this.#did({ does: 'reject', payment }));
    }
    const { requestedExecutionDate: date } = theirs;
    if (payment !== null && typeof date === 'string' && (isOtherwise || date !== ours['requestedExecutionDate']))
      guesses.push(this.#did({ does: 'move', payment, date }));
    const isList = exchange.endpoint === '/accounts/:accountId/transactions';
    if (isList && exchange.status === 200 && answered.status === 200)
      guesses.push(
        ...this.#others(),
        ...this.#reservations(),
        ...this.#pending(),
        ...this.#unpaid(),
        ...this.#doubled(),
      );
    if (differences.some(({ kind, path }) => kind === 'changed' && path.endsWith('balanceAmount.amount')))
      guesses.push(...accountsIn(theirs).flatMap((account) => this.#unpaidFrom(this.#accountOf(account))));
    if (keepsAmounts) guesses.push(...this.#openings());
    guesses.push(...this.#found.plan.filter(({ act }) => act.does !== 'approve').map((without) => ({ without })));
    return guesses;
  }

  #did(act: Act): Guess {
    return { before: this.#index, act };
  }

  #accountOf(reference: unknown): ImpliedAccount | undefined {
    return this.#implied.accounts.get(bbanOf(reference) ?? '');
  }

  /** Opening balances of an account in minor units, but for the one that it has already. */
  #openedWith({ bban, currency }: ImpliedAccount, minors: readonly bigint[]): Guess[] {
    const texts = new Set(minors.map((minor) => formatAmount({ minor, currency })));
    texts.delete(this.#found.balances.get(bban) ?? '');
    return Array.from(texts, (balance) => ({ bban, balance }));
  }

  /** The pending or the booked transactions of both answers. */
  #lists(...names: readonly string[]): readonly [recorded: Members[], own: Members[]] {
    const listIn = ({ transactions }: Members): Members[] =>
      names.flatMap((name) => listOf(transactions, name)).map(membersOf);
    return [listIn(this.#theirs), listIn(this.#ours)];
  }

  /** The initiation of a payment; undefined: the recording has none. */
  #initiationOf(payment: string): Exchange | undefined {
    return this.#exchanges.find((one) => isInitiation(one) && resourceOf(one) === payment);
  }

  /** The payee may have its account in this bank: it is the payer's own one, or a stranger's. */
  #insideOf(payment: string): Guess[] {
    const made = this.#initiationOf(payment);
    if (made?.endpoint !== '/payments/:product') return [];
    const { creditorAccount, debtorAccount } = membersOf(bodyOf(made));
    const bban = bbanOf(creditorAccount);
    if (bban === null || this.#implied.accounts.has(bban) || this.#found.inside.has(bban)) return [];
    const { holder = null } = this.#accountOf(debtorAccount) ?? {};
    return [...(holder === null ? [] : [holder]), stranger].map((one) => ({ inside: bban, holder: one }));
  }

  /** A list with more debits than ours, after a standing order: a run may have executed it twice. */
  #doubled(): Guess[] {
    const isMore = ['pending', 'booked'].some((name) => {
      const [recorded, own] = this.#lists(name);
      return recorded.length > own.length;
    });
    const hasOrder = this.#before.some(
      ({ endpoint, status }) => endpoint === '/periodic-payments/:product' && status === 201,
    );
    return isMore && hasOrder ? [this.#did({ does: 'double' })] : [];
  }

  /** For a recording with real amounts: the opening balances that turn our balances into the recorded ones. */
  #openings(): Guess[] {
    const own = new Map(accountsIn(this.#ours).map((account) => [bbanOf(account), bookedOf(account)]));
    return accountsIn(this.#theirs).flatMap((account): Guess[] => {
      const known = this.#accountOf(account);
      if (known === undefined) return [];
      const { bban, currency } = known;
      const [recorded, replayed] = [bookedOf(account), own.get(bban) ?? null];
      if (recorded === null || replayed === null) return [];
      const opening = minorOf(this.#found.balances.get(bban) ?? amountOf(ample, currency), currency);
      const balance = opening + minorOf(recorded, currency) - minorOf(replayed, currency);
      return balance === opening || balance < 0n ? [] : this.#openedWith(known, [balance]);
    });
  }

  /** Funds that lack at an attempt, or come later. `isGone`: our payment is booked, and the recorded one is there. */
  #fundsOf(payment: string, isGone: boolean): Guess[] {
    const made = this.#initiationOf(payment);
    const body = membersOf(made === undefined ? null : bodyOf(made));
    const account = this.#accountOf(body['debtorAccount']);
    if (account === undefined) return [];
    const { bban, currency } = account;
    const status = String(this.#theirs['transactionStatus']);
    const isLacking = isGone || hasFailed(this.#theirs) || ['ACCP', 'RJCT', 'PART'].includes(status);
    const opening = this.#found.balances.get(bban);
    const bases = [this.#paidBefore(account, payment), ...(opening === undefined ? [] : [minorOf(opening, currency)])];
    const above = (minors: readonly bigint[]): Guess[] =>
      this.#openedWith(
        account,
        bases.flatMap((base) => minors.map((minor) => base + minor)),
      );
    const { passing, failing } = itemsByFate(body, this.#theirs);
    if (isLacking) {
      const passed = minorsOf(passing, currency);
      // As much as leaves the smallest of the others short, or as little as what passed needs.
      const short = (smallestOf(failing.map((item) => minorsOf([item], currency))) ?? 1n) - 1n;
      return [...above([short > passed ? short : passed, passed, 0n]), ...this.#unpaidFrom(account)];
    }
    if (opening === undefined) return [];
    const enough = minorsOf([...passing, ...failing], currency);
    // Other payments that no answer tells of may have needed some of it.
    const more = [0n, 1_000n, 10_000n, 100_000n, 1_000_000n].map((minor) => enough + minor);
    const amount = { amount: amountOf('1000000', currency), currency };
    return [...above(more), ...this.#unpaidFrom(account), this.#did({ does: 'top-up', bban, amount })];
  }

  /** A list that lacks payments which ours has: there was no more on the account than what the list has of them. */
  #unpaid(): Guess[] {
    const account = this.#accountOf(this.#theirs['account']);
    if (account === undefined) return [];
    const [recorded, own] = this.#lists('booked', 'pending');
    const debitsOf = (items: readonly Members[]): bigint[] =>
      items
        .map(amountIn)
        .filter((amount) => amount.startsWith('-'))
        .map((amount) => -minorOf(amount, account.currency));
    const paid = debitsOf(recorded);
    const left = debitsOf(own);
    for (const amount of paid) if (left.includes(amount)) left.splice(left.indexOf(amount), 1);
    const smallest = smallestOf(left);
    if (smallest === undefined && !(this.#found.balances.has(account.bban) && recorded.length > own.length)) return [];
    const sum = paid.reduce((all, amount) => all + amount, 0n);
    const short = (smallest ?? 1n) - 1n;
    return this.#openedWith(account, [short > sum ? short : sum, short + sum, sum, 0n]);
  }

  /** Booked transactions of a recorded list that ours lacks: others have made them, in its order or in the opposite one. */
  #others(): Guess[] {
    const bban = bbanOf(this.#theirs['account']);
    const transactions = unmatched(...this.#lists('booked'), keyOf).flatMap(mockOf);
    if (bban === null || transactions.length === 0) return [];
    const coded = transactions.map(codedAsFee);
    return [transactions, transactions.toReversed(), coded, coded.toReversed()].map((each) =>
      this.#did({ does: 'post', bban, transactions: each }),
    );
  }

  /** Pending transactions of a recorded list that ours lacks and no payment of the recording made; and those that the bank has let go. */
  #reservations(): Guess[] {
    const bban = bbanOf(this.#theirs['account']);
    if (bban === null) return [];
    const paid = new Set(
      this.#accepted()
        .flatMap(({ transfers }) => transfers)
        .map((transfer) => `-${membersOf(membersOf(transfer)['instructedAmount'])['amount']}`),
    );
    const [recorded, own] = this.#lists('pending');
    const reserved = (items: readonly Members[]): object[] =>
      items
        .filter((item) => !paid.has(amountIn(item)))
        .flatMap((item) => mockOf({ bookingDate: '2000-01-01', ...item, ...purchaseIn(item) }))
        .map((mock) => ({ ...mock, bookingDate: '' }));
    const missing = reserved(unmatched(recorded, own, amountIn));
    const left = reserved(unmatched(own, recorded, amountIn));
    const guess = (does: 'post' | 'release', transactions: readonly object[]): Guess[] =>
      transactions.length === 0 ? [] : [this.#did({ does, bban, transactions })];
    return [...guess('post', missing), ...guess('post', missing.toReversed()), ...guess('release', left)];
  }

  /** Pending debits of a recorded list that ours lacks. Pending credits, and those in another currency, cannot be made. */
  #pending(): Guess[] {
    const account = this.#accountOf(this.#theirs['account']);
    if (account === undefined || account.corporation !== null || account.currency !== 'NOK') return [];
    const payments = unmatched(...this.#lists('pending'), keyOf).flatMap((item): object[] => {
      const amount = amountIn(item);
      if (!/^-\d{1,9}\.\d\d$/.test(amount)) return [];
      const { remittanceInformationUnstructured: text } = item;
      return [
        {
          instructedAmount: { amount: amount.slice(1), currency: 'NOK' },
          debtorAccount: { bban: account.bban, currency: 'NOK' },
          creditorAccount: { bban: '90491105991', currency: 'NOK' },
          creditorName: 'Somebody',
          ...(typeof text === 'string' && text.trim() !== '' && { remittanceInformationUnstructured: text }),
        },
      ];
    });
    const psu = this.#implied.personOf(account.holder).number;
    // Lists have the latest first.
    return payments.length === 0 ? [] : [this.#did({ does: 'pend', psu, payments: payments.toReversed() })];
  }

  /** A balance that stayed, or changed otherwise: some payment before was short of funds. */
  #unpaidFrom(account: ImpliedAccount | undefined): Guess[] {
    if (account === undefined) return [];
    const needed = this.#accepted()
      .filter(({ debtor }) => debtor === account.bban)
      .flatMap(({ transfers }) => transfers)
      .map((transfer) => minorsOf([transfer], account.currency) - 1n);
    return this.#openedWith(account, [0n, ...needed].slice(0, 8));
  }

  /** The payments that were accepted before: each with its debtor account and its items. */
  #accepted(): { readonly debtor: string | null; readonly transfers: readonly unknown[] }[] {
    return this.#before.filter(isAccepted).map((one) => {
      const { payments, ...body } = membersOf(bodyOf(one));
      const transfers = Array.isArray(payments) ? (payments as readonly unknown[]) : [body];
      return { debtor: bbanOf(body['debtorAccount']), transfers };
    });
  }

  /** Minor units of the other payments from an account that an earlier answer shows as settled, or as booked and gone. */
  #paidBefore({ bban, currency }: ImpliedAccount, payment: string): bigint {
    const read = this.#before.map((one) => ({ id: resourceOf(one), answer: one.answer }));
    const isRead = (answer: unknown, ...statuses: readonly string[]): boolean =>
      statuses.includes(String(membersOf(answer)['transactionStatus']));
    const signed = new Set(read.filter(({ answer }) => isRead(answer, 'PDNG', 'ACSP')).map(({ id }) => id));
    const settled = new Set(
      read
        .filter(
          ({ id, answer }) =>
            isRead(answer, 'ACSC', 'ACCC') || (signed.has(id) && codeOf(answer) === 'RESOURCE_UNKNOWN'),
        )
        .map(({ id }) => id),
    );
    const paid = this.#exchanges
      .filter((one) => isAccepted(one) && resourceOf(one) !== payment && settled.has(resourceOf(one)))
      .map((one) => membersOf(bodyOf(one)))
      .filter((body) => bbanOf(body['debtorAccount']) === bban);
    return minorsOf(paid, currency);
  }
}

function isAccepted(exchange: Exchange): boolean {
  return isInitiation(exchange) && exchange.status === 201;
}

/** Whether a message tells that an attempt failed. */
function hasFailed(answer: Members): boolean {
  return listOf(answer, 'tppMessages').some((message) => membersOf(message)['code'] === 'PAYMENT_FAILED');
}

/** The transfers of a payment that an answer names as failed, and the others; of a single payment it is the payment. */
function itemsByFate(
  body: Members,
  theirs: Members,
): { readonly passing: readonly unknown[]; readonly failing: readonly unknown[] } {
  if (!Array.isArray(body['payments'])) return { passing: [], failing: [body] };
  const items = listOf(body, 'payments');
  const named = new Set(listOf(theirs, 'tppMessages').map((message) => membersOf(message)['path']));
  const isNamed = (at: number): boolean => named.has(`payments[${at}]`);
  // Nothing tells: the first one is taken for the failed one.
  if (named.size === 0) return { passing: items.slice(1), failing: items.slice(0, 1) };
  return { passing: items.filter((_, at) => !isNamed(at)), failing: items.filter((_, at) => isNamed(at)) };
}

/** The accounts with balances of an answer: of a list, of one account, or of its balances. */
function accountsIn(answer: Members): Members[] {
  const { accounts, account, balances } = answer;
  if (Array.isArray(accounts)) return accounts.map(membersOf);
  return [{ ...membersOf(account), ...(balances !== undefined && { balances }) }];
}

/** The booked balance of an account, else its first one; null: it shows none. */
function bookedOf(account: Members): string | null {
  const all = listOf(account, 'balances').map(membersOf);
  const shown = all.find(({ balanceType }) => balanceType === 'interimBooked') ?? all[0];
  const { amount } = membersOf(shown?.['balanceAmount']);
  return typeof amount === 'string' ? amount : null;
}

/** The sum of transfers, in minor units. */
function minorsOf(transfers: readonly unknown[], currency: Currency): bigint {
  return transfers.reduce<bigint>((sum, transfer) => {
    const { amount } = membersOf(membersOf(transfer)['instructedAmount']);
    return sum + (typeof amount === 'string' ? minorOf(amount, currency) : 0n);
  }, 0n);
}

/** Minor units of a decimal text; 0 for another one. */
function minorOf(amount: string, currency: Currency): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d{1,5}))?$/.exec(amount) ?? [];
  const digits = minorUnits(currency);
  return BigInt(sign + whole + fraction.padEnd(digits, '0').slice(0, digits));
}

function smallestOf(minors: readonly bigint[]): bigint | undefined {
  return minors.toSorted((one, other) => Number(one - other))[0];
}
