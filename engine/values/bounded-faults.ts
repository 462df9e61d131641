import { Refusal, type Fault } from './fault.ts';

/** The most faults that one refusal tells (rules.md E3). */
export const mostFaults = 20;

/** The first 20 of `total` faults; the text of the last one says how many more there are. */
export function boundedFaults(faults: readonly Fault[], total = faults.length): readonly Fault[] {
  const more = total - mostFaults;
  if (more <= 0) return faults;
  return faults
    .slice(0, mostFaults)
    .map((fault, index) =>
      index === mostFaults - 1
        ? { ...fault, text: `${fault.text} (${more} more ${more === 1 ? 'fault' : 'faults'})` }
        : fault,
    );
}

/** Throws a Refusal of these faults, as far as one tells them; returns where there are none. */
export function refuseAny(faults: readonly Fault[], total = faults.length): void {
  const [first, ...others] = boundedFaults(faults, total);
  if (first !== undefined) throw new Refusal(first, ...others);
}
