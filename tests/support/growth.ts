import { cpuTimeOf } from './cpu-time.ts';

/**
 * How many times as long the work takes at the large size as at the small one, the fastest of three each: what takes time in
 * proportion to the size gives their ratio, whatever the machine.
 */
export function growth(work: (size: number) => () => unknown, small: number, large: number): number {
  return fastest(work(large)) / fastest(work(small));
}

function fastest(work: () => unknown): number {
  return Math.min(...Array.from({ length: 3 }, () => cpuTimeOf(work)));
}
