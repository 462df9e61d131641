import { listConsents } from '../../engine/consents/consents.ts';
import { listLives } from '../../engine/life/begin-life.ts';
import { listSnapshots } from '../../engine/bank/snapshots.ts';
import { listScas } from '../../engine/approval/list-scas.ts';
import { listPayments, type ListedPayment } from '../../engine/inspection/list-payments.ts';
import { listRuns } from '../../engine/runs/list-runs.ts';
import type { Bank } from '../../engine/bank.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import { addDays, type LocalDate } from '../../engine/values/local-date.ts';
import type { Journal } from '../journal/journal.ts';
import { daysAround, noSamples, readSamples, type Samples } from './samples.ts';

/** Values of a bank that the examples of its control plane are made of. */
export interface ControlSamples extends Samples {
  /**
   * Ids for the parameters of paths, as far as the bank has any: `paymentId`, `scaId`, `consentId`, `runId`, `requestId`, `number`; by the
   * path for calls that need one of their own.
   */
  readonly ids: Readonly<Record<string, string>>;
}

/** Samples that say nothing of a bank but its date and its calendar. */
export function blankSamples(today: LocalDate, calendar: BankingCalendar): ControlSamples {
  return { ...noSamples, ...daysAround(today, calendar), ids: {} };
}

/** How many days back a run is looked for. */
const lately = 31;

/**
 * Reads the latest id of each kind in this bank. It prefers a payment that the bank may act on, and a run with an attempt. `tpp`: the
 * name of the TPP in the examples of the interface.
 */
export async function readControlSamples(bank: Bank, journal: Journal, tpp: string): Promise<ControlSamples> {
  const samples = await readSamples(bank, tpp);
  const { today, debtorBban } = samples;
  const runs = await listRuns(bank, { from: addDays(today, -lately), to: today });
  const run = runs.find(({ settled, retried, rejected }) => settled + retried + rejected > 0) ?? runs[0];
  const signed = await latestPayments(bank, 'ACSP');
  const [latest, ...others] = signed.length > 0 ? signed : await latestPayments(bank, null);
  const [sca] = await listScas(bank);
  const consent = (await listConsents(bank)).findLast(({ consent: { ended_at } }) => ended_at === null);
  const [request] = journal.list();
  const ids = {
    number: debtorBban,
    '/access/:number': samples.psu,
    // POST /life begins one on the account of the examples, and this call would end it before its truth is read.
    '/life/:number': (await listLives(bank)).find(({ account }) => account !== debtorBban)?.account,
    // As paths of other clients need it: they do not encode a slash.
    runId: run?.id.replace('/', '-'),
    paymentId: latest?.paymentId,
    ...Object.fromEntries(changesOfPayments.map((path, at) => [path, (others[at] ?? latest)?.paymentId])),
    '/snapshots/:name/restore': (await listSnapshots(bank)).at(-1)?.name,
    scaId: sca?.id,
    consentId: consent === undefined ? undefined : String(consent.consent.id),
    requestId: request?.key,
  };
  const there = Object.entries(ids).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...samples, ids: Object.fromEntries(there) };
}

/** Calls after which the next would be refused for the same payment. */
const changesOfPayments = ['cancel', 'status', 'reject'].map((change) => `/payments/:paymentId/${change}`);

async function latestPayments(bank: Bank, status: 'ACSP' | null): Promise<readonly ListedPayment[]> {
  const wanted = { status, service: 'payments', numbers: null, from: null, to: null } as const;
  const { payments } = await listPayments(bank, { ...wanted, offset: 0, limit: changesOfPayments.length + 1 });
  return payments;
}
