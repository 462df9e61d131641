import { testTppId, testTppName } from '../../signing/test-tpp.ts';
import type { PaymentAnswer } from './get-payment.ts';

type Known = Pick<PaymentAnswer, 'tpp' | 'service' | 'product' | 'paymentId' | 'wirePaymentId'>;

/** The path at which the TPP of a payment starts an SCA for it, with the id that the TPP knows. */
export function authorisationsOf({ service, product, paymentId, wirePaymentId = paymentId }: Known): string {
  return `/v1/${service}/${product}/${wirePaymentId}/authorisations`;
}

/** The name of the throw-away TPP that made a payment: the server signs for it. Returns null if another TPP made it. */
export function throwAwayName({ tpp }: Known): string | null {
  const name = tpp.name.split(' ').at(-1) ?? '';
  return testTppName.test(name) && testTppId(name) === tpp.id ? name : null;
}
