import { join } from 'node:path';
import { withTarget, type Figure } from './figure.ts';
import type { SettlementTask } from './measure-settlement.ts';
import { runInterleaved } from './run-interleaved.ts';

const orders = 1_000;
/** Measured in full, and with --quick; both end on a banking day, so that as many payments settle as there are months. */
const years = { full: 10, quick: 2 };

/** Targets: payments of orders a second relative to those of the hand-written loop, seconds of an idle decade. */
const targets = { speed: 0.9, idle: 1 };

/** Years of monthly standing orders, beside the loop, which schedules no next payment; and ten years without payments. */
export async function ordersFigures(folder: string, scale: number, loop: SettlementTask): Promise<Figure[]> {
  const measuredYears = scale === 1 ? years.full : years.quick;
  const path = join(folder, 'orders.sqlite');
  const measured = await runInterleaved({
    busy: { kind: 'orders', path, orders, years: measuredYears },
    idle: { kind: 'orders', path, orders: 0, years: years.full },
    loop,
  });
  const { busy, idle } = measured;
  const rate = (orders * measuredYears * 12) / busy.seconds;
  const by = rate / (loop.size.due / measured.loop.seconds);
  const figure = `${busy.seconds.toFixed(1)} s, ${Math.round(rate).toLocaleString('en')} payments/s`;
  return [
    withTarget(
      `${measuredYears} years of ${orders.toLocaleString('en')} monthly orders`,
      { figure, ratio: `${by.toFixed(2)} of the loop` },
      { by, atLeast: targets.speed },
    ),
    withTarget(
      `${years.full} years of nothing`,
      { figure: `${idle.seconds.toFixed(3)} s` },
      { by: idle.seconds, atMost: targets.idle, unit: ' s' },
    ),
  ];
}
