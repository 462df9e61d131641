import { forcedStatuses } from '../../../engine/payments/force-status.ts';
import { isFinal } from '../../../engine/settlement/rules/transaction-status.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Linking } from '../console-view.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { dateText, statusWords } from '../parts/text.ts';
import { cancelPayment, changePayment, forceStatus, rejectPayment } from './actions.ts';
import type { Payment } from './payment-view.ts';
import { amountAt, textAt } from './sent-body.ts';

/** Parts that are offered to be rejected alone. */
const mostParts = 50;

/** What the bank can do with a payment as it stands; nothing when it is over. */
export function paymentForms(call: Linking, payment: Payment): Html | null {
  const { status, paymentId } = payment;
  if (isFinal(status) || (status === 'PART' && openParts(payment).length === 0)) return null;
  const params = { paymentId };
  return html`<h2>In the bank's own channel</h2>
    <p class="lead">What the PSU can do without the TPP, and what the bank is told to do.</p>
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
          options: forcedStatuses.map((each) => [each, `${each}: ${statusWords(each)}`]),
        },
      ],
      button: 'Force the status',
    })}`;
}

/** A form for the amount, and one for the date: a bulk payment has no amount of its own, a standing order no date of its own. */
function changeForms(call: Linking, { paymentId, initiation, service, executionDate }: Payment): Html {
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

/** Of a bulk payment its items, of a standing order its dates to come. */
function partsOf(payment: Payment) {
  const { service } = payment;
  if (service === 'payments') return [];
  const parts = openParts(payment)
    .slice(0, mostParts)
    .map(({ item, nominalDate }) => {
      return [item ?? nominalDate, item ?? dateText(nominalDate)] as const;
    });
  const whole = service === 'bulk-payments' ? 'the whole payment' : 'the next date';
  return [{ name: 'of', label: 'What', options: [['', whole] as const, ...parts] }];
}
