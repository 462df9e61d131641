import { forcedStatuses } from '../../../engine/payments/bank-side-payments.ts';
import { isFinal } from '../../../engine/settlement/rules/transaction-status.ts';
import type { PaymentAnswer as Payment } from '../../control/payments/get-payment.ts';
import { html, type Html } from '../../pages/html.ts';
import { consoleAction, type PageCall } from '../page-call.ts';
import { actionForm, enteredAmount, type Field, optionsOf } from '../parts/forms.ts';
import { dateText, statusWords } from '../parts/text.ts';
import { amountAt, textAt } from '../../bodies/rule.ts';

const path = '/payments/:paymentId';

/** What the PSU does in the bank's own channel, and what the bank is told to do (rules.md P14, P14b, S9b). */
const cancelPayment = consoleAction(`POST ${path}/cancel`, {
  done: ({ status }) => `The payment is ${statusWords(status)}.`,
});

const changePayment = consoleAction(`PATCH ${path}`, {
  path: `${path}/change`,
  body: (fields) => {
    const [amount, currency = ''] = [fields.get('amount'), fields.get('currency')];
    return {
      amount: amount === undefined ? undefined : { amount: enteredAmount(amount, currency), currency },
      requestedExecutionDate: fields.get('requestedExecutionDate'),
    };
  },
  done: () => 'The payment is changed.',
});

const rejectPayment = consoleAction(`POST ${path}/reject`, {
  body: (fields) => {
    const of = fields.get('of') ?? '';
    return {
      reason: fields.get('reason') ?? '',
      item: of.startsWith('payments') ? of : undefined,
      occurrence: /^\d/.test(of) ? of : undefined,
    };
  },
  done: ({ status }) =>
    status === 'RJCT'
      ? 'The payment is rejected.'
      : 'The bank will reject it when the next run tries it, for the reason that you gave.',
});

const forceStatus = consoleAction(`POST ${path}/status`, {
  body: (fields) => ({ status: fields.get('status') }),
  done: ({ forcedStatus }) => `Its TPP reads ${forcedStatus ?? 'its own status'} from now on.`,
});

export const paymentActions = [cancelPayment, changePayment, rejectPayment, forceStatus];

/** Maximum number of parts offered for rejection. */
const maxParts = 50;

/** What the bank can do with a payment as it stands; nothing when it is over. */
export function paymentForms(call: PageCall, payment: Payment): Html | null {
  const { status, paymentId } = payment;
  if (isFinal(status) || (status === 'PART' && openParts(payment).length === 0)) return null;
  const params = { paymentId };
  return html`<h2>In the bank's own channel</h2>
    <p class="lead">What the PSU can do without the TPP, and what you can tell the bank to do.</p>
    <div class="pair">
      ${status === 'ACSP' && changeForms(call, payment)}
      ${status === 'ACSP' && actionForm(call, cancelPayment, { params, button: 'Cancel the payment', tone: 'bad' })}
      ${actionForm(call, rejectPayment, {
        params,
        fields: [
          ...partsOf(payment),
          {
            name: 'reason',
            label: 'Why it is rejected',
            value: 'the creditor account is closed',
            required: true,
            isLong: true,
          },
        ],
        button: 'Reject',
        tone: 'bad',
      })}
      ${actionForm(call, forceStatus, {
        params,
        fields: [
          {
            name: 'status',
            label: 'What the TPP reads in place of its status',
            value: forcedStatuses[0],
            options: optionsOf(forcedStatuses, (each) => `${each}: ${statusWords(each)}`),
          },
        ],
        button: 'Force the status',
      })}
    </div>`;
}

/** A form for the amount, and one for the date: a bulk payment has no amount of its own, a standing order no date of its own. */
function changeForms(call: PageCall, { paymentId, initiation, service, executionDate }: Payment): Html {
  const amount = amountAt(initiation, 'instructedAmount');
  const asked = textAt(initiation, 'requestedExecutionDate') ?? executionDate ?? '';
  const form = (fields: readonly Field[], button: string): Html =>
    actionForm(call, changePayment, { params: { paymentId }, fields, button });
  return html`${
    amount !== null &&
    form(
      [
        { name: 'amount', label: `Amount, ${amount.currency}`, value: amount.amount, required: true },
        { name: 'currency', label: 'Currency', type: 'hidden', value: amount.currency },
      ],
      'Change the amount',
    )
  }
  ${
    service !== 'periodic-payments' &&
    form(
      [{ name: 'requestedExecutionDate', label: 'Execution date', type: 'date', value: asked, required: true }],
      'Change the date',
    )
  }`;
}

function openParts({ occurrences }: Payment): Payment['occurrences'] {
  return occurrences.filter(({ status }) => status === 'planned' || !isFinal(status));
}

/** The items of a bulk payment, or the coming dates of a standing order. */
function partsOf(payment: Payment): readonly Field[] {
  const { service } = payment;
  if (service === 'payments') return [];
  const parts = openParts(payment)
    .slice(0, maxParts)
    .map(({ item, nominalDate }) => [item ?? nominalDate, item ?? dateText(nominalDate)]);
  const whole = service === 'bulk-payments' ? 'the whole payment' : 'the next date';
  return [{ name: 'of', label: 'What', options: { '': whole, ...Object.fromEntries(parts) } }];
}
