import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../../api/harness/create-bank.ts';
import { allQuirks } from '../../../api/quirks/index.ts';
import type { Profile } from '../../../api/start/config.ts';
import { listedProfiles } from '../../../api/start/profile.ts';
import { formatInstant, type Instant } from '../../../engine/values/instant.ts';
import { instantOf } from '../../lab/simulation/days.ts';
import { sameSample, sample } from '../../support/sample.ts';

/*
 * Q8b: each applied fact of each profile changes what a caller sees. Payments are made under the profile, and under the profile without what
 * follows from the fact. A run of the suite plays one of six.
 */
type Fact = Profile['facts'][number];
type Changed = Pick<Profile, 'settings' | 'quirks'>;

const profiles = (await listedProfiles()).filter(({ id }) => id !== 'every-quirk');
const applied = profiles.flatMap((profile) =>
  profile.facts.filter((fact) => fact.applied).map((fact) => ({ profile, fact, name: `${profile.id} ${fact.key}` })),
);

type Table = Readonly<Record<string, string>>;
const keysWithout = (table: Table = {}, isDropped: (key: string) => boolean): Table =>
  Object.fromEntries(Object.entries(table).filter(([key]) => !isDropped(key)));
const isForeign = (key: string): boolean => /foreign|cross-border/.test(key);

function withoutCutOffs({ settings, quirks }: Changed, isDropped: (key: string) => boolean): Changed {
  const cutOffs = keysWithout(settings.cutOffs, isDropped);
  const earlyClose = keysWithout(settings.earlyClose, isDropped);
  return { settings: { ...settings, cutOffs, earlyClose }, quirks };
}

function withoutQuirk({ settings, quirks }: Changed, name: string): Changed {
  return { settings, quirks: Object.fromEntries(Object.entries(quirks).filter(([quirk]) => quirk !== name)) };
}

/** What a profile is without what follows from a fact of its settings or of its payments, by the key of the fact. */
const withoutFact: Readonly<Record<string, (profile: Profile, fact: Fact) => Changed>> = {
  settlementTimes: ({ settings, quirks }, { value }) => {
    const left = Object.entries(settings.settlementTimes ?? {}).filter(([type]) => !(type in (value as object)));
    const { settlementTimes: _, ...others } = settings;
    return { settings: { ...others, ...(left.length > 0 && { settlementTimes: Object.fromEntries(left) }) }, quirks };
  },
  sameDayCutOff: (profile) => withoutCutOffs(profile, (key) => !isForeign(key) && !key.includes('sepa')),
  yearEndCutOff: (profile) => withoutCutOffs(profile, (key) => key.startsWith('year-end')),
  foreignCutOff: (profile) => withoutCutOffs(profile, isForeign),
  sepaCutOff: (profile) => withoutCutOffs(profile, (key) => key.includes('sepa')),
  valueDateRule: (profile) => {
    if (profile.quirks['value-date'] !== undefined) return withoutQuirk(profile, 'value-date');
    const cutOffs = Object.entries(profile.settings.cutOffs ?? {}).map(([key, time]) => [key, time.slice(0, 5)]);
    return { settings: { ...profile.settings, cutOffs: Object.fromEntries(cutOffs) }, quirks: profile.quirks };
  },
  weekendRule: (profile) => withoutQuirk(profile, 'value-date'),
  fxFixingTimes: ({ settings, quirks }) => ({ settings: { ...settings, fxFixings: [] }, quirks }),
  ownAccountTransfers: (profile) => withoutQuirk(withoutQuirk(profile, 'own-accounts-at-once'), 'same-bank-at-once'),
  sameBankTransfers: (profile) => withoutQuirk(profile, 'same-bank-at-once'),
};

/** Whether the quirks of account information, and what else a quirk shows, are played elsewhere. */
const quirksOfFacts = (await allQuirks()).flatMap(({ name, lines = {} }) =>
  Object.values(lines).flatMap(({ seen }) => (seen.facts ?? []).map((key) => ({ key, name }))),
);
const ofPayments = ['value-date', 'own-accounts-at-once', 'same-bank-at-once'];
const isAccountQuirk = ({ quirks }: Profile, fact: Fact): boolean => {
  const own = quirksOfFacts.filter(({ key, name }) => key === fact.key && quirks[name] !== undefined);
  return fact.key in quirks || own.some(({ name }) => !ofPayments.includes(name));
};

const notPlayed: Readonly<Record<string, string>> = {
  lateRuns: 'T4h opens the run for the cut-off of another fact, which is played',
  transactionIdPadded: 'it is a part of the value of id-lengths, which transactionIdLength plays',
  paymentIdLength: 'it is a part of the value of id-lengths, which transactionIdLength plays',
  resourceIdLength: 'it is a part of the value of id-lengths, which transactionIdLength plays',
  proprietaryBankTransactionCode: 'it is a part of bank-codes=iso, which bankTransactionCodes plays',
  acceptFixSent: 'its dates have passed at the start of every clock that a test would take',
};

const [nora, savings, anna, shop] = ['09232911044', '70323119469', '74712699947', '90491105991'];
const [company, companys, abroad] = ['34110000016', '34110000024', 'DE89370400440532013000'];

/** Makes payments of both kinds of customers at a time, and tells what a caller sees of them then and within five days. */
async function seenAt({ settings, quirks }: Changed, time: string, currency: string): Promise<Record<string, string>> {
  const now = formatInstant(instantOf(time) as Instant);
  const facts = { id: 'played', name: 'Played', group: 'other', quality: 'partial', facts: [], unknown: ['all else'] };
  await using bank = await createBank({ now, profile: { ...facts, settings, quirks } });
  const made: [string, string][] = [];
  for (const [customer, from, own] of [
    ['private', nora, savings],
    ['corporate', company, companys],
  ] as const) {
    for (const to of [shop, own, anna])
      made.push([customer, await bank.tpp().pay({ from, to, amount: '25.00', allowDuplicate: true })]);
    for (const product of ['sepa-credit-transfers', 'cross-border-credit-transfers'] as const) {
      const money = {
        currency: product.startsWith('sepa') ? 'EUR' : currency,
        amount: currency === 'JPY' ? '500' : '25',
      };
      const amount = money.currency === 'JPY' ? '500' : '25.00';
      made.push([
        customer,
        await bank.tpp().pay({ from, to: abroad, product, ...money, amount, allowDuplicate: true }),
      ]);
    }
  }
  const seen: Record<string, string> = { private: '', corporate: '' };
  for (const [customer, id] of made) {
    const { transactionStatus, tppMessages = [] } = await bank.tpp().status(id);
    seen[customer] += JSON.stringify([transactionStatus, tppMessages.map(({ text }) => text)]);
  }
  await bank.clock.advance('P5D');
  for (const [customer, id] of made) {
    const { attempts, entries } = await bank.payments(id);
    const dates = entries.map(({ bookingDate, valueDate }) => [bookingDate, valueDate]);
    seen[customer] += JSON.stringify([attempts.map(({ at }) => at), dates]);
  }
  return seen;
}

/** The entries of one table that another lacks or has otherwise. */
const changedIn = (one: Table = {}, other: Table = {}): [string, string][] =>
  Object.entries(one).filter(([key, time]) => other[key] !== time);

/** A minute before and after each time that a fact gives the settings, on the days that it names; and times of payments that wait, or do not. */
function momentsOf({ settings: own }: Changed, { settings: other }: Changed): string[] {
  const around = (day: string, time: string): string[] =>
    [1, -1].map((by) => {
      const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)) + by;
      const two = (number: number): string => String(number).padStart(2, '0');
      return `${day} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
    });
  const early = changedIn(own.earlyClose, other.earlyClose).flatMap(([key, time]) => {
    const [day = ''] = /^\d{4}-\d\d-\d\d/.exec(key) ?? ['2023-12-29'];
    return around(day, time);
  });
  const runs = JSON.stringify(own.settlementTimes) === JSON.stringify(other.settlementTimes) ? {} : own.settlementTimes;
  const fixings = own.fxFixings === other.fxFixings ? [] : (own.fxFixings ?? []);
  const cutOffs = changedIn(own.cutOffs, other.cutOffs).map(([, time]) => time.slice(0, 5));
  const usual = [...cutOffs, ...fixings, ...Object.values(runs ?? {}).flat()].filter((time) => time > '03:00');
  return [...early, ...usual.flatMap((time) => around('2027-02-02', time)), '2027-02-05 17:00', '2027-02-06 12:00'];
}

describe('Q8b: an applied fact changes what a caller sees', () => {
  const played = applied.filter(({ profile, fact }) => fact.key in withoutFact && !isAccountQuirk(profile, fact));

  test.each(sample('facts', played, 6))('$name', async ({ profile, fact }) => {
    const without = withoutFact[fact.key]?.(profile, fact) ?? profile;
    const currencies = [
      ...new Set(Object.keys(profile.settings.cutOffs ?? {}).flatMap((key) => /[A-Z]{3}$/.exec(key) ?? [])),
    ];
    const named = ['private', 'corporate'].filter((customer) =>
      Object.keys(Object(fact.value)).some((key) => key.includes(customer)),
    );
    let acts = false;
    for (const time of [...new Set(momentsOf(profile, without))]) {
      for (const currency of [fact.key === 'valueDateRule' ? 'JPY' : (currencies[0] ?? 'USD')]) {
        const [one, other] = [await seenAt(profile, time, currency), await seenAt(without, time, currency)];
        for (const customer of ['private', 'corporate']) {
          const differs = one[customer] !== other[customer];
          acts ||= differs;
          // T4g: a fact that names a customer applies to that customer alone.
          if (differs && named.length > 0) expect([time, ...named]).toContain(customer);
        }
      }
      if (acts) break;
    }
    expect([acts, sameSample]).toEqual([true, sameSample]);
  });

  test('a fact that is not played here is of a quirk, which tests/full/golden plays under its profile, or has its reason', () => {
    const others = applied.filter((one) => !played.includes(one));
    const silent = others.filter(({ profile, fact }) => !isAccountQuirk(profile, fact) && !(fact.key in notPlayed));
    expect(silent.map(({ name }) => name)).toEqual([]);
    expect(played.length).toBeGreaterThan(20);
  });
});
