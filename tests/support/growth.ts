import { cpuTimeOf } from './cpu-time.ts';

/** Ms: half a step of the system's count more or less does not make a hundred times as long ten thousand times as long. */
const longEnough = 20;

/**
 * How many times as long the work takes at the large size as at the small one, the faster of two each: what takes time in
 * proportion to the size gives their ratio, whatever the machine. Good to a factor of two.
 */
export function growth(work: (size: number) => () => unknown, small: number, large: number): number {
  return faster(work(large)) / faster(work(small));
}

function faster(work: () => unknown): number {
  return Math.min(cpuTimeOf(work, longEnough), cpuTimeOf(work, longEnough));
}
