import { debtorBban, strangerBban } from './bodies.ts';

/** A bulk payment of the smallest valid items, as many as fit into 8 MB, and how many there are. `first` is the amount of the first in øre. */
export function largestBulk(first = 1): { readonly text: string; readonly count: number } {
  const [start, end] = [`{"debtorAccount":{"bban":"${debtorBban}","currency":"NOK"},"payments":[`, ']}'];
  const items: string[] = [];
  let left = 8 * 1024 * 1024 - start.length - end.length + 1;
  for (let cents = first; ; cents += 1) {
    const amount = (cents / 100).toFixed(2);
    const item = `{"creditorAccount":{"bban":"${strangerBban}","currency":"NOK"},"creditorName":"A","instructedAmount":{"amount":"${amount}","currency":"NOK"}}`;
    left -= item.length + 1;
    if (left < 0) return { text: start + items.join(',') + end, count: items.length };
    items.push(item);
  }
}
