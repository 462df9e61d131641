import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import BetterSqlite3 from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { finishSca, identifyForSca } from '../../engine/approval/finish-sca.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import type { BankEvent, BankEventKind } from '../../engine/bank/outlet.ts';
import { takeLedgerImage, saveSnapshot } from '../../engine/bank/snapshots.ts';
import { grantConsentDirectly, revokeConsent } from '../../engine/consents/consents.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import {
  cancelInAnotherChannel,
  changeInAnotherChannel,
  forceStatus,
} from '../../engine/payments/bank-side-payments.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { resetBank, restoreSnapshot, takeBackMove, setClock } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { deleteAccount, deleteCardAccount, deleteCustomer } from '../../engine/sandbox-data/customers.ts';
import { deleteAgreement } from '../../engine/sandbox-data/agreements.ts';
import { initializeSandbox } from '../../engine/sandbox-data/create-known-state.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { simulate } from '../lab/simulation/simulate.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { statementsOf } from '../support/count-statements.ts';
import { beginSigning, order, pay, people, remove, sign, tpp, paySigned } from '../lab/payments.ts';
import { live, upheavals } from '../lab/random-actions.ts';
import { changeRows, rowsIn } from '../lab/rows.ts';

const now = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();

const allKinds: readonly BankEventKind[] = ['payment', 'run', 'clock', 'sca', 'consent', 'reset', 'snapshot'];

function heardBy(bank: Bank, kinds: readonly BankEventKind[] = allKinds): BankEvent[] {
  const heard: BankEvent[] = [];
  bank.listen({ kinds: new Set(kinds), hear: (one) => heard.push(one), failed: fail });
  return heard;
}

function fail(error: unknown): void {
  throw error;
}

const snapshot = (name: string): BankEvent => ({ kind: 'snapshot', at: at(now), name });
const rent = { from: 'nora', to: 'even', amount: '100.00' } as const;
const soon = localDate('2027-03-30');

describe('what happens is told', () => {
  test('after the commit: another connection to the file sees it by then, of a single payment and of a run', async () => {
    const ledger = join(folder, 'committed.sqlite');
    await using bank = await memoryBank(now, { ledger });
    const other = new BetterSqlite3(ledger, { readonly: true });
    const last = other.prepare<[], { status: string }>('select status from status_change order by id desc limit 1');
    const runs = other.prepare<[], { count: number }>('select count(*) as count from settlement_run');
    const seen: unknown[] = [];
    bank.listen({
      kinds: new Set(['payment', 'run']),
      hear: (one) => seen.push(one.kind === 'payment' ? [one.status, last.get()?.status] : runs.get()?.count),
      failed: fail,
    });
    await paySigned(bank, rent);
    await advanceClock(bank, at('2027-03-24T15:30:00+01:00'));
    other.close();
    expect(seen.slice(0, 3)).toEqual([
      ['RCVD', 'RCVD'],
      ['PDNG', 'PDNG'],
      ['ACSC', 'ACSC'],
    ]);
    // Short runs of an advance share a commit, if the machine is fast enough.
    expect([
      [1, 2],
      [2, 2],
    ]).toContainEqual(seen.slice(3));
  });

  test('in the order in which it was told, one transaction after the other', async () => {
    await using bank = await memoryBank(now);
    const heard = heardBy(bank);
    const write = (...names: string[]): Promise<void> =>
      bank.ledger.write(async (tx) => {
        for (const name of names) {
          bank.tell(snapshot(name));
          await bankNow(bank, tx);
        }
      });
    await Promise.all([write('1', '2'), write('3'), write('4', '5')]);
    bank.tell(snapshot('6'));
    expect(heard).toEqual(['1', '2', '3', '4', '5', '6'].map(snapshot));
  });

  test('before the call that did it is answered, and before the next transaction begins', async () => {
    await using bank = await memoryBank(now);
    const order: string[] = [];
    bank.listen({ kinds: new Set(['snapshot']), hear: () => order.push('heard'), failed: fail });
    const first = bank.ledger.write(() => Promise.resolve(bank.tell(snapshot('1'))));
    const next = bank.ledger.read(() => Promise.resolve(order.push('next began')));
    await first.then(() => order.push('answered'));
    await next;
    expect(order[0]).toBe('heard');
  });

  test('to who listens, as long as it listens, of the kinds that it asked for', async () => {
    await using bank = await memoryBank(now);
    const heard: BankEvent[] = [];
    const stop = bank.listen({ kinds: new Set(['snapshot']), hear: (one) => heard.push(one), failed: fail });
    await saveSnapshot(bank, 'one');
    await pay(bank, rent);
    expect(bank.isHeard('snapshot')).toBe(true);
    stop();
    expect(bank.isHeard('snapshot')).toBe(false);
    await saveSnapshot(bank, 'two');
    expect(heard).toEqual([snapshot('one')]);
  });

  test('not to who does not listen now: what is told then costs nothing', async () => {
    await using bank = await memoryBank(now);
    const heard: BankEvent[] = [];
    let listens = false;
    const hear = (one: BankEvent): unknown => heard.push(one);
    bank.listen({ kinds: new Set(['snapshot']), isListening: () => listens, hear, failed: fail });
    await saveSnapshot(bank, 'one');
    expect(bank.isHeard('snapshot')).toBe(false);
    listens = true;
    expect([bank.isHeard('snapshot'), bank.isHeard('payment')]).toEqual([true, false]);
    await saveSnapshot(bank, 'two');
    expect(heard).toEqual([snapshot('two')]);
  });

  test('to a listener that may ask the bank', async () => {
    await using bank = await memoryBank(now);
    const asked: Promise<unknown>[] = [];
    bank.listen({
      kinds: new Set(['payment']),
      hear: () => asked.push(rowsIn(bank, 'select status from status_change')),
      failed: fail,
    });
    await pay(bank, rent);
    expect(await Promise.all(asked)).toEqual([[{ status: 'RCVD' }]]);
  });
});

describe('nothing is told', () => {
  test('of a transaction that fails', async () => {
    await using bank = await memoryBank(now);
    const heard = heardBy(bank);
    const failing = bank.ledger.write(() => {
      bank.tell(snapshot('never'));
      return Promise.reject(new Error('on purpose'));
    });
    await expect(failing).rejects.toThrow('on purpose');
    await bank.ledger.write((tx) => bankNow(bank, tx));
    expect(heard).toEqual([]);
  });

  test('of a transaction that SQLite rolls back by itself, as on a full disk', async () => {
    await using bank = await memoryBank(now, { ledger: join(folder, 'full.sqlite') });
    const { payment } = await pay(bank, rent, soon);
    const heard = heardBy(bank);
    const full = bank.ledger.write(async (tx) => {
      bank.tell(snapshot('never'));
      await sql`pragma max_page_count = 1`.execute(tx);
      await sql`create table filler as select zeroblob(1000000) as bytes`.execute(tx);
    });
    await expect(full).rejects.toThrow('no room');
    await bank.ledger.write((tx) => sql`pragma max_page_count = 1000000`.execute(tx));
    expect(heard).toEqual([]);
    await remove(bank, payment.resource_id);
    expect(heard).toEqual([expect.objectContaining({ kind: 'payment', status: 'CANC' })]);
  });

  test('of a run that fails, however far it came', async () => {
    await using bank = await memoryBank(now);
    await paySigned(bank, rent);
    // The last thing a run does with its row.
    const trigger = `create trigger sabotage before update on settlement_run begin select raise(abort, 'on purpose'); end`;
    await changeRows(bank, trigger);
    const heard = heardBy(bank);
    await expect(advanceClock(bank, at('2027-03-24T15:30:00+01:00'))).rejects.toThrow();
    expect(heard).toEqual([]);
  });

  test('of a restore that is refused', async () => {
    await using bank = await memoryBank(now);
    await saveSnapshot(bank, 'one');
    const heard = heardBy(bank);
    const prepare = async (): Promise<void> => {
      bank.tell({ kind: 'reset', at: at(now), cause: 'reset' });
      await Promise.reject(new Error('on purpose'));
    };
    await expect(bank.ledger.restore('one', prepare)).rejects.toThrow('on purpose');
    expect(heard).toEqual([]);
  });

  test('by a forecast', async () => {
    await using bank = await memoryBank(now);
    await paySigned(bank, rent);
    const heard = heardBy(bank);
    expect((await forecast(bank, { to: at('2027-04-24') })).executions).toHaveLength(1);
    expect(heard).toEqual([]);
  });
});

describe('a listener that throws', () => {
  test('is told what failed, and harms neither the bank nor the others', async () => {
    await using bank = await memoryBank(now);
    const failures: unknown[] = [];
    const hear = () => fail(new Error('on purpose'));
    bank.listen({ kinds: new Set(['payment']), hear, failed: (error) => failures.push(error) });
    bank.listen({ kinds: new Set(['payment']), hear, failed: fail });
    const heard = heardBy(bank, ['payment']);
    await paySigned(bank, rent);
    expect(heard).toMatchObject([{ status: 'RCVD' }, { status: 'PDNG' }]);
    expect(failures).toEqual([new Error('on purpose'), new Error('on purpose')]);
    expect(bank.ledger.trouble()).toBeNull();
  });
});

/** An operation on a bank where Nora has a payment RCVD and one ACSP for a later day, and a consent; and what it tells. */
type Told = readonly [
  what: string,
  act: (bank: Bank, given: { rcvd: string; acsp: string; consentId: string }) => Promise<unknown>,
  told: readonly object[],
];

const cancelled = { kind: 'payment', status: 'CANC' };
const begun = (purpose: string) => {
  return { kind: 'sca', outcome: 'begun', purpose, paymentId: expect.stringContaining('enc!!'), at: at(now) };
};
const endedConsent = { kind: 'consent', change: 'ended', consentId: '1' };
const approveBy = { outcome: 'approve', psu: people.nora.psu, context: 'PRIVATE', accounts: null } as const;
const consentOf = (bank: Bank): Promise<string> =>
  offerSca(bank, 'consent', {
    tpp,
    psu: {},
    context: null,
    returnTo: { redirectUri: 'https://tpp.example/back', sessionId: null },
  });
const wait = async (bank: Bank): Promise<void> => {
  await advanceClock(bank, at('2027-03-30T06:00:00+02:00'));
};

const table: readonly Told[] = [
  [
    'initiation',
    (bank) => pay(bank, { ...rent, amount: '1.00' }),
    [{ kind: 'payment', status: 'RCVD' }, begun('payment')],
  ],
  [
    'exempt initiation',
    (bank) => pay(bank, { ...rent, to: 'savings' }),
    [{ kind: 'payment', status: 'PDNG', cause: 'exempt' }],
  ],
  [
    'initiation of an order',
    (bank) => order(bank, rent, { frequency: 'Daily', startDate: soon, endDate: soon, executionRule: 'following' }),
    [{ kind: 'payment', status: 'RCVD', cause: 'initiation' }, begun('payment')],
  ],
  [
    'signature',
    (bank, { rcvd }) => sign(bank, rcvd, 'nora'),
    [
      begun('payment'),
      { kind: 'payment', status: 'ACSP' },
      { kind: 'sca', outcome: 'approved', purpose: 'payment', paymentId: expect.any(String) },
    ],
  ],
  [
    'an SCA that is cancelled',
    async (bank, { rcvd }) => finishSca(bank, await beginSigning(bank, rcvd, 'payment'), { outcome: 'cancel' }),
    [begun('payment'), { kind: 'sca', outcome: 'cancelled', purpose: 'payment' }],
  ],
  [
    'an SCA that expires',
    async (bank, { rcvd }) => finishSca(bank, await beginSigning(bank, rcvd, 'payment'), { outcome: 'expire' }),
    [begun('payment'), { kind: 'sca', outcome: 'expired', purpose: 'payment' }],
  ],
  [
    'an SCA that fails',
    async (bank, { rcvd }) => {
      const fault = { code: 'SCA_INVALID', text: 'For a test.' } as const;
      await finishSca(bank, await beginSigning(bank, rcvd, 'payment'), { outcome: 'fail', fault });
    },
    [begun('payment'), { kind: 'sca', outcome: 'failed', purpose: 'payment' }],
  ],
  [
    'an SCA with three wrong numbers',
    async (bank, { rcvd }) => {
      const id = await beginSigning(bank, rcvd, 'payment');
      for (let count = 0; count < 3; count += 1) await identifyForSca(bank, id, '00000000000');
    },
    [begun('payment'), { kind: 'sca', outcome: 'failed', purpose: 'payment' }],
  ],
  ['deletion', (bank, { rcvd }) => remove(bank, rcvd), [cancelled]],
  [
    'cancellation',
    async (bank, { acsp }) => {
      await remove(bank, acsp);
      await finishSca(bank, await beginSigning(bank, acsp, 'cancellation'), approveBy);
    },
    [begun('cancellation'), cancelled, { kind: 'sca', outcome: 'approved', purpose: 'cancellation' }],
  ],
  ['cancellation in another channel', (bank, { acsp }) => cancelInAnotherChannel(bank, acsp), [cancelled]],
  [
    'change in another channel',
    (bank, { acsp }) =>
      changeInAnotherChannel(bank, acsp, { amount: { amount: '7.00', currency: 'NOK' }, requestedExecutionDate: null }),
    [{ kind: 'payment', status: 'ACSP', cause: 'changed in another channel: amount 7.00 NOK' }],
  ],
  ['forced status', (bank, { acsp }) => forceStatus(bank, acsp, 'ACTC'), [{ kind: 'payment', status: 'ACTC' }]],
  [
    'advance with a run',
    wait,
    [
      { kind: 'payment', status: 'PDNG', cause: 'due', at: at('2027-03-30T00:00:00+02:00') },
      { kind: 'clock', change: 'advanced', at: at('2027-03-30T00:00:00+02:00') },
      { kind: 'payment', status: 'ACSC' },
      { kind: 'run', id: '2027-03-30/1', settled: 1, at: at('2027-03-30T05:30:00+02:00') },
      { kind: 'clock', change: 'advanced', mode: 'frozen', rate: 1, at: at('2027-03-30T05:30:00+02:00') },
      { kind: 'clock', change: 'advanced', at: at('2027-03-30T06:00:00+02:00') },
    ],
  ],
  [
    'clock set in mode and rate',
    (bank) => setClock(bank, { now: null, mode: 'frozen', rate: 7 }),
    [{ kind: 'clock', change: 'set', mode: 'frozen', rate: 7, at: at(now) }],
  ],
  [
    'consent',
    async (bank) => finishSca(bank, await consentOf(bank), approveBy),
    [
      { kind: 'sca', outcome: 'begun', purpose: 'consent', paymentId: null, at: at(now) },
      endedConsent,
      { kind: 'consent', change: 'granted', consentId: '2' },
      { kind: 'sca', outcome: 'approved', purpose: 'consent', paymentId: null },
    ],
  ],
  [
    'consent granted in the bank',
    (bank) =>
      grantConsentDirectly(bank, {
        tppId: 'PSDNO-FSA-1',
        psu: people.even.psu,
        context: 'PRIVATE',
        agreement: null,
        accounts: null,
      }),
    [{ kind: 'consent', change: 'granted', consentId: '2' }],
  ],
  [
    'consent revoked, twice',
    async (bank, { consentId }) => {
      await revokeConsent(bank, consentId);
      await revokeConsent(bank, consentId);
    },
    [endedConsent],
  ],
  [
    'account deleted',
    async (bank) => {
      const [account] = await rowsIn(bank, `select resource_id from account where bban = '${people.nora.bban}'`);
      await deleteAccount(bank, String(account?.['resource_id']));
    },
    [cancelled, cancelled, endedConsent],
  ],
  [
    'customer deleted',
    async (bank) => {
      const [customer] = await rowsIn(
        bank,
        `select resource_id from customer where customer_number = '${people.nora.psu}'`,
      );
      await deleteCustomer(bank, String(customer?.['resource_id']));
    },
    [cancelled, cancelled, endedConsent],
  ],
  ['snapshot', (bank) => saveSnapshot(bank, 'one'), [snapshot('one')]],
  [
    'snapshot restored',
    async (bank) => {
      await saveSnapshot(bank, 'one');
      await restoreSnapshot(bank, 'one');
    },
    [snapshot('one'), { kind: 'reset', cause: 'snapshot restored', at: at(now) }],
  ],
  [
    'move undone',
    async (bank) => takeBackMove(bank, await takeLedgerImage(bank)),
    [{ kind: 'reset', cause: 'move undone', at: at(now) }],
  ],
  ['reset', (bank) => resetBank(bank), [{ kind: 'reset', cause: 'reset', at: at(now) }]],
  [
    'reset to another known state',
    (bank) => resetBank(bank, { customers: [], agreements: [] }),
    [{ kind: 'reset', cause: 'reset', at: at(now) }],
  ],
  ['initialize', (bank) => initializeSandbox(bank), [{ kind: 'reset', cause: 'initialized', at: at(now) }]],
];

describe('each operation tells what it did', () => {
  test.each(table)('%s', async (_what, act, told) => {
    await using bank = await memoryBank(now);
    const [rcvd, acsp] = [await pay(bank, rent, soon), await pay(bank, { ...rent, amount: '2.00' }, soon)];
    await sign(bank, acsp.payment.resource_id, 'nora');
    const [account] = await rowsIn(bank, `select resource_id from account where bban = '${people.nora.bban}'`);
    const { consent } = await grantConsentDirectly(bank, {
      tppId: tpp.id,
      psu: people.nora.psu,
      context: 'PRIVATE',
      agreement: null,
      accounts: [String(account?.['resource_id'])],
    });
    const heard = heardBy(bank);
    await act(bank, { rcvd: rcvd.payment.resource_id, acsp: acsp.payment.resource_id, consentId: String(consent.id) });
    expect(heard).toMatchObject(told);
  });

  test('the clock that goes back', async () => {
    await using bank = await memoryBank(now);
    const heard = heardBy(bank);
    await setClock(bank, { now: at('2027-01-04'), mode: null, rate: null });
    expect(heard).toEqual([{ kind: 'reset', cause: 'clock set back', at: at('2027-01-04') }]);
  });

  const endings: readonly (readonly [string, string, 'PRIVATE' | 'CORPORATE', string, typeof deleteCustomer])[] = [
    [
      'a customer',
      people.nora.psu,
      'PRIVATE',
      'select resource_id from customer where customer_number = ?',
      deleteCustomer,
    ],
    [
      'an agreement',
      people.sigrid.psu,
      'CORPORATE',
      `select agreement.resource_id from agreement join engagement on agreement_id = agreement.id
        join customer on customer.id = customer_id where customer_number = ?`,
      deleteAgreement,
    ],
    [
      'a card account',
      people.nora.psu,
      'PRIVATE',
      `select card_account.resource_id from card_account join customer on customer.id = customer_id
        where customer_number = ?`,
      deleteCardAccount,
    ],
  ];
  test.each(endings)('the consent that ends with %s', async (what, psu, context, find, end) => {
    await using bank = await memoryBank(now);
    const [found] = await rowsIn(bank, find.replace('?', `'${psu}'`));
    const id = String(found?.['resource_id']);
    const accounts = what === 'a card account' ? [id] : null;
    await grantConsentDirectly(bank, { tppId: tpp.id, psu, context, agreement: null, accounts });
    const heard = heardBy(bank);
    await end(bank, id);
    expect(heard).toEqual([{ ...endedConsent, at: at(now) }]);
  });

  test('an SCA without its id, which opens its page', async () => {
    await using bank = await memoryBank(now);
    const heard = heardBy(bank);
    const { payment } = await pay(bank, rent);
    const id = await beginSigning(bank, payment.resource_id, 'payment');
    await finishSca(bank, id, approveBy);
    expect(heard.map(({ kind }) => kind)).toContain('sca');
    expect(JSON.stringify(heard)).not.toContain(id);
  });

  test('the names of payments are read for a run only when somebody hears of payments', async () => {
    const names = async (kinds: readonly BankEventKind[]): Promise<number> => {
      const bank = await memoryBank(now);
      await paySigned(bank, rent);
      heardBy(bank, kinds);
      const statements = await statementsOf(bank, () => advanceClock(bank, at('2027-03-24T15:00:00+01:00')));
      await bank.close();
      return statements.filter((one) => /^select "id", "resource_id", "tpp_id" from "payment"/.test(one)).length;
    };
    expect([await names(['run']), await names(['payment'])]).toEqual([0, 1]);
  });
});

/** What was told of payments, by payment, without the ids of the others. */
function toldOf(heard: readonly BankEvent[]): Map<string, object[]> {
  const told = new Map<string, object[]>();
  for (const one of heard) {
    if (one.kind !== 'payment') continue;
    const { paymentId, status, at, cause } = one;
    told.set(paymentId, [...(told.get(paymentId) ?? []), { status, at, cause }]);
  }
  return told;
}

async function paymentIds(bank: Bank): Promise<string[]> {
  const rows = await rowsIn(bank, 'select resource_id from payment order by id % 1073741824');
  return rows.map((row) => String(row['resource_id']));
}

/** What GET /sandbox/payments/{id} has as history, of every payment. */
async function historiesOf(bank: Bank): Promise<Map<string, object[]>> {
  const histories = new Map<string, object[]>();
  for (const id of await paymentIds(bank)) {
    const { history } = await inspectPayment(bank, id);
    histories.set(
      id,
      history.map(({ status, at, cause }) => ({ status, at, cause })),
    );
  }
  return histories;
}

describe('the statuses told of a payment are its history (rules.md S10)', () => {
  test('over 60 simulated days', async () => {
    let heard: BankEvent[] = [];
    let histories = new Map<string, object[]>();
    const { problems } = await simulate(11, 60, {
      eachDay: async (bank, day) => {
        if (day === 0) heard = heardBy(bank);
        if (day < 59) return;
        const told = toldOf(heard);
        histories = await historiesOf(bank);
        expect(told).toEqual(histories);
      },
    });
    expect(problems).toEqual([]);
    expect(histories.size).toBeGreaterThan(20);
    expect(new Set(heard.map(({ kind }) => kind))).toEqual(new Set(['payment', 'run', 'clock', 'sca']));
  }, 60_000);

  test('over random actions, with bulk and instant payments and deleted accounts', async () => {
    const actions = fc.sample(upheavals, { numRuns: 12, seed: 2027 });
    const statuses = new Set<string>();
    for (const some of actions) {
      await using bank = await memoryBank('2027-03-24T08:00:00+01:00', { ids: { seed: 'counted' } });
      const heard = heardBy(bank, ['payment']);
      await live(bank, some, 3);
      expect(toldOf(heard)).toEqual(await historiesOf(bank));
      for (const one of heard) if (one.kind === 'payment') statuses.add(one.status);
    }
    expect([...statuses]).toEqual(expect.arrayContaining(['RCVD', 'PATC', 'ACSP', 'ACSC', 'RJCT', 'CANC']));
  }, 60_000);
});
