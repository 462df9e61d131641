import { expect, test } from '@jest/globals';
import type { Bank } from '../../engine/open-bank.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectRun } from '../../engine/runs/list-runs.ts';
import { formatInstant, type Instant, osloDate, osloInstant, timeOfDay } from '../../engine/values/instant.ts';
import { addDays, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { memoryBank, ofProfile } from '../lab/bank.ts';
import { attemptsByTheRules, type Signed, type TermsOfOrder } from '../lab/model-of-order.ts';
import { deposit, orderSigned, paySigned, people } from '../lab/payments.ts';
import { runs } from '../support/sample.ts';
import { type Seeded, seeded } from '../lab/seeded.ts';

/* Random days of one account, over weekends, Easter and Christmas, against a model of the rule's words. */

const profiles: Readonly<Record<string, TermsOfOrder>> = {
  default: { runs: ['05:30', '09:30', '11:30', '13:30', '15:30'] },
  'sparebanken-din': { runs: ['05:30', '09:30', '11:30', '13:30', '15:30'], cutOff: '14:00' },
  'sparebanken-sor': { runs: ['00:00', '08:00', '10:00', '11:30', '14:00'] },
};

/** Around weekends, Easter, 17 May, Christmas and a month that begins on a Sunday. */
const begins =
  '2027-02-05 2027-02-06 2027-02-08 2027-03-24 2027-03-25 2027-03-27 2027-05-14 2027-05-16 2027-12-23 2027-07-31'.split(
    ' ',
  );

test.each(Object.keys(profiles))(
  'S3b, T4d, T9: random days at %s are tried in the order of signatures',
  async (profile) => {
    const terms = profiles[profile] as TermsOfOrder;
    const options = profile === 'default' ? {} : await ofProfile(profile);
    for (let seed = 1; seed <= runs(5); seed += 1) {
      const { signed, kroner } = randomDay(seeded(seed));
      const until = addDays(localDate(signed.at(-1)?.at.slice(0, 10) ?? ''), 12);
      const bank = await memoryBank(formatInstant(instantOf(signed[0]?.at ?? '')), options);
      const told = await attemptsOf(bank, signed, kroner, until);
      expect({ seed, signed, told }).toEqual({ seed, signed, told: attemptsByTheRules(signed, kroner, terms, until) });
    }
  },
);

/** Two to nine signatures at one instant, some hours or a day apart, never at the instant of a run or a cut-off. */
function randomDay({ below, pick }: Seeded): { readonly signed: readonly Signed[]; readonly kroner: number } {
  let day = localDate(pick(begins));
  let minute = below(144) * 10 + 7;
  const signed = Array.from({ length: 2 + below(8) }, (_, index): Signed => {
    if (below(3) === 0) minute += below(90) * 10;
    if (minute >= 24 * 60) {
      day = addDays(day, 1);
      minute -= 24 * 60;
    }
    const kroner = (1 + below(9)) * 100 + index;
    const one = { name: `n${index}`, at: `${day} ${timeOf(minute)}`, kroner, day: addDays(day, below(7)) };
    if (below(2) === 0) return one;
    return { ...one, every: pick(['day', 'week', 'month']), rule: pick(['following', 'preceeding']) };
  });
  return { signed, kroner: below(signed.length * 800) };
}

const timeOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

function instantOf(local: string): Instant {
  const [day = '', time = ''] = local.split(' ');
  return osloInstant(localDate(day), time);
}

const frequencies = { day: 'Daily', week: 'Weekly', month: 'Monthly' } as const;

/** What the bank tried, which is what it forecast, in the form of the model. */
async function attemptsOf(bank: Bank, signed: readonly Signed[], kroner: number, until: LocalDate): Promise<string[]> {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
  if (account === undefined) throw new Error('Nora has an account');
  await deposit(bank, 'nora', BigInt(kroner * 100) - account.balance_minor - account.credit_line_minor);
  const orders = new Set(signed.flatMap(({ name, every }) => (every ? [name] : [])));
  const names = new Map<string, string>();
  const ids: string[] = [];
  for (const { name, at, kroner, day, every, rule } of signed) {
    ids.push(...(await advanceClock(bank, instantOf(at))).runs.map((run) => run.id));
    const transfer = { from: 'nora', to: 'shop', amount: `${kroner}.00` } as const;
    const startDate = localDate(day);
    const made = every
      ? orderSigned(bank, transfer, { startDate, frequency: frequencies[every], executionRule: rule ?? 'following' })
      : paySigned(bank, transfer, startDate);
    names.set((await made).payment.resource_id, name);
  }
  const end = osloInstant(until, '23:59');
  const line = (run: string, paymentId: string | null, nominal: string, outcome: string) => {
    const name = names.get(paymentId ?? '') ?? '';
    return `${run} ${orders.has(name) ? `${name} of ${nominal}` : name} ${outcome}`;
  };
  const { executions } = await forecast(bank, { to: end });
  const foreseen = executions.map(({ run, paymentId, nominalDate, outcome }) =>
    line(`${osloDate(run.at)} ${timeOfDay(run.at)}`, paymentId, nominalDate, outcome),
  );
  const before = ids.length;
  ids.push(...(await advanceClock(bank, end)).runs.map((run) => run.id));
  const happened: string[][] = [];
  for (const id of ids) {
    const { at: instant, attempts } = await inspectRun(bank, id);
    const run = `${osloDate(instant)} ${timeOfDay(instant)}`;
    happened.push(attempts.map((one) => line(run, one.paymentId, one.nominalDate, one.outcome)));
  }
  expect(foreseen).toEqual(happened.slice(before).flat());
  await bank.close();
  return happened.flat();
}
