import { createBank } from '../../api/harness/index.ts';
import { type Figure, given, withTarget, median } from './figure.ts';

/** Target at the 95th percentile, in ms. */
const target = 20;
const banks = 100;
const now = '2027-03-24T12:00:00+01:00';

/** Time to open a bank for a test with the whole known state. The first one loads the program and has no target. */
export async function harnessFigures(): Promise<Figure[]> {
  const [first = 0, ...others] = await timesOf(banks + 1);
  const slow = others.toSorted((one, other) => one - other)[Math.floor(others.length * 0.95)] ?? 0;
  return [
    given('createBank, the first of a process', `${first.toFixed(0)} ms`),
    given(`createBank, the median of ${banks}`, `${median(others).toFixed(1)} ms`),
    withTarget(
      'createBank, the 95th percentile',
      { figure: `${slow.toFixed(1)} ms` },
      { by: slow, atMost: target, unit: ' ms' },
    ),
  ];
}

async function timesOf(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const start = performance.now();
    const bank = await createBank({ now });
    times.push(performance.now() - start);
    await bank.close();
  }
  return times;
}
