import { type Currency, isCurrency, minorUnits } from '../../engine/values/currency.ts';
import { formatAmount } from '../../engine/values/money.ts';
import { approvalsOf, resourceOf } from './acts.ts';
import { codeOf, type Exchange, membersOf } from './exchange.ts';
import {
  amountOf,
  ample,
  bbanOf,
  bodyOf,
  Implied,
  initiations,
  type LedgerGuess,
  listOf,
  stranger,
} from './implied.ts';
import { type Plan, Replay, type Replayed, type ReplaySettings } from './replay.ts';

/** How a recording went in our bank, with the acts that explain most of it. */
export interface Outcome {
  readonly replayed: readonly Replayed[];
  readonly plan: Plan;
}

/** What could have happened: an act, another opening balance, a payee inside the bank, or that an earlier guess was wrong. */
type Guess =
  | Plan[number]
  | { readonly bban: string; readonly balance: string }
  | { readonly inside: string; readonly holder: string }
  | { readonly without: Plan[number] };

/** Requests that may be sent to find out what people did, beside those of the recording. */
const spareRequests = 5_000;

/**
 * Replays exchanges. Where an answer differs, looks for something that a PSU or the bank may have done before, and keeps it if it makes
 * differences go away: an approval, a revocation, lacking funds, a change in another channel, transactions of others. What it has found
 * holds for each later run, under other quirks too.
 */
export class Search {
  readonly #exchanges: readonly Exchange[];
  readonly #implied: Implied;
  #balances: ReadonlyMap<string, string> = new Map();
  #inside: ReadonlyMap<string, string> = new Map();
  #plan: Plan;
  readonly #unclear: Plan;
  /** Exchanges for which nothing more is looked for. */
  readonly #settled = new Set<number>();
  /** Guesses that were kept once; none is kept twice. */
  readonly #adopted = new Set<string>();
  #spare = spareRequests;

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
    this.#implied = new Implied(exchanges);
    const { certain, unclear } = approvalsOf(exchanges, this.#implied);
    this.#plan = certain;
    this.#unclear = unclear;
  }

  async run(settings: ReplaySettings): Promise<Outcome> {
    for (;;) {
      const { replayed, stopped } = await this.#once(
        settings,
        this.#plan,
        { balances: this.#balances, inside: this.#inside },
        this.#exchanges.length,
        true,
      );
      if (stopped === null) return { replayed, plan: this.#plan };
      const better = await this.#explain(settings, replayed, stopped);
      if (!better) this.#settled.add(stopped);
    }
  }

  /** Replays with what has been found, and looks for nothing more. */
  async glance(settings: ReplaySettings): Promise<readonly Replayed[]> {
    const ledger = { balances: this.#balances, inside: this.#inside };
    return (await this.#once(settings, this.#plan, ledger, this.#exchanges.length, false)).replayed;
  }

  /** Replays up to an exchange; with `stops` only to the first one that differs and is not settled. */
  async #once(
    settings: ReplaySettings,
    plan: Plan,
    ledger: LedgerGuess,
    to: number,
    stops: boolean,
  ): Promise<{ readonly replayed: readonly Replayed[]; readonly stopped: number | null }> {
    await using replay = await Replay.open({ exchanges: this.#exchanges, implied: this.#implied }, settings, ledger);
    const replayed: Replayed[] = [];
    for (let index = 0; index < to; index += 1) {
      const acts = plan.filter(({ before }) => before === index).map(({ act }) => act);
      const one = await replay.step(index, acts);
      replayed.push(one);
      if (stops && one.differences.length > 0 && !this.#settled.has(index) && this.#spare > 0) {
        if (this.#guesses(one, index, settings).length > 0) return { replayed, stopped: index };
        this.#settled.add(index);
      }
    }
    return { replayed, stopped: null };
  }

  /** Adopts the guess that leaves the fewest differences up to an exchange, if it leaves fewer than there are. */
  async #explain(settings: ReplaySettings, replayed: readonly Replayed[], index: number): Promise<boolean> {
    const last = replayed[index];
    if (last === undefined) return false;
    let best = { left: distanceOf(replayed), guess: null as Guess | null };
    for (const guess of this.#guesses(last, index, settings)) {
      this.#spare -= index + 1;
      const { replayed: again } = await this.#once(settings, ...this.#with(guess), index + 1, false);
      const left = distanceOf(again);
      if (left < best.left) best = { left, guess };
      if (left === 0) break;
    }
    if (best.guess === null) return false;
    this.#adopted.add(JSON.stringify(best.guess));
    // What was given up may be explained now.
    this.#settled.clear();
    const [plan, { balances, inside }] = this.#with(best.guess);
    [this.#plan, this.#balances, this.#inside] = [plan, balances, inside];
    return true;
  }

  #with(guess: Guess): [Plan, LedgerGuess] {
    const ledger = { balances: this.#balances, inside: this.#inside };
    if ('act' in guess) return [[...this.#plan, guess], ledger];
    if ('without' in guess) return [this.#plan.filter((one) => one !== guess.without), ledger];
    if ('inside' in guess)
      return [this.#plan, { ...ledger, inside: new Map([...this.#inside, [guess.inside, guess.holder]]) }];
    return [this.#plan, { ...ledger, balances: new Map([...this.#balances, [guess.bban, guess.balance]]) }];
  }

  /** What may explain that an exchange differs. */
  #guesses({ exchange, answered, isLost, differences }: Replayed, index: number, settings: ReplaySettings): Guess[] {
    if (isLost) return [];
    const births = new Set(this.#plan.map(({ act }) => (act.does === 'approve' ? act.birth : -2)));
    const guesses: Guess[] = this.#unclear.filter(
      ({ before, act }) => before <= index && act.does === 'approve' && !births.has(act.birth),
    );
    const { status, endpoint, answer } = exchange;
    const [theirs, ours] = [membersOf(answer), membersOf(answered.answer)];
    const payment = resourceOf(exchange);
    // Settled when ours waits, or accepted without a moved date.
    const isAtOnce =
      (theirs['transactionStatus'] === 'ACSC' && ours['transactionStatus'] !== 'ACSC') ||
      differences.some(({ kind, path }) => kind === 'absent' && path === 'tppMessages');
    if (payment !== null && isAtOnce) guesses.push(...this.#insideOf(payment));
    if (['CONSENT_INVALID', 'CONSENT_UNKNOWN'].includes(codeOf(answer)) && codeOf(answer) !== codeOf(answered.answer))
      guesses.push({ before: index, act: { does: 'revoke' } });
    const isOtherwise =
      status !== answered.status ||
      theirs['transactionStatus'] !== ours['transactionStatus'] ||
      hasFailed(theirs) !== hasFailed(ours);
    if (payment !== null && isOtherwise) {
      const isGone = codeOf(answered.answer) === 'RESOURCE_UNKNOWN' && codeOf(answer) !== 'RESOURCE_UNKNOWN';
      guesses.push(...this.#fundsOf(payment, theirs, index, isGone));
      if (theirs['transactionStatus'] === 'CANC') guesses.push({ before: index, act: { does: 'cancel', payment } });
      if (theirs['transactionStatus'] === 'RJCT') guesses.push({ before: index, act: { does: 'reject', payment } });
    }
    const { requestedExecutionDate: date } = theirs;
    if (payment !== null && typeof date === 'string' && (isOtherwise || date !== ours['requestedExecutionDate']))
      guesses.push({ before: index, act: { does: 'move', payment, date } });
    if (endpoint === '/accounts/:accountId/transactions' && status === 200 && answered.status === 200)
      guesses.push(
        ...othersOf(theirs, ours, index),
        ...this.#reservationsIn(theirs, ours, index),
        ...this.#pendingIn(theirs, ours, index),
        ...this.#unpaidIn(theirs, ours),
        ...this.#doubledIn(theirs, ours, index),
      );
    if (differences.some(({ kind, path }) => kind === 'changed' && path.endsWith('balanceAmount.amount')))
      guesses.push(...accountsIn(theirs).flatMap((account) => this.#unpaidFrom(bbanOf(account) ?? '', index)));
    if (settings.keeps.has('amounts')) guesses.push(...this.#openingsIn(theirs, ours));
    guesses.push(...this.#plan.filter(({ act }) => act.does !== 'approve').map((without) => ({ without })));
    const different = new Map(guesses.map((guess) => [JSON.stringify(guess), guess]));
    return [...different].filter(([text]) => !this.#adopted.has(text)).map(([, guess]) => guess);
  }

  /** The payee may have its account in this bank: it is the payer's own one, or a stranger's. */
  #insideOf(payment: string): Guess[] {
    const made = this.#exchanges.find(
      (one) => one.endpoint === '/payments/:product' && one.status === 201 && resourceOf(one) === payment,
    );
    const { creditorAccount, debtorAccount } = membersOf(made === undefined ? null : bodyOf(made));
    const [bban, debtor] = [bbanOf(creditorAccount), bbanOf(debtorAccount)];
    if (bban === null || this.#implied.accounts.has(bban) || this.#inside.has(bban)) return [];
    const { holder = null } = this.#implied.accounts.get(debtor ?? '') ?? {};
    return [...(holder === null ? [] : [holder]), stranger].map((one) => ({ inside: bban, holder: one }));
  }

  /** A list with more debits than ours, after a standing order: a run may have executed it twice. */
  #doubledIn(
    theirs: Readonly<Record<string, unknown>>,
    ours: Readonly<Record<string, unknown>>,
    index: number,
  ): Guess[] {
    const isMore = ['pending', 'booked'].some((name) => listIn(theirs, name).length > listIn(ours, name).length);
    const hasOrder = this.#exchanges
      .slice(0, index)
      .some(({ endpoint, status }) => endpoint === '/periodic-payments/:product' && status === 201);
    return isMore && hasOrder ? [{ before: index, act: { does: 'double' } }] : [];
  }

  /** Amounts were kept: the opening balances with which ours become the recorded ones. */
  #openingsIn(theirs: Readonly<Record<string, unknown>>, ours: Readonly<Record<string, unknown>>): Guess[] {
    const own = new Map(accountsIn(ours).map((account) => [bbanOf(account), bookedOf(account)]));
    return accountsIn(theirs).flatMap((account): Guess[] => {
      const bban = bbanOf(account) ?? '';
      const known = this.#implied.accounts.get(bban);
      const [recorded, replayed] = [bookedOf(account), own.get(bban)];
      if (known === undefined || recorded === null || replayed === null || replayed === undefined) return [];
      const { currency } = known;
      const opening = minorOf(this.#balances.get(bban) ?? amountOf(ample, currency), currency);
      const balance = opening + signedMinorOf(recorded, currency) - signedMinorOf(replayed, currency);
      return balance === opening || balance < 0n ? [] : [{ bban, balance: formatAmount({ minor: balance, currency }) }];
    });
  }

  /** Funds that lack at an attempt, or come later. `isGone`: our payment is booked, and the recorded one is there. */
  #fundsOf(payment: string, theirs: Readonly<Record<string, unknown>>, index: number, isGone: boolean): Guess[] {
    const made = this.#exchanges.find(
      (one) => one.endpoint !== null && initiations.test(one.endpoint) && resourceOf(one) === payment,
    );
    const body = membersOf(made === undefined ? null : bodyOf(made));
    const bban = bbanOf(body['debtorAccount']);
    const account = bban === null ? undefined : this.#implied.accounts.get(bban);
    if (bban === null || account === undefined) return [];
    const status = String(theirs['transactionStatus']);
    const isLacking = isGone || hasFailed(theirs) || ['ACCP', 'RJCT', 'PART'].includes(status);
    const opening = this.#balances.get(bban);
    const bases = [
      this.#paidBefore(bban, payment, index),
      ...(opening === undefined ? [] : [minorOf(opening, account.currency)]),
    ];
    const balancesOf = (minors: readonly bigint[]): Guess[] => {
      const texts = new Set(
        bases.flatMap((base) =>
          minors.map((minor) => formatAmount({ minor: base + minor, currency: account.currency })),
        ),
      );
      return [...texts].filter((balance) => balance !== opening).map((balance) => ({ bban, balance }));
    };
    const { passing, failing } = itemsByFate(body, theirs);
    if (isLacking) {
      const passed = minorsOf(passing, account.currency);
      // As much as leaves the smallest of the others short, or as little as what passed needs.
      const [smallest = 1n] = failing
        .map((item) => minorsOf([item], account.currency))
        .toSorted((a, b) => Number(a - b));
      const most = smallest - 1n > passed ? smallest - 1n : passed;
      return [...balancesOf([most, passed, 0n]), ...this.#unpaidFrom(bban, index)];
    }
    if (opening === undefined) return [];
    const amount = { amount: amountOf('1000000', account.currency), currency: account.currency };
    const enough = minorsOf([...passing, ...failing], account.currency);
    // Other payments that no answer tells of may have needed some of it.
    const more = [0n, 1_000n, 10_000n, 100_000n, 1_000_000n].map((minor) => enough + minor);
    return [
      ...balancesOf(more),
      ...this.#unpaidFrom(bban, index),
      { before: index, act: { does: 'top-up', bban, amount } },
    ];
  }

  /** A list that lacks payments which ours has: there was no more on the account than what the list has of them. */
  #unpaidIn(theirs: Readonly<Record<string, unknown>>, ours: Readonly<Record<string, unknown>>): Guess[] {
    const account = this.#implied.accounts.get(bbanOf(theirs['account']) ?? '');
    const [recorded, own] = [theirs, ours].map((answer) =>
      ['booked', 'pending'].flatMap((name) => listIn(answer, name)),
    );
    if (account === undefined || recorded === undefined || own === undefined) return [];
    const debitsOf = (items: readonly Readonly<Record<string, unknown>>[]): bigint[] =>
      items
        .map(({ transactionAmount }) => String(membersOf(transactionAmount)['amount']))
        .filter((amount) => amount.startsWith('-'))
        .map((amount) => minorOf(amount.slice(1), account.currency));
    const paid = debitsOf(recorded);
    const left = debitsOf(own);
    for (const amount of paid) if (left.includes(amount)) left.splice(left.indexOf(amount), 1);
    const [smallest] = left.toSorted((one, other) => Number(one - other));
    const sum = paid.reduce((all, amount) => all + amount, 0n);
    if (smallest === undefined && !(this.#balances.has(account.bban) && recorded.length > own.length)) return [];
    const short = (smallest ?? 1n) - 1n;
    const balances = [short > sum ? short : sum, short + sum, sum, 0n];
    const texts = new Set(balances.map((minor) => formatAmount({ minor, currency: account.currency })));
    return [...texts]
      .filter((balance) => balance !== this.#balances.get(account.bban))
      .map((balance) => ({ bban: account.bban, balance }));
  }

  /** Pending transactions of a recorded list that ours lacks and no payment of the recording made; and those that the bank has let go. */
  #reservationsIn(
    theirs: Readonly<Record<string, unknown>>,
    ours: Readonly<Record<string, unknown>>,
    index: number,
  ): Guess[] {
    const bban = bbanOf(theirs['account']);
    if (bban === null) return [];
    const paid = new Set(
      this.#accepted(index)
        .flatMap(({ transfers }) => transfers)
        .map((transfer) => `-${membersOf(membersOf(transfer)['instructedAmount'])['amount']}`),
    );
    const [recorded = [], own = []] = [theirs, ours].map((answer) => listIn(answer, 'pending'));
    const amountIn = ({ transactionAmount }: Readonly<Record<string, unknown>>): string =>
      String(membersOf(transactionAmount)['amount']);
    const reserved = (items: readonly Readonly<Record<string, unknown>>[]): object[] =>
      items
        .filter((item) => !paid.has(amountIn(item)))
        .flatMap((item) => mockOf({ bookingDate: '2000-01-01', ...item, ...purchaseIn(item) }))
        .map((mock) => ({ ...mock, bookingDate: '' }));
    const missing = reserved(unmatched(recorded, own, amountIn));
    const left = reserved(unmatched(own, recorded, amountIn));
    const guess = (does: 'post' | 'release', transactions: readonly object[]): Guess[] =>
      transactions.length === 0 ? [] : [{ before: index, act: { does, bban, transactions } }];
    return [...guess('post', missing), ...guess('post', missing.toReversed()), ...guess('release', left)];
  }

  /** The payments that were accepted before an exchange. */
  #accepted(index: number): Accepted[] {
    return this.#exchanges
      .slice(0, index)
      .filter(isAccepted)
      .map((one) => {
        const { payments, ...body } = membersOf(bodyOf(one));
        const transfers = Array.isArray(payments) ? (payments as readonly unknown[]) : [body];
        return { debtor: bbanOf(body['debtorAccount']), transfers };
      });
  }

  /** Pending debits of a recorded list that ours lacks. Pending credits, and those in another currency, cannot be made. */
  #pendingIn(
    theirs: Readonly<Record<string, unknown>>,
    ours: Readonly<Record<string, unknown>>,
    index: number,
  ): Guess[] {
    const account = this.#implied.accounts.get(bbanOf(theirs['account']) ?? '');
    if (account === undefined || account.corporation !== null || account.currency !== 'NOK') return [];
    const [recorded = [], own = []] = [theirs, ours].map((answer) => listIn(answer, 'pending'));
    const payments = unmatched(recorded, own, keyOf).flatMap((item): object[] => {
      const { amount } = membersOf(item['transactionAmount']);
      if (typeof amount !== 'string' || !/^-\d{1,9}\.\d\d$/.test(amount)) return [];
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
    return payments.length === 0
      ? []
      : [{ before: index, act: { does: 'pend', psu, payments: payments.toReversed() } }];
  }

  /** A balance that stayed, or changed otherwise: some payment before was short of funds. */
  #unpaidFrom(bban: string, index: number): Guess[] {
    const { currency } = this.#implied.accounts.get(bban) ?? {};
    if (currency === undefined) return [];
    const needed = this.#accepted(index)
      .filter(({ debtor }) => debtor === bban)
      .flatMap(({ transfers }) => transfers)
      .map((transfer) => minorsOf([transfer], currency) - 1n);
    const texts = new Set([0n, ...needed].slice(0, 8).map((minor) => formatAmount({ minor, currency })));
    return [...texts].filter((balance) => balance !== this.#balances.get(bban)).map((balance) => ({ bban, balance }));
  }

  /** Minor units of the other payments from an account that an earlier answer shows as settled, or as booked and gone. */
  #paidBefore(bban: string, payment: string, index: number): bigint {
    const read = this.#exchanges.slice(0, index).map((one) => ({ id: resourceOf(one), answer: one.answer }));
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
    return this.#exchanges
      .filter(isAccepted)
      .filter((one) => resourceOf(one) !== payment && settled.has(resourceOf(one)))
      .map((one) => membersOf(bodyOf(one)))
      .filter((body) => bbanOf(body['debtorAccount']) === bban)
      .reduce((sum, body) => sum + minorsOf([body], this.#implied.accounts.get(bban)?.currency ?? 'NOK'), 0n);
  }
}

/** How far answers are from the recorded ones. A request that cannot be made for lack of an id is as far as can be. */
export function distanceOf(replayed: readonly Replayed[]): number {
  return replayed.reduce((sum, { differences, isLost }) => sum + (isLost ? 20 : weightOf(differences)), 0);
}

/** Another status, and an item that is missing, say more than many members; two refusals are nearer to each other. */
function weightOf(differences: Replayed['differences']): number {
  return differences.reduce((sum, { kind, path, recorded, replayed }) => {
    if (kind === 'status') return sum + (Number(recorded) >= 400 && Number(replayed) >= 400 ? 10 : 20);
    return sum + (path.endsWith('[]') && (kind === 'extra' || kind === 'absent') ? 20 : 1);
  }, 0);
}

/** What a payment pays, item by item, and from which account. */
interface Accepted {
  readonly debtor: string | null;
  readonly transfers: readonly unknown[];
}

function isAccepted({ endpoint, status }: Exchange): boolean {
  return endpoint !== null && initiations.test(endpoint) && status === 201;
}

/** Whether a message tells that an attempt failed. */
function hasFailed({ tppMessages }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(tppMessages) && tppMessages.some((message) => membersOf(message)['code'] === 'PAYMENT_FAILED');
}

/** The transfers of a payment that an answer names as failed, and the others; of a single payment it is the payment. */
function itemsByFate(
  body: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
): { readonly passing: readonly unknown[]; readonly failing: readonly unknown[] } {
  const { payments } = body;
  if (!Array.isArray(payments)) return { passing: [], failing: [body] };
  const messages = Array.isArray(theirs['tppMessages']) ? (theirs['tppMessages'] as unknown[]) : [];
  const named = new Set(messages.map((message) => membersOf(message)['path']));
  const isNamed = (at: number): boolean => named.has(`payments[${at}]`);
  const items = payments as readonly unknown[];
  // Nothing tells: the first one is taken for the failed one.
  if (named.size === 0) return { passing: items.slice(1), failing: items.slice(0, 1) };
  return { passing: items.filter((_, at) => !isNamed(at)), failing: items.filter((_, at) => isNamed(at)) };
}

function minorsOf(transfers: readonly unknown[], currency: Currency): bigint {
  return transfers.reduce<bigint>((sum, transfer) => {
    const { amount } = membersOf(membersOf(transfer)['instructedAmount']);
    return sum + (typeof amount === 'string' ? minorOf(amount, currency) : 0n);
  }, 0n);
}

/** The accounts with balances of an answer: of a list, of one account, or of its balances. */
function accountsIn(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  const { accounts, account, balances } = answer;
  if (Array.isArray(accounts)) return (accounts as readonly unknown[]).map(membersOf);
  return [{ ...membersOf(account), ...(balances !== undefined && { balances }) }];
}

/** The booked balance of an account, else its first one; null: it shows none. */
function bookedOf(account: Readonly<Record<string, unknown>>): string | null {
  const all = listOf(account, 'balances').map(membersOf);
  const shown = all.find(({ balanceType }) => balanceType === 'interimBooked') ?? all[0];
  const { amount } = membersOf(shown?.['balanceAmount']);
  return typeof amount === 'string' ? amount : null;
}

function signedMinorOf(amount: string, currency: Currency): bigint {
  return amount.startsWith('-') ? -minorOf(amount.slice(1), currency) : minorOf(amount, currency);
}

/** Minor units of a decimal text; 0 for another one. */
function minorOf(amount: string, currency: Currency): bigint {
  if (!/^\d{1,18}(?:\.\d{1,5})?$/.test(amount)) return 0n;
  const decimals = minorUnits(currency);
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}

/** The booked or the pending transactions of a list. */
function listIn(answer: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>>[] {
  return listOf(answer['transactions'], name).map(membersOf);
}

/** The recorded items that have no counterpart among ours, as many as ours has fewer. */
function unmatched<Item>(
  recorded: readonly Item[],
  own: readonly Item[],
  key: (item: Item) => string,
): readonly Item[] {
  const left = own.map(key);
  const others = recorded.filter((item) => {
    const at = left.indexOf(key(item));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return others.slice(0, Math.max(0, recorded.length - own.length));
}

/** Booked transactions of a recorded list that ours lacks: others have made them, in its order or in the opposite one. */
function othersOf(
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
  index: number,
): Guess[] {
  const bban = bbanOf(theirs['account']);
  const [recorded = [], own = []] = [theirs, ours].map((answer) => listIn(answer, 'booked'));
  const transactions = unmatched(recorded, own, keyOf).flatMap(mockOf);
  if (bban === null || transactions.length === 0) return [];
  const coded = transactions.map(codedAsFee);
  return [transactions, transactions.toReversed(), coded, coded.toReversed()].map((each) => ({
    before: index,
    act: { does: 'post', bban, transactions: each },
  }));
}

/** A debit without a code and a party is taken for a card purchase (rules.md Q5b). Where those are in capitals, another text is that of a fee. */
function codedAsFee(transaction: object): object {
  const { amount, remittanceInformationUnstructured: text } = membersOf(transaction);
  const purchase = purchaseIn(membersOf(transaction));
  if (Object.keys(purchase).length > 0) return { ...transaction, ...purchase };
  const isFee = String(amount).startsWith('-') && /[a-zæøå]/.test(String(text));
  return isFee ? { bankTransactionCode: 'BOOK-EXPS-BANK', ...transaction } : transaction;
}

/** The code and the text of a purchase whose text names the card: `*1044 12.03 NOK 49.90 Kiosk Kurs: 1.0000` (rules.md Q5). */
function purchaseIn({ remittanceInformationUnstructured: text }: Readonly<Record<string, unknown>>): object {
  const [, day, currency, amount, said] =
    /^\*\d{4} (\d\d\.\d\d )?([A-Z]{3}) (\d+\.\d\d) (.+) Kurs: \d+\.\d{4}$/.exec(String(text)) ?? [];
  return said === undefined
    ? {}
    : {
        bankTransactionCode: 'CARD-CCRD-POSD',
        remittanceInformationUnstructured: `${day ?? ''}${said}`,
        ...(currency !== 'NOK' && isCurrency(currency ?? '') && { originalAmount: { currency, amount: `-${amount}` } }),
      };
}

function keyOf({ bookingDate, transactionAmount }: Readonly<Record<string, unknown>>): string {
  const { amount } = membersOf(transactionAmount);
  return JSON.stringify([bookingDate, amount]);
}

const copied =
  /^(?:creditorName|debtorName|creditorId|ultimateCreditor|ultimateDebtor|purposeCode|bankTransactionCode|proprietaryBankTransactionCode|mandateId|creditorAgent|debtorAgent|additionalInformation|remittanceInformationUnstructured|originalAmount)$/;

/** A recorded transaction as the test data take it. */
function mockOf(item: Readonly<Record<string, unknown>>): object[] {
  const { amount, currency } = membersOf(item['transactionAmount']);
  const { bookingDate, valueDate } = item;
  if (typeof amount !== 'string' || typeof bookingDate !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(bookingDate))
    return [];
  const members = Object.entries(item).filter(([name, value]) => copied.test(name) && value !== '');
  return [{ ...Object.fromEntries(members), amount, currency, bookingDate, valueDate: valueDate ?? bookingDate }];
}
