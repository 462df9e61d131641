import { expect, test } from '@jest/globals';
import { beginLife } from '../../../engine/life/begin-life.ts';
import type { Persona } from '../../../engine/life/rules/persona.ts';
import { forecast } from '../../../engine/runs/forecast.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { listedPersona } from '../../../api/start/fixtures.ts';
import { at, memoryBank, ofProfile } from '../../lab/bank.ts';
import { people, paySigned } from '../../lab/payments.ts';
import { changeRows } from '../../lab/rows.ts';

test('D3e: more events of lives than one answer holds are refused, with the day until which it holds them', async () => {
  const events = Array.from({ length: 450 }, (_, index) => ({
    ...{ event: `pocket-money-${index}`, kind: 'transfer', amount: '1.00', text: 'Lommepenger' },
    when: { days: [20], rule: 'following' },
  }));
  const persona = { name: 'many', description: 'Many transfers', netPerYear: '5400.00', events } as unknown as Persona;
  const bank = await memoryBank('2026-11-23T10:00:00+01:00');
  await beginLife(bank, people.nora.bban, { persona, months: 1 });
  // 50,000 are those of 111 months.
  await expect(forecast(bank, { to: at('2036-11-01') })).rejects.toMatchObject({
    faults: [
      {
        code: 'BAD_REQUEST',
        text: expect.stringMatching(/^More than 50000 planned events/),
        allowed: { to: '2036-03-20T00:00:00.000+01:00' },
      },
    ],
  });
  await bank.close();
}, 60_000);

/** Gives a due payment 50,000 more executions. */
const repeated = (
  date: string,
): string => `insert into execution select id + value, payment_id, sequence + value, nominal_date, execution_date, received_at, place, lane,
  debtor_account_id, creditor_number, amount_minor, status, attempts, is_foreign
  from execution join (with recursive n (value) as (select 1 union all select value + 1 from n where value < 50000) select value from n)
  where execution_date = '${date}' and debtor_account_id = (select id from account where bban = '${people.even.bban}')`;

test('D3e: payments that are due after the last instant do not hide what lives do until then', async () => {
  const bank = await memoryBank('2026-11-23T10:00:00+01:00');
  await beginLife(bank, people.nora.bban, { persona: await listedPersona('family'), months: 1 });
  await paySigned(bank, { from: 'even', to: 'anne', amount: '0.01' }, localDate('2027-01-07'));
  const to = at('2027-01-07T00:00:00+01:00');
  const { executions, planned } = await forecast(bank, { to });
  expect(planned).not.toEqual([]);
  await changeRows(bank, repeated('2027-01-07'));
  expect(await forecast(bank, { to })).toMatchObject({ executions, planned });
  await bank.close();
}, 60_000);

test('D3e: more attempts than one answer holds are refused with the last instant that it holds, and are told until then', async () => {
  const bank = await memoryBank('2026-11-23T10:00:00+01:00');
  const { payment } = await paySigned(bank, { from: 'even', to: 'anne', amount: '0.01' }, localDate('2026-11-24'));
  await paySigned(bank, { from: 'even', to: 'anne', amount: '0.01' }, localDate('2026-11-26'));
  await changeRows(bank, repeated('2026-11-26'));
  // The run that books the first payment.
  const last = { to: '2026-11-24T09:30:00.000+01:00' };
  await expect(forecast(bank, { to: at('2026-12-24') })).rejects.toMatchObject({
    faults: [
      { code: 'BAD_REQUEST', path: 'to', text: expect.stringMatching(/^More than 50000 attempts/), allowed: last },
    ],
  });
  const { executions } = await forecast(bank, { to: at(last.to) });
  expect(executions.map(({ paymentId }) => paymentId)).toEqual([payment.resource_id]);
  await bank.close();
}, 60_000);

test('S4c: of more than one answer holds, those are told that the runs of another type of customers try', async () => {
  const { settlementTimes } = await ofProfile('handelsbanken-norge');
  const bank = await memoryBank('2026-11-23T08:20:00+01:00', { ...(settlementTimes && { settlementTimes }) });
  await paySigned(bank, { from: 'even', to: 'anne', amount: '0.01' });
  await changeRows(bank, repeated('2026-11-23'));
  const { payment } = await paySigned(bank, { from: 'company', to: 'anne', amount: '0.01' });
  // Companies have a run at 08:45, private customers at 10:00.
  const { executions } = await forecast(bank, { to: at('2026-11-23T09:00:00+01:00') });
  expect(executions.map(({ paymentId }) => paymentId)).toEqual([payment.resource_id]);
  await expect(forecast(bank, { to: at('2026-11-23T10:00:00+01:00') })).rejects.toMatchObject({
    faults: [{ code: 'BAD_REQUEST', text: expect.stringMatching(/^More than 50000 attempts/) }],
  });
  await bank.close();
}, 60_000);
