import type { Bank } from '../../engine/bank.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { initiatePayment } from '../../engine/payments/initiate-payment.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { customer, openBenchBank, removeLedger } from './bench-bank.ts';
import { at } from '../lab/bank.ts';
import { eveningBefore, runDay } from '../lab/book.ts';
import { measured, type Measured } from './in-turns.ts';

const psu = '13039319955';
const firstBban = 90_000_000_001;
const accounts = 10;

/** Years of monthly standing orders in one advance. */
export interface Orders {
  /** Path of a new ledger file, removed afterwards. */
  readonly path: string;
  readonly orders: number;
  /** 2 or 10: they end on a banking day, so that as many payments settle as there are months. */
  readonly years: number;
}

/** Measures only the advance. For {@link inOwnProcess}. */
export async function payOrders(task: Orders): Promise<Measured> {
  // As for the loop, code is compiled and the calendar loaded before.
  await advance({ path: ':memory:', orders: 100, years: 2 });
  const run = await advance(task);
  removeLedger(task.path);
  return run;
}

/** Initiates and signs the orders through the operations, then advances over the years. */
async function advance({ path, orders, years }: Orders): Promise<Measured> {
  const bank = await openBenchBank(path, [customer(psu, firstBban, accounts)]);
  for (let index = 0; index < orders; index += 1) await placeOrder(bank, index);
  const end = eveningBefore.replace(/^\d+/, (year) => String(Number(year) + years));
  const { result, ...run } = await measured(() => advanceClock(bank, at(end)));
  await bank.close();
  const settled = result.runs.reduce((sum, each) => sum + each.settled, 0);
  const expected = orders * years * 12;
  if (settled !== expected) throw new Error(`${settled} of ${expected} occurrences settled`);
  return run;
}

/** An order to an account of another bank. Orders are spread over the accounts and all days of the month. */
async function placeOrder(bank: Bank, index: number): Promise<void> {
  const body = {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    debtorAccount: { bban: String(firstBban + (index % accounts)), currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Utleier AS',
    startDate: localDate(runDay),
    frequency: 'Monthly',
    dayOfExecution: String(1 + (index % 28)),
  } as const;
  const { scaId } = await initiatePayment(bank, {
    tpp: { id: 'PSDNO-FSA-123456789', name: 'Bench TPP' },
    psu: { psuIdentity: psu },
    psuContext: 'PRIVATE',
    returnTo: { redirectUri: 'https://tpp.example/return', sessionId: 'session' },
    product: 'norwegian-domestic-credit-transfers',
    initiation: { service: 'periodic-payments', body },
  });
  if (scaId === null) throw new Error('an initiation with X-PSU-IDENTITY can be signed at once');
  await finishSca(bank, scaId, { outcome: 'approve', psu, context: 'PRIVATE', accounts: null });
}
