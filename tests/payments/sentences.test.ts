import { expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import type { Bank, CreateBankOptions } from '../../api/harness/index.ts';
import { formatsIn } from '../../api/pages/format.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { bankingDayFrom } from '../lab/simulation/terms.ts';
import { dayAfter, instantOf, isClosed } from '../lab/simulation/days.ts';
import { type Seeded, seeded } from '../lab/seeded.ts';
import { runs } from '../support/sample.ts';

/*
 * P3d: the sentences of drawn payments, held against each other and against what happened. The calendar is that of the auditor. More by hand:
 * raise `count`.
 */
const count = runs(15);
const seed = 4_206;

const [nora, anna, shop, abroad] = ['09232911044', '74712699947', '90491105991', 'DE89370400440532013000'];
const psu = '13039319955';

const banks: readonly CreateBankOptions[] = [
  {},
  {
    cutOffs: { domestic: '14:00', 'private:foreign': '18:45', inside: '17:00' },
    earlyClose: { 'before-holiday': '12:00' },
  },
  { quirks: { 'value-date': 'run-day' }, cutOffs: { domestic: '14:00' } },
  {
    quirks: { 'same-bank-at-once': true },
    settlementTimes: { private: ['08:00', '13:00'], corporate: ['09:00', '16:00'] },
  },
];

interface Attempted {
  readonly paymentId: string;
  readonly executionDate: string;
  readonly run: { readonly at: string };
  readonly outcome: string;
  readonly reason: string;
  readonly moved?: string;
}

async function drawn(
  bank: Bank,
  random: Seeded,
  today: string,
): Promise<{ id: string; wanted: string; preceding: boolean; isPeriodic: boolean }> {
  const on = dayAfter(today, random.below(6));
  const amount = random.below(6) === 0 ? `${900_000 + random.below(1_000)}.00` : `${1 + random.below(90)}.00`;
  const order = { from: nora, to: random.pick([anna, shop]), amount, signedBy: [] } as const;
  const kind = random.below(4);
  if (kind === 0) {
    const product = 'sepa-credit-transfers';
    return {
      id: await bank.tpp().pay({ ...order, to: abroad, product, currency: 'EUR', on, allowDuplicate: true }),
      wanted: on,
      preceding: false,
      isPeriodic: false,
    };
  }
  if (kind === 1) {
    const preceding = random.below(2) === 0;
    const more = preceding ? { more: { executionRule: 'preceeding' } } : {};
    return {
      id: await bank.tpp().pay({ ...order, on, every: 'Monthly', ...more }),
      wanted: on,
      preceding,
      isPeriodic: true,
    };
  }
  const asked = random.below(2) === 0 ? { on } : {};
  return {
    id: await bank.tpp().pay({ ...order, ...asked, allowDuplicate: true }),
    wanted: asked.on ?? today,
    preceding: false,
    isPeriodic: false,
  };
}

const dayIn = (text: string): string => text.slice(0, 10);

test(`P3d, S11: the sentences of ${count} drawn payments contradict neither each other nor what happens; seed ${seed}`, async () => {
  const random = seeded(seed);
  for (let index = 0; index < count; index += 1) {
    const today = dayAfter(random.pick(['2027-03-22', '2027-05-10', '2027-12-20', '2028-02-07']), random.below(9));
    const hour = (from: number): string =>
      `${String(from + random.below(24 - from)).padStart(2, '0')}:${random.pick(['05', '35'])}`;
    const options = random.pick(banks as [CreateBankOptions, ...CreateBankOptions[]]);
    await using bank = await createBank({
      ...options,
      now: formatInstant(instantOf(`${today} ${hour(3)}`) as Instant),
    });
    const { id, wanted, preceding, isPeriodic } = await drawn(bank, random, today);
    const signedOn = dayAfter(today, random.pick([0, 0, 1, 3]));
    const at = signedOn === today ? null : `${signedOn} ${hour(3)}`;
    if (at !== null) await bank.clock.advance(formatInstant(instantOf(at) as Instant));
    const told = [`payment ${index}`, JSON.stringify(options), today, at, wanted, preceding];
    const holds = (what: string, found: unknown, expected: unknown): void =>
      expect([...told, what, found]).toEqual([...told, what, expected]);

    const before = await bank.payments(id);
    const textsBefore = ((await bank.tpp().payment(id)).tppMessages ?? []).map(({ text }) => text);
    await bank.psu(psu).approve(await bank.tpp().authorise(id));
    const after = await bank.payments(id);
    const { tppMessages = [] } = await bank.tpp().payment(id);
    const texts = tppMessages.map(({ text }) => text);
    const [occurrence] = after.occurrences;
    const date = occurrence?.executionDate ?? '';
    const now = dayIn((await (await bank.fetch('/sandbox/clock')).json<{ now: string }>()).now);

    holds('why before', /1 signature is missing: .* can sign/.test(before.why ?? ''), true);
    // An unsigned payment is told as one that is signed now.
    holds('the day before and after', before.executionDate ?? before.occurrences[0]?.executionDate, date);
    holds(
      'the texts before and after',
      textsBefore.filter((text) => !/had? |has /.test(text)),
      texts.filter((text) => !/had? |has /.test(text)),
    );
    if (after.status === 'ACSC') {
      holds('at once', [date, texts, after.nextAttempt ?? null], [signedOn, [], null]);
      continue;
    }
    holds('the status', after.status, isPeriodic ? 'ACSP' : date <= now ? 'PDNG' : 'ACSP');
    const { executions } = await bank.forecast('P40D');
    const foreseen = executions.filter(
      ({ paymentId, executionDate }) => paymentId === id && executionDate === date,
    ) as unknown as Attempted[];
    const [first] = foreseen;
    holds('the run', after.nextAttempt?.at, first?.run.at);
    const run = dayIn(first?.run.at ?? '');

    const { moved } = occurrence ?? {};
    const planned = formatsIn('en').day(run as LocalDate);
    const settles = `settles ${planned}, ${first?.run.at.slice(11, 16)}, if funds suffice`;
    holds('why after', (after.why ?? '').split('; ').at(-1), settles);
    holds('why it moved', after.why?.startsWith('asked for '), moved !== undefined);
    holds('moved or not', moved !== undefined, date !== (isPeriodic ? (occurrence?.nominalDate ?? '') : wanted));
    if (moved !== undefined) {
      const day = Number(date.slice(8));
      holds(
        'no payment is paid before it is',
        [/paid/.test(moved), new RegExp(`, due \\w{3} ${day} `).test(moved)],
        [false, true],
      );
      const from = isPeriodic ? (occurrence?.nominalDate ?? '') : wanted;
      holds('closed', /closed/.test(moved), isClosed(from));
      const due = bankingDayFrom(from, preceding ? -1 : 1);
      if (/signed after that day/.test(moved)) holds('signed after', signedOn > due, true);
      if (/signed too late for that day/.test(moved)) holds('signed late', signedOn <= due, true);
      holds('late or not', /signed/.test(moved), date !== due);
      const does = run === date ? 'executed' : 'due';
      holds('the warning', texts.filter((text) => text.includes(`is ${does} on ${date}`)).length, 1);
    }
    const late = texts.find((text) => text.includes('carries it out'));
    holds('a late run is told', late !== undefined, run !== date);
    if (late !== undefined) holds('the late run', late.includes(`on ${run} at ${first?.run.at.slice(11, 16)}`), true);
    holds('tried', foreseen[0]?.reason.includes('tried on'), run !== date);

    await bank.clock.advance('P40D');
    const { attempts } = await bank.payments(id);
    const made = attempts.slice(0, foreseen.length).map(({ at: when, outcome }) => `${when} ${outcome}`);
    holds(
      'what happened',
      made,
      foreseen.map((one) => `${one.run.at} ${one.outcome}`),
    );
    const [one] = attempts;
    const runId = String((one?.run as unknown as { id?: string } | string | undefined) ?? '');
    if (typeof one?.run === 'string' && runId !== '') holds('the run id', runId.startsWith(run), true);
  }
});
