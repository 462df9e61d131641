import { join } from 'node:path';
import { given, withTarget, type Figure } from './figure.ts';
import { runInterleaved } from './run-interleaved.ts';

const months = 120;
/** Time limit of an idle decade, in seconds. */
const mostIdle = 1;

/** Ten years of monthly standing orders, and ten years without payments. */
export async function ordersFigures(folder: string, scale: number, loopRate: number): Promise<Figure[]> {
  const orders = 1_000 / scale;
  const path = join(folder, 'orders.sqlite');
  const { busy, idle } = await runInterleaved({
    busy: { kind: 'orders', path, orders },
    idle: { kind: 'orders', path, orders: 0 },
  });
  const rate = (orders * months) / busy.seconds;
  const figure = `${busy.seconds.toFixed(1)} s, ${Math.round(rate).toLocaleString('en')} payments/s`;
  const ratio = `${(rate / loopRate).toFixed(2)} of the loop`;
  const count = orders.toLocaleString('en');
  return [
    given(`ten years of ${count} monthly orders`, figure, ratio),
    withTarget(
      'ten years of nothing',
      { figure: `${idle.seconds.toFixed(3)} s` },
      { by: idle.seconds, atMost: mostIdle, unit: ' s' },
    ),
  ];
}
