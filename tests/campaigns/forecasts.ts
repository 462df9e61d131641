import { listedPersona, loadPriceList, personaNames } from '../../api/start/fixtures.ts';
import { profileIds } from '../../api/start/profile.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import type { Bank, BankOptions } from '../../engine/open-bank.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { choiceOf, isProblem, noQuirks, type Quirk, quirkNames, switched } from '../../engine/bank/rules/quirk.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import { memoryBank, ofProfile } from '../lab/bank.ts';
import { firstDifference, lookThenGo, type Story } from '../lab/forecast-and-fact.ts';
import { deposit, orRefusal, people, type Person } from '../lab/payments.ts';
import { live, productStep, takeProductStep, withReturns } from '../lab/random-actions.ts';
import { dump } from '../lab/rows.ts';
import type { Seeded } from '../lab/seeded.ts';
import { dayAfter } from '../lab/simulation/days.ts';
import { type Campaign, demand, drawn, type Search } from './campaign.ts';
import { compareUnder, type EachBank } from './quirks.ts';

const [day, monthsOfBank] = [24 * 60, 6];
const moving: readonly Quirk[] = [
  ...(['own-accounts-at-once', 'same-bank-at-once', 'card-value-dates'] as const),
  ...(['weekend-values', 'month-end-bookings', 'december-month', 'value-date'] as const),
];
const payers = ['nora', 'savings', 'even', 'anne', 'kari', 'per', 'sigrid', 'company', 'bills'] as const;
const prices = await loadPriceList();
const personas = await Promise.all(personaNames().map(listedPersona));

/** Banks under quirks that follow each bank of some months. */
const quirksAtOnce = 2;

/** What a test changes: the quirks, and harm to a bank between a forecast and what happens, or before a restore. */
interface Change {
  readonly quirks?: readonly Quirk[];
  readonly meanwhile?: (bank: Bank) => Promise<void>;
  readonly eachBank?: EachBank;
}

/**
 * Banks with lives, payers, announced transactions and a profile or quirks that move money. Each is forecast, then
 * advanced by steps of another size: attempts and known events must be those that were told, all of them and no others (rules.md D3e).
 * Two banks under one quirk each follow, of all quirks in turn (rules.md Q2).
 */
export const forecasts: Campaign<Change> = async (search, { quirks = quirkNames, meanwhile, eachBank } = {}) => {
  for (let bank = 0; search.left() > 0; bank += 1) {
    await bankOf(search, meanwhile);
    const next = Array.from({ length: quirksAtOnce }, (_, index) => (bank * quirksAtOnce + index) % quirks.length);
    if (quirks.length > 0)
      await compareUnder(
        search,
        next.flatMap((index) => quirks[index] ?? []),
        eachBank,
      );
  }
};

async function bankOf(search: Search, meanwhile?: Change['meanwhile']): Promise<void> {
  const { random, tally } = search;
  const begin = `${dayAfter('2027-01-01', random.below(3_000))}T${random.pick(['03:00', '10:00', '15:31', '23:59'])}:00+01:00`;
  const [kind, options] = await drawnOptions(random);
  await using bank = await memoryBank(begin, { prices, ...options });
  const lives = random.below(5);
  for (let index = 0; index < lives; index += 1) await inhabit(bank, random);
  const where = `a bank from ${begin} with ${lives} lives, ${kind}`;
  tally(lives === 0 ? 'banks without lives' : 'banks with lives');
  for (let month = 0; month < monthsOfBank && search.left() > 0; month += 1) {
    for (let left = random.below(4); left > 0; left -= 1) await announce(bank, random, random.pick(payers));
    await live(bank, drawn(random, withReturns).slice(0, -1));
    await takeProductStep(bank, drawn(random, productStep));
    if (random.below(20) === 0) await requireUnchanged(bank, random, where);
    const ahead = day + random.below(44 * day);
    const { told, foreseen, made } = await lookThenGo(bank, ahead, 1 + random.below(ahead), meanwhile);
    const difference = firstDifference(foreseen, made);
    demand(difference === null, `${where}, month ${month + 1}: ${difference}`);
    tallyStory(search, made);
    tally('credits foreseen', told.executions.filter(({ credit }) => credit !== null).length);
    search.step();
  }
  // Fees, and what is announced, are booked whatever the funds: an account may be beyond its credit line.
  demand((await proveLedger(bank)).ok, `${where}: the proof fails`);
}

function tallyStory({ tally }: Search, { attempts, lived }: Story): void {
  tally('known events', lived.length);
  for (const outcome of ['settle', 'retry', 'reject']) {
    tally(outcome, attempts.filter((line) => line.includes(` ${outcome} `)).length);
  }
  tally('payments of lives that were to come', attempts.filter((line) => line.startsWith('to-come')).length);
}

/** A forecast leaves every row as it is. */
async function requireUnchanged(bank: Bank, random: Seeded, where: string): Promise<void> {
  const before = JSON.stringify(await dump(bank), withBigints);
  await forecast(bank, { by: { months: 0, days: random.below(40), seconds: 0 } });
  demand(JSON.stringify(await dump(bank), withBigints) === before, `${where}: a forecast changed the ledger`);
}

const withBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

async function drawnOptions(random: Seeded): Promise<[kind: string, options: Partial<BankOptions>]> {
  if (random.below(3) === 0) return ['as usual', {}];
  if (random.below(2) === 0) {
    const profile = random.pick(profileIds());
    return [profile, await ofProfile(profile)];
  }
  const names = moving.filter(() => random.below(2) === 0);
  const quirks = switched(noQuirks, choiceOf(names.join(',')));
  if (isProblem(quirks)) throw new Error(quirks.problem);
  return [`quirks ${names.join()}`, { quirks }];
}

async function inhabit(bank: Bank, random: Seeded): Promise<void> {
  const who = random.pick(payers);
  if (random.below(2) === 0) await deposit(bank, who, BigInt(random.below(40_000_00)));
  const wanted = { persona: random.pick(personas), seed: String(random.below(1_000)), months: 1 + random.below(2) };
  await orRefusal(beginLife(bank, people[who].bban, wanted));
}

/** Announces a transaction. */
async function announce(bank: Bank, random: Seeded, who: Person): Promise<void> {
  const [account, now] = await bank.ledger.read(async (reader) => [
    await accountByNumber(reader, people[who].bban),
    await bankNow(bank, reader),
  ]);
  const amount = BigInt(random.below(3_000_000) + 1) * random.pick([1n, -1n]);
  const date = addDays(osloDate(now), 1 + random.below(40));
  const bookingDate = random.below(4) === 0 ? null : localDate(date);
  const transaction = { amount, currency: 'NOK' as const, bookingDate, valueDate: date, details: {} };
  if (account !== undefined) await orRefusal(addTransactions(bank, account.resource_id ?? '', [transaction]));
}
