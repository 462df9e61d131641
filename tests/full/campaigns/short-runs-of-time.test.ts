import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/open-bank.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import { type Change as ChangedBank, clock } from '../../campaigns/clock.ts';
import { forecasts } from '../../campaigns/forecasts.ts';
import { life } from '../../campaigns/life.ts';
import { campaigns } from '../../campaigns/list.ts';
import { reader } from '../../campaigns/reader.ts';
import { years } from '../../campaigns/years.ts';
import { changeRows, harm, rowsOf } from '../../lab/rows.ts';
import { finds, findsNothing } from '../../lab/short-run.ts';
import '../../support/program.ts';

/* Each campaign finds nothing in a run of the counts of `npm run campaigns -- --quick`, and finds the harm that a test does. */

describe('years', () => {
  findsNothing(
    'bank and auditor agree on a year in which the wall clock jumps',
    years,
    { seed: 3, count: 1 },
    ({ settled }) => expect(settled).toBeGreaterThan(100),
  );

  /** The profiles with most quirks of settlement: lists by customers, cut-offs by product and currency, early closes, fixings, at once, runs of one product, days of the run, statuses. */
  const profiles = [
    ...['handelsbanken-norge', 'sparebank1-ostfold-akershus', 'gildeskal-sparebank', 'skagerrak-sparebank'],
    ...['orskog-sparebank', 'sparebank1-sogn-og-fjordane', 'landkreditt-bank', 'kvinesdal-sparebank'],
    ...['sparebanken-din', 'sparebank1-sor-norge-sr'],
  ] as const;
  test('Q12, T4b to T4f, S4c, P10b: bank and auditor agree under each profile, and a forecast tells what happens', async () => {
    const counts: Record<string, number> = {};
    for (const profile of profiles) {
      const change = { days: 25, profiles: [profile] };
      const { violation, tallies } = await runCampaign(years, { seed: 5, count: 1, change });
      expect({ profile, violation }).toEqual({ profile, violation: null });
      for (const [what, times] of Object.entries(tallies)) counts[what] = (counts[what] ?? 0) + times;
    }
    const { settled, foreseen, byCompanies, abroad, atOnce } = counts;
    expect(Math.min(...[settled, foreseen, byCompanies, abroad, atOnce].map(Number))).toBeGreaterThan(5);
  }, 60_000);

  const late = harm('update execution set received_at = received_at + 86400000 where attempts = 0');
  finds(years, { seed: 3, count: 1 }, [
    [
      'payments that were received a day late behind its back, and tells the profile',
      { days: 30, eachDay: late, profiles: ['orskog-sparebank'] },
      /differ under orskog-sparebank in the 30 days from .*, after [1-3] payments/,
    ],
  ]);

  test('the campaign finds an øre that came from nowhere, tells the seed, and saves the bank', async () => {
    const eachDay = async (bank: Bank, day: number): Promise<void> => {
      const statement = `update account set balance_minor = balance_minor + 1 where bban = '09232911044'`;
      if (day === 5) await changeRows(bank, statement);
    };
    const { violation } = await runCampaign(years, { seed: 3, count: 1, change: { eachDay, days: 20 } });
    expect(violation).toMatch(
      /after 0 payments: .*nora has.*\nagain with: npm run campaigns -- years --seed 3 --count 1\n/,
    );
    expect(existsSync(/the bank: (.*)$/.exec(violation ?? '')?.[1] ?? '')).toBe(true);
  }, 60_000);
});

describe('clock', () => {
  findsNothing('T5, T7: 60 jumps, sleeps, restarts, resets and restores keep every promise of the clock', clock, {
    seed: 1,
    count: campaigns.clock.quick,
  });
  const forgets: ChangedBank = async (bank) => {
    const { write } = bank.ledger;
    const forgetting: typeof write = (work) =>
      write(async (tx) => {
        const result = await work(tx);
        await rowsOf(tx, 'update bank_state set clock_seen = 0');
        return result;
      });
    return { ...bank, ledger: { ...bank.ledger, write: forgetting } };
  };
  const skips: ChangedBank = async (bank, wall) => {
    if (wall.monotonic() > 0) await changeRows(bank, 'update bank_state set last_run_at = last_run_at + 86400000');
    return bank;
  };
  const goesBack: ChangedBank = async (bank, wall) => ({ ...bank, steady: { now: wall.now } });
  finds(clock, { seed: 1, count: 200 }, [
    ['a bank clock that goes back with the wall clock', goesBack, /./],
    ['a ledger that forgets the time that was seen', forgets, /./],
    ['runs that are skipped', skips, /./],
  ]);
});

describe('reader', () => {
  findsNothing(
    'S6: the books of a reader are right for 60 days in which the settlement times change',
    reader,
    { seed: 2, count: campaigns.reader.quick },
    ({ seen, changes }) => {
      expect(seen).toBeGreaterThan(100);
      expect(changes).toBeGreaterThan(0);
    },
  );
  /** From day 6 on, entries are changed so before each day; nothing but a test does. */
  const tampering = (change: string) => async (bank: Bank, day: number) => {
    if (day < 6) return;
    await changeRows(bank, 'drop trigger if exists entry_is_never_changed');
    await changeRows(bank, `update entry set ${change} where execution_id is not null`);
  };
  const found = /a reader from \d{4}-\d\d-\d\d on: by /;
  finds(reader, { seed: 2, count: 60 }, [
    ['a booking date that is the day of the payment', tampering('booking_date = value_date'), found],
    ['a transaction that is booked after its day', tampering('booked_at = booked_at + 86400000'), found],
    ['an amount of an øre more', tampering('amount_minor = amount_minor + 1'), found],
  ]);
});

describe('forecasts', () => {
  const seen = [
    ...['settle', 'retry', 'reject', 'known events'],
    ...['payments of lives that were to come', 'banks without lives'],
  ];
  findsNothing(
    'D3e: banks with lives, profiles, quirks and announced transactions do what their forecasts tell, and nothing else',
    forecasts,
    { seed: 44, count: 30, change: { quirks: [] } },
    (tallies) => {
      for (const what of seen) expect([what, tallies[what] ?? 0]).not.toEqual([what, 0]);
    },
  );
  const told = /the forecast tells ".*", and ".*" happened/;
  const meanwhile = (statement: string) => ({ quirks: [], meanwhile: harm(statement) });
  const money = 'update account set balance_minor = balance_minor + 100 where bban is not null';
  finds(forecasts, { seed: 42, count: 60 }, [
    ['money that came from nowhere', meanwhile(money), told],
    ['a life that ended by itself', meanwhile('delete from life'), told],
    ['a reservation that is gone', meanwhile('delete from reservation'), told],
  ]);

  /** One that shapes ids, one that shapes texts, one that the engine asks for. `npm run campaigns -- forecasts` takes all. */
  const quirks = ['reissued-ids', 'text-forms', 'status-lag'] as const;
  findsNothing(
    'Q1, Q2: a random bank under a quirk does what its forecast tells, proves, and is restored; its ledger is that without it',
    forecasts,
    { seed: 31, count: campaigns.forecasts.quick, change: { quirks } },
    (tallies) => {
      const counts = quirks.flatMap((name) => [`${name}: attempts`, `${name}: answers of its own`]);
      for (const what of counts) expect([what, tallies[what] ?? 0]).not.toEqual([what, 0]);
    },
  );
  const under = (statement: string) => ({ quirks: ['plain-json'] as const, eachBank: harm(statement) });
  const otherName = under("update account set name = name || '!'");
  finds(forecasts, { seed: 31, count: 12 }, [
    ['an øre more under a quirk', under('update account set balance_minor = balance_minor + 1'), /the proof fails/],
    ['another ledger under a quirk', otherName, /the ledger is another than without it/],
  ]);
});

describe('life', () => {
  findsNothing(
    'L1, L2, L9, S5: an account of each persona lives a year: one advance, 365 and any steps give one hash, the forecast came true, and Norway is as it is',
    life,
    { seed: 32, count: campaigns.life.quick, change: { ofEach: 1 } },
    ({ planned }) => expect(planned).toBeGreaterThan(300),
  );
  const meanwhile = (statement: string) => ({ ofEach: 1, days: 40, meanwhile: harm(statement) });
  const øre = 'update account set balance_minor = balance_minor + 1 where bban is not null';
  const ended = /another hash by other steps|has not ended by/;
  finds(life, { seed: 32, count: 1 }, [
    ['an øre that came from nowhere', meanwhile(øre), /the books are wrong.*accounts whose balance/],
    ['a life that ended by itself', meanwhile('delete from life where id = 1'), ended],
  ]);
});
