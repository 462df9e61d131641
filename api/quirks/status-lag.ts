import type { QuirkFile } from './quirk-file.ts';

const reads = /^GET .*\/\{paymentId\}(?:\/status)?$/;

export const quirk: QuirkFile = {
  group: 'failures',
  does: 'For the given time after an SCA, a TPP still reads the status from before that SCA',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H44: {
      what: 'For some time after the SCA, the status of a payment is still RCVD.',
      value: 'PT26S',
      seen: { register: [49], facts: ['statusLag'] },
      mistake:
        'The client reads the status once, when the PSU comes back, and concludes that the payment is refused or unsigned.',
    },
  },
  shape: 'values',
  heard: {
    by: 'reads the status of a payment after its SCA',
    in: ({ operation, answer }) => reads.test(operation) && /"transactionStatus":"(?!RCVD)/.test(answer),
  },
};
