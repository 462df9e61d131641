import { expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import type { CreateBankOptions } from '../../api/harness/index.ts';

const [nora, anna, shop] = ['09232911044', '74712699947', '90491105991'];

test.each<[string, CreateBankOptions]>([
  ['on a Sunday', { now: '2027-02-07T12:00:00+01:00' }],
  ['after the last run', { now: '2027-02-05T16:00:00+01:00' }],
  ['on a Sunday, by the run\u2019s day', { now: '2027-02-07T12:00:00+01:00', quirks: { 'value-date': 'run-day' } }],
])(
  'S3b: signed at one instant, payments are tried in the order of their signatures, an at-once one without funds among them: %s',
  async (_, options) => {
    await using bank = await createBank({ ...options, profile: 'kvinesdal-sparebank' });
    const order = { from: nora, allowDuplicate: true } as const;
    const signed = [
      await bank
        .tpp()
        .pay({ ...order, to: 'DE89370400440532013000', amount: '3.00', product: 'sepa-credit-transfers' }),
      await bank.tpp().pay({ ...order, to: anna, amount: '900000.00' }),
      await bank.tpp().pay({ ...order, to: shop, amount: '5.00' }),
      await bank.tpp().pay({ ...order, to: anna, amount: '900001.00' }),
    ];
    expect((await bank.payments(signed[1] ?? '')).status).not.toBe('ACSC');
    const { executions } = await bank.forecast('2027-02-08T05:30:00+01:00');
    expect(executions.map(({ paymentId }) => paymentId)).toEqual(signed);
    const { runs } = await bank.clock.advance('2027-02-08T05:30:00+01:00');
    const run = runs.at(-1)?.id.replace('/', '-') ?? '';
    const { attempts } = await (
      await bank.fetch(`/sandbox/runs/${run}`)
    ).json<{ attempts: { paymentId: string; moved?: string }[] }>();
    expect(attempts.map(({ paymentId }) => paymentId)).toEqual(signed);
  },
);

test.each([
  ['Sunday: neither day has passed', '2027-02-07T12:00:00+01:00', '2027-02-06', '2027-02-08'],
  ['Monday after its runs: the moved day has not passed', '2027-02-08T16:00:00+01:00', '2027-02-06', '2027-02-08'],
  ['Tuesday: both days have passed', '2027-02-09T08:00:00+01:00', '2027-03-06', '2027-03-08'],
])(
  'P13b: a standing order for the 6th, a Saturday, that is signed late, on %s',
  async (_, at, nominalDate, executionDate) => {
    await using bank = await createBank({ now: '2027-02-05T12:00:00+01:00' });
    const terms = { on: '2027-02-06', every: 'Monthly', signedBy: [] } as const;
    const id = await bank.tpp().pay({ from: nora, to: shop, amount: '25.00', ...terms });
    await bank.clock.advance(at);
    const [shown] = (await bank.payments(id)).occurrences;
    await bank.psu('13039319955').approve(await bank.tpp().authorise(id));
    const [first] = (await bank.payments(id)).occurrences;
    for (const one of [shown, first]) expect(one).toMatchObject({ nominalDate, executionDate });
  },
);
