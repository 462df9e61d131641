import { join } from 'node:path';
import { judged, type Figure } from './figure.ts';
import { runInterleaved } from './run-interleaved.ts';

const months = 120;
/** An idle decade in seconds; a busy one as a share of the hand-written loop's payments per second. */
const targets = { idle: 1, share: 0.1 };

/** Ten years of monthly standing orders, and ten years of nothing. */
export async function ordersFigures(folder: string, scale: number, loopRate: number): Promise<Figure[]> {
  const orders = 1_000 / scale;
  const path = join(folder, 'orders.sqlite');
  const { busy, idle } = await runInterleaved({
    busy: { kind: 'orders', path, orders },
    idle: { kind: 'orders', path, orders: 0 },
  });
  const rate = (orders * months) / busy.seconds;
  const share = rate / loopRate;
  const shown = {
    figure: `${busy.seconds.toFixed(1)} s, ${Math.round(rate).toLocaleString('en')} payments/s`,
    ratio: `${share.toFixed(2)} of the loop`,
  };
  const count = orders.toLocaleString('en');
  return [
    judged(`ten years of ${count} monthly orders`, shown, { by: share, atLeast: targets.share }),
    judged(
      'ten years of nothing',
      { figure: `${idle.seconds.toFixed(3)} s` },
      { by: idle.seconds, atMost: targets.idle, unit: ' s' },
    ),
  ];
}
