import { expect, test } from '@jest/globals';
import { listedProfile } from '../../api/start/profile.ts';
import { personaNames } from '../../api/start/fixtures.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { at } from '../lab/bank.ts';
import { rowsIn } from '../lab/rows.ts';
import { lifeDifferences } from '../lab/simulation/lived.ts';
import { oneOf } from '../support/sample.ts';
import { knownState, lowestOf, numbers, open, personaNamed, statement } from './lived-banks.ts';

test.each(oneOf('years of personas', personaNames()))(
  'L9: a year that was made for %s, and one that was lived, hold every rule of Norwegian life',
  async (name) => {
    await using bank = await open({ knownState: knownState('12000.00', '5000.00') });
    for (const number of numbers.slice(0, 2))
      await beginLife(bank, number, { persona: personaNamed(name), months: 12 });
    expect(await lifeDifferences(bank, '2026-11-23')).toEqual([]);
    await advanceClock(bank, at('2027-11-23T10:00:00+01:00'));
    expect(await lifeDifferences(bank, '2027-11-23')).toEqual([]);
    const { entries } = await statement(bank, numbers[0] ?? '');
    expect(entries.filter(({ text }) => text === 'Vipps')).toEqual([]);
  },
  60_000,
);

test.each(personaNames())(
  'L9d: %s travels in at most four months of a year, and pays for one kind of housing',
  (name) => {
    const { events } = personaNamed(name);
    const months = events.flatMap((event) => (event.kind === 'trip' ? event.when.months : []));
    expect(months.length).toBeLessThan(5);
    const texts = JSON.stringify(events);
    expect(texts.includes('Felleskostnader') && texts.includes('Kommunale avgifter')).toBe(false);
  },
);

test.each(personaNames())(
  'L9: in the file of %s cafés close on high holidays and offices on weekends, nights abroad cost money, and a subscription has one price',
  (name) => {
    for (const event of personaNamed(name).events) {
      if (event.kind === 'card' && 'perMonth' in event.when) {
        const shops = event.shops.join();
        const { closedOn = 'never' } = event.when;
        if (/KIOSK|BAKERI|KAFFE|KAFÉ|SPISERI|PIZZERIA|RISBOLLEN/.test(shops)) expect(closedOn).toMatch(/high|weekends/);
        if (/LEGESENTER|LUNSJBAR/.test(shops)) expect(closedOn).toBe('weekends');
      }
      if (event.kind === 'trip')
        for (const { days, lodging, fare } of event.places)
          // A package has the hotel in its price.
          expect(days[1] === 1 || lodging !== undefined || Number(fare.amount) < -9_000).toBe(true);
      if (event.category === 'subscription' && 'amount' in event) expect('upTo' in event).toBe(false);
    }
  },
);

test.each([
  ['42350.00', '0.00'],
  ['900.00', '3000.00'],
  ['0.00', '0.00'],
  ['-1500.00', '2000.00'],
  ['600000.00', '0.00'],
])(
  'L9f: a made past of any persona that ends at %s with a credit of %s never goes below the credit line',
  async (balance, creditLine) => {
    for (const name of oneOf(`pasts that end at ${balance}`, personaNames())) {
      await using bank = await open({ knownState: knownState(balance, creditLine) });
      const [number = ''] = numbers;
      await beginLife(bank, number, { persona: personaNamed(name), months: 30 });
      const { entries, balances } = await statement(bank, number);
      const more = balances.interimBooked - BigInt(balance.replace('.', ''));
      const isAsked = name === 'short-of-funds' || Number(balance) > 20_000;
      expect([name, more >= 0n, more % 10_000n, isAsked && more > 0n]).toEqual([name, true, 0n, false]);
      expect([name, entries.at(-1)?.balance.minor]).toEqual([name, balances.interimBooked]);
      const line = -BigInt(creditLine.replace('.', ''));
      expect([name, lowestOf(entries) >= line || lowestOf(entries)]).toEqual([name, true]);
    }
  },
);

test('L9f: of the standing orders of short-of-funds at least one in six fails in a made past and lived, with its fee', async () => {
  const bank = await open({ knownState: knownState('2000.00', '3000.00') });
  const three = numbers.slice(0, 3);
  for (const number of three) await beginLife(bank, number, { persona: personaNamed('short-of-funds'), months: 24 });
  const fees = async (): Promise<number[]> =>
    (await Promise.all(three.map((number) => statement(bank, number)))).map(({ entries }) =>
      Number(
        entries
          .filter(({ text }) => text === 'Gebyr avvist fast oppdrag')
          .reduce((sum, { amount }) => sum - amount.minor, 0n) / 6_000n,
      ),
    );
  const made = await fees();
  for (const failed of made) expect(failed / (24 * 3)).toBeGreaterThan(1 / 6);
  await advanceClock(bank, at('2028-12-01T10:00:00+01:00'));
  const outcomes = await rowsIn(
    bank,
    `select sum(status = 'RJCT') as failed, count(*) as "all" from execution where status in ('RJCT', 'ACSC')`,
  );
  const [{ failed, all } = { failed: 0, all: 1 }] = outcomes as unknown as readonly { failed: number; all: number }[];
  expect(failed / all).toBeGreaterThan(1 / 6);
  const tries = await rowsIn(
    bank,
    `select distinct (select count(*) from attempt a where a.execution_id = e.id) as tries from execution e where status = 'RJCT'`,
  );
  expect(tries).toEqual([{ tries: 5 }]);
  const lived = (await fees()).reduce((sum, one) => sum + one, 0) - made.reduce((sum, one) => sum + one, 0);
  expect(lived).toBe(failed);
});

/** The codes of a private person's account (facts.json: bien-sparebank, bankTransactionCodes). */
const codesOfBien =
  /^(?:CARD-NCRD-POSD|CARD-CCRD-(?:XBPO|POSD)|PMNT-ICDT-(?:RETP|PCID|DMCT)|BOOK-EXPS-(?:BANK|OTHR)|PMNT-RCDT-(?:RETP|SALA)|PMNT-IICT-XBCT|--)$/;

test('L9: no persona has a code that Bien was not seen to have', async () => {
  await listedProfile('bien-sparebank');
  for (const name of personaNames()) {
    const { events } = personaNamed(name);
    for (const event of events)
      if ('code' in event)
        expect([name, event.event, event.code]).toEqual([name, event.event, expect.stringMatching(codesOfBien)]);
  }
});

test('L9d: on a trip nothing is bought at home, in whatever steps the days pass', async () => {
  const trips = personaNamed('family').events.filter(
    ({ kind, when }) => kind === 'trip' && 'months' in when && when.months?.includes(7),
  );
  const home = {
    event: 'home',
    kind: 'card',
    card: 'domestic',
    when: { perMonth: 200 },
    amount: '-50.00',
    shops: ['KIOSK'],
  };
  const persona = { ...personaNamed('family'), rises: [], events: [...trips, home] } as unknown as Persona;
  const lived = async (...steps: readonly string[]): Promise<string> => {
    const bank = await open({ now: '2027-06-01T10:00:00+02:00' });
    await beginLife(bank, numbers[0] ?? '', { persona, months: 1 });
    for (const step of [...steps, '2027-08-05T12:00']) await advanceClock(bank, at(`${step}:00+02:00`));
    return hashLedger(bank, 'left-out');
  };
  // After each run, and at the midnight that has the evening.
  const steps = Array.from({ length: 31 }, (_, index) => `2027-07-${String(index + 1).padStart(2, '0')}`).flatMap(
    (day) => ['00:00', '09:30', '11:30', '13:30', '15:30'].map((time) => `${day}T${time}`),
  );
  expect(await lived(...steps)).toBe(await lived());
});

test('L9d: if the ticket or the purchase found no funds, there is no trip and no refund', async () => {
  const bank = await open({ knownState: knownState('0.00', '0.00') });
  const [number = '', other = ''] = numbers;
  const family = personaNamed('family');
  const events = family.events.filter(({ kind, event }) => kind === 'trip' || event === 'online-shopping');
  const gift = {
    event: 'gift',
    kind: 'transfer',
    when: { days: [3], rule: 'following' },
    amount: '90000.00',
    text: 'Gave',
  } as const;
  await beginLife(bank, number, { persona: { ...family, events }, months: 1 });
  await beginLife(bank, other, { persona: { ...family, events: [...events, gift] }, months: 1 });
  await advanceClock(bank, at('2028-11-23T10:00:00+01:00'));
  const lived = (await statement(bank, number)).entries.filter(({ bookingDate }) => bookingDate > '2026-12-01');
  expect(lived).toEqual([]);
  const texts = (await statement(bank, other)).entries.map(({ text }) => text);
  expect(texts.filter((text) => /ROMA|LISBOA|MALAGA|STRÖMSTAD/.test(text)).length).toBeGreaterThan(20);
});
