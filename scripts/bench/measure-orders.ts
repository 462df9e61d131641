import { rmSync } from 'node:fs';
import type { Bank } from '../../engine/bank.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import type { KnownCustomer } from '../../engine/bank/known-state.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { initiatePayment } from '../../engine/payments/initiate-payment.ts';
import { instant, openBenchBank } from './bench-bank.ts';
import { eveningBefore, runDay } from './book.ts';
import { stopwatch, type Measured } from './stopwatch.ts';

/** Measures years of monthly standing orders in one advance. */
export interface OrdersTask {
  readonly kind: 'orders';
  /** Path of a new ledger file, removed afterwards. */
  readonly path: string;
  readonly orders: number;
  readonly years: number;
}

const psus = 10;
const daysOfMonth = 28;

/** Carried out before in memory: code is compiled and the calendar loaded, as for the loop. */
const warmUp = { orders: 100, years: 2 };

/** Measures only the advance. Initiates and signs the orders before it, through the operations. */
export async function measureOrders({ path, orders, years }: OrdersTask): Promise<Measured> {
  const warm = await bankWithOrders(':memory:', warmUp.orders);
  await advanceClock(warm, yearsOn(warmUp.years));
  await warm.close();
  const bank = await bankWithOrders(path, orders);
  const stop = stopwatch();
  const { runs } = await advanceClock(bank, yearsOn(years));
  const measured = stop();
  await bank.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const settled = runs.reduce((sum, run) => sum + run.settled, 0);
  const expected = orders * years * 12;
  if (settled !== expected) throw new Error(`${settled} of ${expected} occurrences settled`);
  return measured;
}

/** The evening before the measured run, so many years later. */
function yearsOn(years: number): Instant {
  return instant(eveningBefore.replace(/^\d+/, (year) => String(Number(year) + years)));
}

/** Opens a bank with signed monthly orders of ten PSUs, spread over all days of the month. */
export async function bankWithOrders(path: string, orders: number): Promise<Bank> {
  const bank = await openBenchBank(
    path,
    Array.from({ length: psus }, (_, index) => customer(index)),
  );
  for (let index = 0; index < orders; index += 1) await placeOrder(bank, index);
  return bank;
}

function customer(index: number): KnownCustomer {
  const account = {
    accountName: 'Brukskonto',
    bban: bbanOf(index),
    iban: `NO93${bbanOf(index)}`,
    currency: 'NOK' as const,
    product: 'Brukskonto',
    cashAccountType: 'CACC',
    balance: '100000000.00',
  };
  return { customerNumber: psuOf(index), name: `PSU ${index}`, type: 'private', accounts: [account] };
}

/** Initiates and signs one PSU's order to an account of another bank, with its own day of the month. */
async function placeOrder(bank: Bank, index: number): Promise<void> {
  const payer = index % psus;
  const body = {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    debtorAccount: { bban: bbanOf(payer), currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Utleier AS',
    startDate: localDate(runDay),
    frequency: 'Monthly',
    dayOfExecution: String(1 + (index % daysOfMonth)),
  } as const;
  const { scaId } = await initiatePayment(bank, {
    tpp: { id: 'PSDNO-FSA-123456789', name: 'Bench TPP' },
    psu: { psuIdentity: psuOf(payer) },
    psuContext: 'PRIVATE',
    returnTo: { redirectUri: 'https://tpp.example/return', sessionId: 'session' },
    product: 'norwegian-domestic-credit-transfers',
    initiation: { service: 'periodic-payments', body },
  });
  if (scaId === null) throw new Error('an initiation with X-PSU-IDENTITY can be signed at once');
  await finishSca(bank, scaId, { outcome: 'approve', psu: psuOf(payer), context: 'PRIVATE', accounts: null });
}

function bbanOf(index: number): string {
  return String(90_000_000_001 + index);
}

function psuOf(index: number): string {
  return String(10_000_000_001 + index);
}
