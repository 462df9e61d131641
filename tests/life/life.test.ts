import { expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import { listedPersona, personaNames, personaOf } from '../../api/start/fixtures.ts';
import { listedProfile, quirksOf } from '../../api/start/profile.ts';
import { type Bank, openBank } from '../../engine/bank.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { takeLedgerImage, saveSnapshot } from '../../engine/bank/snapshots.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { beginLife, endLife, listLives } from '../../engine/life/begin-life.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectAccount } from '../../engine/sandbox-data/inspect-accounts.ts';
import { daysBetween, localDate } from '../../engine/values/local-date.ts';
import { norwegianIban } from '../../engine/values/account-number.ts';
import { at, calendar, manualClock, memoryBank } from '../lab/bank.ts';
import { people } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsOf } from '../lab/rows.ts';

const now = '2026-11-23T10:00:00+01:00';
const personas = new Map(
  await Promise.all(personaNames().map(async (name) => [name, await listedPersona(name)] as const)),
);
const family = personaNamed('family');

function personaNamed(name: string): Persona {
  const persona = personas.get(name);
  if (persona === undefined) throw new Error(`there is no persona ${name}`);
  return persona;
}

/** A customer with an account for each persona, in this order. */
const numbers = ['99870000010', '99870000029', '99870000037', '99870000045'];

function knownState(balance: string, creditLine = '0.00'): KnownState {
  const accounts = numbers.map((bban) => ({
    accountName: 'Brukskonto',
    bban,
    iban: norwegianIban(bban),
    currency: 'NOK' as const,
    product: 'Brukskonto',
    cashAccountType: 'CACC' as const,
    balance,
    creditLine,
  }));
  return {
    customers: [{ customerNumber: '990001', name: 'Kari Myhrvold', type: 'private', accounts }],
    agreements: [],
  };
}

function open(options: Partial<Parameters<typeof openBank>[0]> & { readonly now?: string } = {}): Promise<Bank> {
  const start = { mode: 'frozen', now: at(options.now ?? now) } as const;
  return memoryBank(now, {
    ids: { seed: 'lives' },
    preparedLedger: null,
    knownState: knownState('250000.00'),
    start,
    ...options,
  });
}

/** Opens a ledger of another bank. */
const ownBank = {
  wall: manualClock(at(now)),
  ids: { seed: 'again' },
  calendar,
  knownState: knownState('1.00'),
} as const;

const all = { from: null, to: null };

async function statement(bank: Bank, number: string) {
  const { entries, pending, balances } = await inspectAccount(bank, number, all);
  return { entries, pending, balances };
}

const bien = quirksOf(await listedProfile('bien-sparebank'));
const oneRun = { private: ['08:00'], corporate: ['08:00'] } as const;

test.each([
  ['by default', {}],
  ['at Bien, if it had one run a day', { quirks: bien, settlementTimes: oneRun }],
])(
  'L3, D3c, S6: a past that was made equals one that was lived, and ends at the balance of today: %s',
  async (_, settings) => {
    const bank = await open(settings);
    const lived = await open({ ...settings, now: '2026-05-23T10:00:00+02:00' });
    for (const [index, name] of ['family', 'student', 'shop'].entries()) {
      const number = numbers[index] ?? '';
      const before = await statement(bank, number);
      await beginLife(bank, number, { persona: personaNamed(name), months: 6 });
      const after = await statement(bank, number);
      expect(after.balances.interimBooked).toBe(before.balances.interimBooked);
      await beginLife(lived, number, { persona: personaNamed(name), months: 1 });
    }
    await advanceClock(lived, at(now));
    for (const [index, name] of ['family', 'student', 'shop'].entries()) {
      const number = numbers[index] ?? '';
      const reckoned = new Set(personaNamed(name).events.flatMap((event) => ('rate' in event ? [event.text] : [])));
      const told = async (of: Bank): Promise<string[]> => {
        const { entries } = await statement(of, number);
        // From the second week on, so that no purchase of before the past is among them.
        return entries
          .filter(({ bookingDate, text }) => bookingDate > '2026-06-01' && !reckoned.has(text))
          .map(({ bookingDate, valueDate, amount, text }) => `${bookingDate} ${valueDate} ${amount.minor} ${text}`)
          .toSorted();
      };
      const made = await told(bank);
      expect(made.length).toBeGreaterThan(150);
      expect(made).toEqual(await told(lived));
    }
  },
  60_000,
);

test('L1: what was forecast happened: every planned event of a family, and nothing else that is known', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: family });
  const to = at('2027-11-23T10:00:00+01:00');
  const { planned, executions } = await forecast(bank, { to });
  expect(planned.length).toBeGreaterThan(120);
  expect(executions.length).toBeGreaterThan(10);
  expect(new Set(planned.map(({ event }) => event)).has('groceries')).toBe(false);
  await advanceClock(bank, to);
  const { entries } = await statement(bank, number);
  const booked = new Set(entries.map(({ bookingDate, amount }) => `${bookingDate} ${amount.minor}`));
  for (const { date, amount, event } of planned)
    expect([event, booked.has(`${date} ${amount.minor}`)]).toEqual([event, true]);
});

test('D3e: the forecast has salaries as executions, without an id before the midnight that orders them, and never as planned', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: personaNamed('shop') });
  const haveIds = async (): Promise<boolean[]> => {
    const { planned, executions } = await forecast(bank, { to: at('2026-12-15T23:00:00+01:00') });
    expect(planned.some(({ event }) => event === 'salaries')).toBe(false);
    const salaries = executions.filter(({ item, executionDate }) => item !== null && executionDate === '2026-12-15');
    return [...new Set(salaries.map(({ paymentId }) => paymentId !== null))];
  };
  await advanceClock(bank, at('2026-12-14T23:59:59+01:00'));
  expect(await haveIds()).toEqual([false]);
  await advanceClock(bank, at('2026-12-15T00:00:00+01:00'));
  expect(await haveIds()).toEqual([true]);
});

test('L4: without funds purchases are declined and standing orders fail, and fees and overdraft interest follow', async () => {
  const bank = await open({ knownState: knownState('900.00', '3000.00') });
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: personaNamed('short-of-funds'), months: 1 });
  await advanceClock(bank, at('2028-11-23T10:00:00+01:00'));
  const { entries } = await statement(bank, number);
  const times = (wanted: string): number => entries.filter(({ text }) => text === wanted).length;
  expect(times('Gebyr avvist fast oppdrag')).toBeGreaterThan(2);
  expect(times('Overtrekksrente')).toBeGreaterThan(5);
  const rejected = await bank.ledger.read((reader) => rowsOf(reader, `select id from execution where status = 'RJCT'`));
  const fees = entries
    .filter(({ text }) => text === 'Gebyr avvist fast oppdrag')
    .reduce((sum, { amount }) => sum - amount.minor, 0n);
  expect(fees).toBe(BigInt(rejected.length) * 6_000n);
  const rent = entries.filter(({ text }) => text === 'Utleie Fjordvik AS').length;
  expect(rent).toBeLessThan(24);
  // Fees and what was booked for more than was reserved may go below the line, by little.
  const sinceToday = entries.filter(({ bookingDate }) => bookingDate > '2026-11-23');
  const lowest = sinceToday.reduce((low, { balance }) => (balance.minor < low ? balance.minor : low), 0n);
  expect(Number(lowest)).toBeGreaterThan(-450_000);
  expect(await brokenProofs(bank)).toEqual({});
});

/** A persona of these events, each on a day of a month. */
function personaWith(events: readonly (readonly [day: number, event: object])[]): Promise<Persona> {
  const dated = events.map(([day, event], index) => {
    const when = { days: [day], rule: 'following' };
    return { event: `event-${index}`, when, ...event };
  });
  return personaOf({ name: 'made', description: 'A few events', netPerYear: '0.00', events: dated });
}

test('L4: a purchase may reserve the last øre of balance and credit line; then the fees of the bank alone are booked', async () => {
  const bank = await open({ knownState: knownState('100.00', '50.00') });
  const [number = ''] = numbers;
  const deposit = { kind: 'card', card: 'visa', shops: ['X'], lapsesAfterDays: 7 };
  const persona = await personaWith([
    [25, { ...deposit, amount: '-60.00' }],
    [26, { ...deposit, amount: '-90.00' }],
    [27, { ...deposit, amount: '-0.01' }],
    [27, { kind: 'transfer', amount: '-0.01', text: 'Gave', parties: [{ name: 'Y' }] }],
    [27, { kind: 'transfer', amount: '-5.00', text: 'Gebyr' }],
  ]);
  await beginLife(bank, number, { persona, months: 1 });
  await advanceClock(bank, at('2026-11-28T00:00:00+01:00'));
  const { pending, entries } = await statement(bank, number);
  expect(pending.map(({ amount }) => amount.minor)).toEqual([-6_000n, -9_000n]);
  const booked = entries.filter(({ bookingDate }) => bookingDate > '2026-11-23');
  expect(booked.map(({ text, balance }) => [text, balance.minor])).toEqual([['Gebyr', 9_500n]]);
});

test.each([
  ['before the first run of the day', '05:29', {}, '2026-11-23'],
  ['at the first run', '05:30', {}, '2026-11-23'],
  ['between the first run and the next', '08:00', {}, '2026-11-23'],
  ['after the only run of the day', '10:00', { settlementTimes: oneRun }, '2026-11-23'],
  ['before the only run of the day', '07:00', { settlementTimes: oneRun }, '2026-11-24'],
])(
  'L3, S6: an order and salaries of today are paid once by a life that begins %s',
  async (_, time, settings, booked) => {
    const bank = await open({ ...settings, now: `2026-11-23T${time}:00+01:00` });
    const [number = '', other = ''] = numbers;
    const persona = await personaWith([
      [23, { kind: 'standing order', amount: '10.00', text: 'Leie', party: { name: 'Y', account: other } }],
      [23, { kind: 'bulk', text: 'Lønn', payees: [{ name: 'Z', account: other, amount: '20.00' }] }],
    ]);
    await beginLife(bank, number, { persona, months: 1 });
    await advanceClock(bank, at('2026-11-25T20:00:00+01:00'));
    const { entries } = await statement(bank, number);
    const ofNovember = entries.filter(({ bookingDate }) => bookingDate > '2026-11-01');
    expect(ofNovember.map(({ bookingDate, amount }) => `${bookingDate} ${amount.minor}`).toSorted()).toEqual([
      `${booked} -1000`,
      `${booked} -2000`,
    ]);
  },
);

test('L2: interest is booked on the last day of the year, on the balances of the days', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  const quiet = { ...family, events: family.events.filter(({ kind }) => kind === 'interest') };
  await beginLife(bank, number, { persona: quiet });
  await advanceClock(bank, at('2028-01-02T10:00:00+01:00'));
  const { entries } = await statement(bank, number);
  // 1.25 per cent of 250,000.00 for the 38 days from 23 November to 30 December; then of 250,325.34 for a year.
  expect(
    entries.filter(({ text }) => text === 'Renter').map(({ bookingDate, amount }) => [bookingDate, amount.minor]),
  ).toEqual([
    ['2026-12-31', 32_534n],
    ['2027-12-31', 312_907n],
  ]);
});

test('L2: what is booked on the way earns interest from its day on, in one advance and in several', async () => {
  const [number = ''] = numbers;
  const interestAfter = async (...days: readonly string[]) => {
    const bank = await open();
    const persona = await personaWith([
      [14, { kind: 'transfer', amount: '36500.00', text: 'Gave' }],
      [15, { kind: 'interest', text: 'Renter', rate: '1.00' }],
    ]);
    await beginLife(bank, number, { persona, months: 1 });
    for (const day of days) await advanceClock(bank, at(`${day}T10:00:00+01:00`));
    const { entries } = await statement(bank, number);
    return entries
      .filter(({ text }) => text === 'Renter')
      .map(({ bookingDate, amount }) => [bookingDate, amount.minor]);
  };
  // 1 per cent of 250,000.00 for 21 days and of 286,500.00 for one; then, with the interest of December, of 286,651.68 for 30 days and of 323,151.68 for one.
  const wanted = [
    ['2026-12-15', 15_168n],
    ['2027-01-15', 24_446n],
  ];
  expect(await interestAfter('2027-01-20')).toEqual(wanted);
  expect(await interestAfter('2026-12-14', '2026-12-15', '2027-01-01', '2027-01-20')).toEqual(wanted);
});

test('L2, S8b: what is reserved is booked as it would have been: after a restore, in a copy of the ledger, and when all is done again', async () => {
  const [number = ''] = numbers;
  const reserving = async (): Promise<Bank> => {
    const bank = await open();
    await beginLife(bank, number, { persona: family, months: 1 });
    await advanceClock(bank, at('2026-11-26T20:00:00+01:00'));
    const day = localDate('2026-12-01');
    const mock = { amount: -7_700n, currency: 'NOK', bookingDate: day, valueDate: day, details: {} } as const;
    const account = await bank.ledger.read((reader) => accountByNumber(reader, number));
    await addTransactions(bank, account?.resource_id ?? '', [mock]);
    return bank;
  };
  const later = async (bank: Bank) => {
    await advanceClock(bank, at('2026-12-06T12:00:00+01:00'));
    return { hash: await hashLedger(bank, 'left-out'), ...(await statement(bank, number)) };
  };
  const bank = await reserving();
  const before = await statement(bank, number);
  expect(before.pending.length).toBeGreaterThan(1);
  await saveSnapshot(bank, 'reserved');
  const copy = await openBank({ ...ownBank, ledger: await takeLedgerImage(bank) });
  const wanted = await later(bank);
  expect(wanted.entries.some(({ amount }) => amount.minor === -7_700n)).toBe(true);
  await restoreSnapshot(bank, 'reserved');
  expect(await statement(bank, number)).toEqual(before);
  expect(await later(bank)).toEqual(wanted);
  expect(await later(copy)).toEqual(wanted);
  expect(await later(await reserving())).toEqual(wanted);
});

test('L7: DELETE cancels the standing orders and releases what is reserved; what is booked stays, and nothing comes any more', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: family });
  await advanceClock(bank, at('2026-11-26T20:00:00+01:00'));
  const before = await statement(bank, number);
  expect(before.pending.length).toBeGreaterThan(0);
  await endLife(bank, number);
  const after = await statement(bank, number);
  expect(after.entries).toEqual(before.entries);
  expect(after.pending).toEqual([]);
  expect(after.balances.interimAvailable).toBe(after.balances.interimBooked);
  const open_ = await bank.ledger.read((reader) =>
    rowsOf(reader, `select id from execution where status not in ('CANC', 'ACSC')`),
  );
  expect(open_).toEqual([]);
  await advanceClock(bank, at('2027-03-26T20:00:00+01:00'));
  expect((await statement(bank, number)).entries).toEqual(after.entries);
  expect(await listLives(bank)).toEqual([]);
  await expect(endLife(bank, number)).rejects.toThrow(/has no life/);
  await beginLife(bank, number, { persona: family, months: 1 });
  const account = await bank.ledger.read((reader) => accountByNumber(reader, number));
  await deleteAccount(bank, account?.resource_id ?? '');
  expect(await listLives(bank)).toEqual([]);
});

test('L7: a reset brings the life of the fixtures back', async () => {
  const state = knownState('1000.00');
  const [customer] = state.customers;
  if (customer === undefined) throw new Error('there is a customer');
  const [account, ...others] = customer.accounts;
  if (account === undefined) throw new Error('there is an account');
  const lived = { ...state, customers: [{ ...customer, accounts: [{ ...account, persona: family }, ...others] }] };
  const bank = await open({ knownState: lived });
  const begun = [{ account: account.bban, persona: 'family', seed: 'sandbank', from: '2025-11-23' }];
  expect(await listLives(bank)).toEqual(begun);
  const hash = await hashLedger(bank, 'left-out');
  await endLife(bank, account.bban);
  await advanceClock(bank, at('2026-12-23T10:00:00+01:00'));
  await resetBank(bank);
  expect(await listLives(bank)).toEqual(begun);
  expect(await hashLedger(bank, 'left-out')).toBe(hash);
});

test('L2: with a running clock a life goes on at runs and midnights', async () => {
  const wall = manualClock(at(now));
  const bank = await openBank({
    ledger: ':memory:',
    wall,
    ids: { seed: 'running' },
    calendar,
    knownState: knownState('250000.00'),
    start: { mode: 'running', now: at(now) },
  });
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: family });
  const saturday = at('2026-11-28T18:00:00+01:00');
  wall.set(saturday);
  await advanceClock(bank, 'now');
  const evening = await statement(bank, number);
  wall.set(at('2026-11-29T00:00:01+01:00'));
  await advanceClock(bank, 'now');
  const sunday = await statement(bank, number);
  expect(sunday.entries).toEqual(evening.entries);
  expect(sunday.pending.length).toBeGreaterThanOrEqual(evening.pending.length);
  await bank.close();
});

test('L8: over HTTP: a persona by name or as an object begins a life, a listed one never by path, and DELETE ends it', async () => {
  await using bank = await createBank({ now });
  const number = people.nora.bban;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await bank.fetch(`/sandbox${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const begun = { account: number, persona: 'family', seed: 'sandbank', from: '2025-11-23' };
  expect(await call('GET', '/life')).toEqual({ status: 200, body: { lives: [] } });
  expect(await call('POST', '/life', { account: number, persona: 'family' })).toEqual({ status: 200, body: begun });
  expect(await call('GET', '/life')).toEqual({ status: 200, body: { lives: [begun] } });
  const refused: readonly (readonly [body: object, status: number, said: RegExp])[] = [
    [{ account: number, persona: 'student' }, 409, /has a life already/],
    [{ account: '99999999999', persona: 'student' }, 404, /has no account/],
    [{ account: people.kari?.bban ?? '60056543215', persona: 'studen' }, 400, /nearest is student/],
    [{ account: number, persona: './fixtures/personas/student.json' }, 400, /There is no persona/],
    [{ account: number, persona: {} }, 400, /persona\.name/],
    [{ account: number, persona: 'student', months: 0 }, 400, /months/],
    [{ account: number, persona: 'student', months: 121 }, 400, /months/],
    [{ account: number, persona: 7 }, 400, /persona/],
    [{ persona: 'student' }, 400, /account/],
  ];
  for (const [body, status, said] of refused) {
    const answer = await call('POST', '/life', body);
    expect([body, answer.status]).toEqual([body, status]);
    expect(JSON.stringify(answer.body)).toMatch(said);
  }
  const { planned } = await bank.forecast('P40D');
  expect(planned).toContainEqual(
    expect.objectContaining({
      date: '2026-12-15',
      account: number,
      amount: { amount: '-3900.00', currency: 'NOK' },
      event: 'housing-fees',
    }),
  );
  const { body } = await call('GET', '/payments');
  const [order] = (body as { readonly payments: readonly { readonly paymentId: string }[] }).payments;
  const paymentId = encodeURIComponent(order?.paymentId ?? '');
  expect((await call('GET', `/payments/${paymentId}`)).body).toMatchObject({ tpp: { id: 'own-channel' } });
  for (const page of [`payments/${paymentId}`, `accounts/${number}`, 'calendar']) {
    expect([page, (await bank.fetch(`/console/${page}`)).status]).toEqual([page, 200]);
  }
  expect(await call('DELETE', `/life/${number}`)).toEqual({ status: 200, body: { removed: number } });
  expect((await call('DELETE', `/life/${number}`)).status).toBe(404);
  await bank.reset();
  expect(await call('GET', '/life')).toEqual({ status: 200, body: { lives: [] } });
});

test('L8: createBank begins lives by the numbers of accounts, and refuses a wrong one in one line', async () => {
  await using bank = await createBank({ now, life: { [people.nora.bban]: 'student' } });
  expect((await bank.account(people.nora.bban)).transactions.length).toBe(20);
  await expect(createBank({ life: { '1': 'student' } })).rejects.toThrow(
    /createBank: life names "1", which is no account/,
  );
  await expect(createBank({ life: { [people.nora.bban]: 'pensioner' } })).rejects.toThrow(
    /there is no persona pensioner/,
  );
});

test('L3: a past before the calendar of the banks, and an account in another currency, are refused', async () => {
  const bank = await open({ now: '1994-06-01T10:00:00+02:00' });
  await expect(beginLife(bank, numbers[0] ?? '', { persona: family, months: 60 })).rejects.toThrow(
    /banking calendar begins/,
  );
  await expect(beginLife(bank, numbers[0] ?? '', { persona: family, months: 48 })).resolves.toMatchObject({
    from: '1990-06-01',
  });
  await expect(beginLife(bank, numbers[1] ?? '', { persona: family, months: 51 })).resolves.toMatchObject({
    from: '1990-03-01',
  });
});

test('the fixtures a-year-of-life have six people and a shop with a year of past', async () => {
  await using bank = await createBank({ now, fixtures: 'a-year-of-life' });
  const lives = (await (await bank.fetch('/sandbox/life')).json()) as {
    readonly lives: readonly { persona: string }[];
  };
  expect(lives.lives.map(({ persona }) => persona)).toEqual([
    'family',
    'student',
    'short-of-funds',
    'family',
    'student',
    'short-of-funds',
    'shop',
  ]);
  const proof = (await (await bank.fetch('/sandbox/ledger/proof')).json()) as { readonly ok: boolean };
  expect(proof.ok).toBe(true);
  const { booked } = await (
    await bank.tpp().consent({ psu: people.nora.psu })
  ).transactions(people.nora.bban, { from: '2025-11-23' });
  const hashes = booked.map(({ bookingDate, transactionAmount: { amount }, remittanceInformationUnstructured: text }) =>
    [bookingDate, amount, text].join(' '),
  );
  // Register 11: who knows transactions by their content drops a ticket.
  expect(hashes.length - new Set(hashes).size).toBeGreaterThan(4);
});

/** The codes of a private person's account (facts.json: bien-sparebank, bankTransactionCodes). */
const codesOfBien = [
  'CARD-NCRD-POSD',
  'CARD-CCRD-XBPO',
  'CARD-CCRD-POSD',
  'PMNT-ICDT-RETP',
  'BOOK-EXPS-BANK',
  'PMNT-ICDT-PCID',
  'PMNT-RCDT-RETP',
  'PMNT-RCDT-SALA',
  'PMNT-ICDT-DMCT',
  '--',
  'BOOK-EXPS-OTHR',
  'PMNT-IICT-XBCT',
];

/** How many purchases of a card were booked so many days later (facts.json: bien-sparebank, bookingLagAfterPurchase). */
const lagsOfBien = (await listedProfile('bien-sparebank')).facts.find(({ key }) => key === 'bookingLagAfterPurchase')
  ?.value as Readonly<Record<string, Readonly<Record<string, number>>>>;

test('L6, Q5: under Bien a year of a family has every code that was seen, and its days of purchase stand in the texts', async () => {
  await using bank = await createBank({ now, profile: 'bien-sparebank', life: { [people.nora.bban]: 'family' } });
  const reader = await bank.tpp().consent({ psu: people.nora.psu });
  const { booked, pending } = await reader.transactions(people.nora.bban, { from: '2025-11-23' });
  const codes = new Set(booked.map(({ bankTransactionCode }) => bankTransactionCode));
  expect(codesOfBien.filter((code) => !codes.has(code))).toEqual([]);
  const cards = booked.filter(({ bankTransactionCode }) => bankTransactionCode?.startsWith('CARD-'));
  const texts = cards.map(({ remittanceInformationUnstructured: text }) => text ?? '');
  expect(texts.filter((text) => !/^(?:\*\d{4} )?\d\d\.\d\d /.test(text))).toEqual([]);
  expect(pending.length).toBeGreaterThan(0);
  for (const [card, seen] of Object.entries(lagsOfBien)) {
    const own = cards.filter((one) => one.bankTransactionCode === `CARD-${card}`);
    const lags = own.map(({ bookingDate = '', remittanceInformationUnstructured: text = '' }) => {
      const [, day = '', month = ''] = /(\d\d)\.(\d\d) /.exec(text) ?? [];
      const year = Number(bookingDate.slice(0, 4)) - (month > bookingDate.slice(5, 7) ? 1 : 0);
      return daysBetween(localDate(`${year}-${month}-${day}`), localDate(bookingDate));
    });
    const all = Object.values(seen).reduce((sum, times) => sum + times, 0);
    for (const [lag, times] of Object.entries(seen)) {
      const share = lags.filter((each) => each === Number(lag)).length / lags.length;
      expect([card, lag, Math.abs(share - times / all) < 0.1 || share]).toEqual([card, lag, true]);
    }
  }
});

test('L8: a persona of odd members harms nobody: amounts below an øre, an order to itself, salaries without funds', async () => {
  const [number = '', other = ''] = numbers;
  const persona = await personaOf({
    name: 'odd',
    description: 'Whatever the schema allows',
    netPerYear: '0.00',
    events: [
      {
        event: 'dust',
        kind: 'card',
        when: { perMonth: 30 },
        card: 'foreign',
        amount: '-1.00',
        shops: ['X'],
        foreign: { currency: 'IDR', rate: '0.0001' },
      },
      {
        event: 'to-itself',
        kind: 'standing order',
        when: { days: [31, 1], rule: 'preceding' },
        amount: '10.00',
        text: 'x',
        party: { name: 'Y', account: number },
      },
      {
        event: 'salaries',
        kind: 'bulk',
        when: { days: [29], rule: 'following' },
        text: 'x',
        payees: [{ name: 'Z', account: other, amount: '9999999.99' }],
      },
      {
        event: 'all',
        kind: 'transfer',
        when: { perYear: 700 },
        amount: '-0.01',
        upTo: '-9000000.00',
        parties: [{ name: 'W' }],
      },
      {
        event: 'lapses',
        kind: 'card',
        when: { perYear: 40 },
        card: 'visa',
        amount: '-1.00',
        shops: ['X'],
        lapsesAfterDays: 30,
      },
    ],
  });
  const times = { settlementTimes: { private: ['00:10'], corporate: ['00:10'] } };
  const bank = await open({ now: '2027-02-27T23:59:00+01:00', ...times });
  await beginLife(bank, number, { persona, months: 120, seed: 'ø' });
  await advanceClock(bank, at('2028-02-29T23:59:00+01:00'));
  expect(await brokenProofs(bank)).toEqual({});
  const ledger = await takeLedgerImage(bank);
  const again = await openBank({ ...ownBank, ledger, ...times });
  expect(await listLives(again)).toEqual(await listLives(bank));
  await advanceClock(again, at('2028-04-29T23:59:00+02:00'));
  expect(await brokenProofs(again)).toEqual({});
});
