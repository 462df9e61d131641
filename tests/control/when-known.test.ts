import { expect, test } from '@jest/globals';
import { listedProfile } from '../../api/start/profile.ts';
import { platformIds } from '../../api/start/platform.ts';
import { testBank } from '../support/test-bank.ts';

/*
 * Q12d: each part of an answer has the quality of its own fact. Read by hand from the facts of the profiles on 26 November 2026: for a payment
 * outside the bank, to an own account, to another customer, instant, SEPA and abroad; the letters are those of cut-off, run, booking and value
 * date: published, observed, inferred, assumed, none.
 */
const nothing = '-aaa -aaa -aaa -paa -aaa -aaa';
const known: Readonly<Record<string, Readonly<Record<'private' | 'corporate', string>>>> = {
  'bien-sparebank': { private: '-aoo -aoo -aoo -paa -aaa -aaa', corporate: nothing },
  'handelsbanken-norge': {
    private: '-ppp -ppp -ppp -paa -paa -paa',
    corporate: '-ppp -ppp -ppp -paa -paa -paa',
  },
  'landkreditt-bank': { private: nothing, corporate: '-pap -pap -pap -paa -paa -paa' },
  'sparebank1-ostfold-akershus': { private: nothing, corporate: '-paa -paa -paa -paa ppaa ppaa' },
  'sparebanken-ost': { private: nothing, corporate: '-aaa -aap -aap -paa -aaa -aaa' },
  'sparebanken-sor': { private: '-iaa -iaa -iaa -paa -iaa -iaa', corporate: '-aaa -iaa -iaa -paa -aaa -aaa' },
};

const bank = testBank('2027-03-19T12:00:00+01:00');
const parts = ['cutOff', 'run', 'booking', 'valueDate'] as const;
const own = { private: '70323119469', corporate: '34110000024' };

async function lettersOf(customer: 'private' | 'corporate'): Promise<Map<string, string>> {
  const questions = [
    { product: 'domestic' },
    { product: 'domestic', creditor: own[customer] },
    { product: 'domestic', creditor: '74712699947' },
    { product: 'instant' },
    { product: 'sepa' },
    { product: 'cross-border', currency: 'USD' },
  ];
  const told = new Map<string, string[]>();
  for (const question of questions) {
    const query = new URLSearchParams({ at: '2027-02-02T16:00:00+01:00', customer, ...question } as never);
    for (const row of (await bank.control('GET', `/sandbox/when?${query}`)).body.banks) {
      const facts = (await listedProfile(row.id)).facts.filter(({ applied }) => applied);
      for (const part of parts) {
        const { quality = '-', source = null } = row[part] ?? {};
        const isKnown = facts.some((fact) => fact.source === source);
        expect([row.id, part, source === null || isKnown || row.run.id === null]).toEqual([row.id, part, true]);
        if (quality === 'assumed') expect([row.id, part, source]).toEqual([row.id, part, null]);
      }
      const letters = parts.map((part) => (row[part] === null ? '-' : row[part].quality[0])).join('');
      told.set(row.id, [...(told.get(row.id) ?? []), letters]);
    }
  }
  return new Map([...told].map(([id, letters]) => [id, letters.join(' ')]));
}

test.each(['private', 'corporate'] as const)('Q12d: each part has its own source and quality: %s', async (customer) => {
  const expected = platformIds().map((id) => [id, known[id]?.[customer] ?? nothing]);
  expect(Object.fromEntries(await lettersOf(customer))).toEqual(Object.fromEntries(expected));
});
