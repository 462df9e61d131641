import { expect, test } from '@jest/globals';
import { personaNames } from '../../api/start/fixtures.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { ore } from '../../engine/life/rules/event-amounts.ts';
import { isShort } from '../../engine/life/rules/interpret.ts';
import { livedAs, type Persona } from '../../engine/life/rules/persona.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { formatAmount } from '../../engine/values/money.ts';
import { at } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { knownState, now, numbers, open, personaNamed, personaWith, statement } from './lived-banks.ts';

/* rules.md L3: what a made past and a lived day make of the same days, but for what a past saves evenly (L3b). */

const [number = ''] = numbers;
const oneRun = { settlementTimes: { private: ['08:00'], corporate: ['08:00'] } } as const;
const text = (minor: bigint): string => formatAmount({ minor, currency: 'NOK' });

/** What a persona keeps on its payday, in øre; null: it does not say. */
function keptBy(persona: Persona): bigint | null {
  const left = livedAs(persona, null).events.find(({ kind }) => kind === 'left over');
  return left?.kind === 'left over' && left.keeps !== undefined ? ore(left.keeps) : null;
}

/** A bank in which half a year was made that ends at a balance in øre, and what its account began with. */
async function made(persona: Persona, balance: bigint, settings: object) {
  const bank = await open({ ...settings, knownState: knownState(text(balance), '3000.00') });
  await beginLife(bank, number, { persona, months: 6 });
  return { bank, opening: (await statement(bank, number)).entries[0]?.balance.minor ?? 0n };
}

/** A past that began with what its persona keeps: so that funds were those by which it was made (L9f). */
async function madeFromWhatIsKept(persona: Persona, settings: object) {
  let balance = 25_000_000n;
  let past = await made(persona, balance, settings);
  const keeps = keptBy(persona);
  for (let round = 0; keeps !== null && isShort(keeps) && past.opening !== keeps && round < 9; round += 1) {
    await past.bank.close();
    balance += keeps - past.opening;
    past = await made(persona, balance, settings);
  }
  return past;
}

/** The same days lived from the first midnight on. */
async function lived(persona: Persona, opening: bigint, settings: object): Promise<Bank> {
  const start = { now: '2026-05-23T00:00:00+02:00', knownState: knownState(text(opening), '3000.00') };
  const bank = await open({ ...settings, ...start });
  await beginLife(bank, number, { persona, months: 0 });
  await advanceClock(bank, at(now));
  return bank;
}

test.each(personaNames().flatMap((name) => [[name, {}] as const, [name, oneRun] as const]))(
  'L3, L4: half a year of %s is booked alike if it was made and if it was lived, with %j',
  async (name, settings) => {
    const persona = personaNamed(name);
    const keeps = keptBy(persona);
    const past = await madeFromWhatIsKept(persona, settings);
    if (isShort(keeps)) expect(past.opening).toBe(keeps);
    const life = await lived(persona, past.opening, settings);
    const left = new Set(isShort(keeps) ? [] : ['Sparekonto', 'BSU', 'Plasseringskonto']);
    const told = async (bank: Bank) => {
      const { entries, pending } = await statement(bank, number);
      const lines = entries
        .filter((one) => one.bookingDate > '2026-05-22' && !left.has(one.text))
        .map((one) => `${one.bookingDate} ${one.valueDate} ${one.amount.minor} ${one.text}`);
      return { booked: lines.toSorted(), pending: pending.map(({ amount }) => amount.minor).toSorted() };
    };
    const [one, other] = [await told(past.bank), await told(life)];
    expect(one.booked.length).toBeGreaterThan(150);
    expect(one).toEqual(other);
    expect(await brokenProofs(past.bank)).toEqual({});
  },
  60_000,
);

test('L3, S4: a made past tries an order at five runs, and takes a purchase whose reservation finds funds', async () => {
  const bank = await open({ ...oneRun, now: '2026-06-20T10:00:00+02:00', knownState: knownState('200.00') });
  const party = { name: 'Y', account: numbers[1] };
  const persona = await personaWith([
    [1, { kind: 'standing order', amount: '90.00', text: 'Leie', party }],
    [1, { kind: 'standing order', amount: '900.00', text: 'Avdrag', party }],
    [5, { kind: 'transfer', amount: '100.00', text: 'Gave' }],
    [10, { kind: 'card', card: 'visa', amount: '-60.00', reserved: '-10.00', shops: ['KIOSK'] }],
    [11, { kind: 'card', card: 'visa', amount: '-10.00', reserved: '-60.00', shops: ['KAFÉ'] }],
    [15, { kind: 'fee for failed orders', text: 'Gebyr', rate: '60.00' }],
    // What stays on a payday is what the past is judged by.
    [28, { kind: 'left over', keeps: '10.00', text: 'Inkasso', party: { name: 'Z' } }],
  ]);
  await beginLife(bank, number, { persona, months: 1 });
  const { entries } = await statement(bank, number);
  expect(entries.slice(1).map(({ bookingDate, amount }) => [bookingDate, amount.minor])).toEqual([
    ['2026-06-05', 10_000n],
    ['2026-06-08', -9_000n],
    ['2026-06-11', -6_000n],
    ['2026-06-15', -6_000n],
  ]);
});
