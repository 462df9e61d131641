import type { PageCall } from '../page-call.ts';

/** A link to the next thing to do. */
export interface Next {
  readonly href: string;
  readonly text: string;
}

/** The page that makes a payment, below `/console`. */
export const payPath = '/pay';

export function toPay(call: PageCall): Next {
  return { href: call.to(payPath), text: 'Make a payment' };
}

export function toReset(call: PageCall): Next {
  return { href: call.to('/reset'), text: 'Reset the bank …' };
}
