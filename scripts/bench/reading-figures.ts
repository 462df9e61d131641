import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { issueCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { testTppId, testTppRequest } from '../../api/signing/test-tpp.ts';
import { grantConsentDirectly } from '../../engine/consents/grant-consent-directly.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { closeInOnePiece, instant, openBenchBank } from './bench-bank.ts';
import { eveningBefore } from './book.ts';
import { type Figure, given, median, withTarget } from './figure.ts';
import { addressOf, perSecond, type PreparedRequest, requestsPerSecond } from './initiation-figures.ts';
import { fill } from './paging-figures.ts';
import { repeats } from './run-interleaved.ts';
import { startHandWritten, startProcess } from './server-process.ts';

/** Of the hand-written server. */
const target = 0.7;
const number = '13039319955';
const transactions = 1_000;

/** Signed reads over HTTP, of balances and of a page of 200 transactions, beside a server that does the same by hand. */
export async function readingFigures(folder: string, scale: number): Promise<Figure[]> {
  const ledger = join(folder, 'reading.sqlite');
  const { psuId, accountId } = await fillLedger(ledger);
  // It takes the file as it is before the bank writes to it.
  const hand = startHandWritten(ledger, instant(eveningBefore));
  await addressOf(hand);
  const bank = startProcess(['--port', '0', '--ledger', ledger]);
  try {
    const addresses = { bank: await addressOf(bank), hand: await addressOf(hand) };
    const figures: Figure[] = [];
    for (const [what, path, count] of [
      ['balances', 'balances', 5_000 / scale],
      ['a page of 200 transactions', 'transactions?bookingStatus=booked&limit=200', 500 / scale],
    ] as const) {
      const requests = (): PreparedRequest[] =>
        Array.from({ length: count }, () => signedGet(`/v1/accounts/${accountId}/${path}`, psuId));
      const rates: { bank: number[]; hand: number[] } = { bank: [], hand: [] };
      // The first turn warms both up and does not count.
      for (let turn = 0; turn <= repeats; turn += 1) {
        rates.hand.push(await requestsPerSecond(addresses.hand, requests(), 200));
        rates.bank.push(await requestsPerSecond(addresses.bank, requests(), 200));
      }
      const [ofBank, ofHand] = [median(rates.bank.slice(1)), median(rates.hand.slice(1))];
      const by = ofBank / ofHand;
      figures.push(
        given(`GET of ${what}, signed, by a hand-written server`, perSecond(ofHand)),
        withTarget(
          '  by the bank',
          { figure: perSecond(ofBank), ratio: `${by.toFixed(2)} of the hand-written` },
          { by, atLeast: target },
        ),
      );
    }
    return figures;
  } finally {
    await Promise.all([bank.stop(), hand.stop()]);
  }
}

const certificate = issueCertificate(testTppRequest('bench', systemClock.now()));

/** A signed read for that PSU. */
export function signedGet(path: string, psuId: string): PreparedRequest {
  const headers = { 'psu-id': psuId, 'psu-ip-address': '192.0.2.10' };
  const body = Buffer.alloc(0);
  const { certificatePem, keyPem: key } = certificate;
  const signing = { method: 'GET', target: path, headers, body, certificate: certificatePem, key };
  const signature = signHeaders({ ...signing, date: systemClock.now(), requestId: randomUUID() });
  return { method: 'GET', target: path, headers: { ...headers, ...signature }, body };
}

/** A ledger with one account that a TPP may read, closed and in one piece. */
export async function fillLedger(path: string): Promise<{ psuId: string; accountId: string }> {
  const account = {
    accountName: 'Account',
    bban: '99999999901',
    iban: 'NO0099999999901',
    currency: 'NOK' as const,
    product: 'Brukskonto',
    cashAccountType: 'CACC',
    balance: '0.00',
  };
  const bank = await openBenchBank(path, [
    { customerNumber: number, name: 'Bench', type: 'private', accounts: [account] },
  ]);
  const tppId = testTppId('bench');
  const { consent, accounts } = await grantConsentDirectly(bank, {
    tppId,
    psu: number,
    context: 'PRIVATE',
    agreement: null,
    accounts: null,
  });
  const [opened] = accounts;
  if (opened === undefined) throw new Error('one account was opened');
  await fill(bank, opened.id, transactions, 80);
  await bank.close();
  closeInOnePiece(new BetterSqlite3(path));
  return { psuId: consent.psu_id, accountId: opened.resource_id };
}
