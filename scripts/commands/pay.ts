import { flagsAgain } from '../cli/bank-address.ts';
import { paymentOf, wholeOrder } from '../cli/payment-order.ts';
import { passOn, plainCommand } from '../cli/plain-command.ts';
import { storyOfPayment } from './payments.ts';

/** Initiates a payment or a standing order through the unsigned door, and signs it. */
export const pay = plainCommand(
  {
    name: 'pay',
    notes: [
      '--amount takes 100 or 100.50. By default the first NOK account pays the first one of another customer, today, and everybody signs who must. Of a standing order --on is the first date, and --until the last.',
      'The TPP is called pay; read its payments through the unsigned door, /sandbox/as/pay/v1/... Dates follow the bank clock.',
    ],
    examples: [
      'sandbank pay --amount 100',
      'sandbank pay --amount 75 --kid 12345678903',
      'sandbank pay --amount 250.50 --every monthly',
    ],
  },
  {
    ...passOn('POST /payments', {
      flags: {
        amount: 'amount',
        from: 'from',
        to: 'to',
        kid: 'kid',
        every: 'every',
        on: 'on',
        until: 'until',
        dayOfExecution: 'day',
        monthsOfExecution: 'months',
        executionRule: 'rule',
        sign: 'psu',
        allowDuplicate: 'allow-duplicate',
      },
      required: ['amount'],
      body: (order, { client }) => wholeOrder(client, order),
      lines: (answer, { given, client }) => {
        const payment = paymentOf(answer);
        const { paymentId, wirePaymentId, nextAttempt } = payment;
        const then = `${given.program} advance --until '${paymentId}=ACSC'${flagsAgain(given, 'port', 'host', 'bank')}`;
        return [
          ...storyOfPayment(payment, [], client.address),
          ...(wirePaymentId === undefined ? [] : [`  Under /v1  ${wirePaymentId}`]),
          ...(nextAttempt === null ? [] : [`  Then       ${then}`]),
        ];
      },
    }),
    summary: 'Makes and signs a payment or a standing order, and tells what comes of it.',
  },
);
