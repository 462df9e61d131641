import { expect, test } from '@jest/globals';
import { beginLife } from '../../../engine/life/begin-life.ts';
import type { Persona } from '../../../engine/life/rules/persona.ts';
import { forecast } from '../../../engine/runs/forecast.ts';
import { at, memoryBank } from '../../lab/bank.ts';
import { people } from '../../lab/payments.ts';

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
    allowed: { to: '2036-03-20T00:00:00.000+01:00' },
    faults: [{ code: 'BAD_REQUEST', text: expect.stringMatching(/^More than 50000 planned events/) }],
  });
  await bank.close();
}, 60_000);
