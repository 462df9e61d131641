import { forcedStatuses } from '../../../engine/payments/rules/payment-status.ts';
import { isFinal } from '../../../engine/values/transaction-status.ts';
import type { PaymentAnswer as Payment } from '../../control/payments/get-payment.ts';
import { html, type Html } from '../../pages/html.ts';
import { consoleAction, ownAction, type PageCall } from '../page-call.ts';
import { actionForm, type Field, optionsOf, hiddenFields } from '../parts/forms.ts';
import { statusWords, foreign } from '../parts/text.ts';
import { dateText, instantText } from '../../pages/format.ts';
import { accountAt, amountAt, textAt } from '../../bodies/rule.ts';
import { found, Problem } from '../../pipeline/problem.ts';
import { advance } from '../clock/views.ts';
import { struckText } from '../../pipeline/fault-effect.ts';
import { refusalOf } from '../overview/make-payment.ts';
import { authorisationsOf, throwAwayName } from '../../control/payments/door-payment.ts';
import { scaIdIn } from '../../control/payments/pay-and-sign.ts';
import { stepOf } from '../../causes/next-step.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { code, commandLine } from '../parts/blocks.ts';
import { payPath, toForecast } from '../parts/links.ts';
import { approvalForm } from '../sca/views.ts';

const path = '/payments/:paymentId';

/** What the PSU does in the bank's own channel, and what the bank is told to do (rules.md P14, P14b, S9b). */
const cancelPayment = consoleAction(`POST ${path}/cancel`, {
  done: ({ status }) => `The payment is ${statusWords(status)}.`,
});

const changePayment = consoleAction(`PATCH ${path}`, {
  path: `${path}/change`,
  done: () => 'The payment is changed.',
});

const rejectPayment = consoleAction(`POST ${path}/reject`, {
  body: (fields) => {
    const of = fields.get('of');
    return { [of?.startsWith('payments') ? 'item' : 'occurrence']: of };
  },
  done: ({ status }) =>
    status === 'RJCT'
      ? 'The payment is rejected.'
      : 'The bank will reject it when the next run tries it, for the reason that you gave.',
});

const forceStatus = consoleAction(`POST ${path}/status`, {
  done: ({ forcedStatus }) => `Its TPP reads ${forcedStatus ?? 'its own status'} from now on.`,
});

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
      ${status === 'ACSP' && actionForm(call, cancelPayment, { button: 'Cancel the payment', tone: 'bad', params })}
      ${actionForm(call, rejectPayment, { button: 'Reject', tone: 'bad', params }, [
        ...partsOf(payment),
        {
          name: 'reason',
          label: 'Why it is rejected',
          value: 'the creditor account is closed',
          required: true,
          isLong: true,
        },
      ])}
      ${actionForm(call, forceStatus, { button: 'Force the status', params }, [
        {
          name: 'status',
          label: 'What the TPP reads in place of its status',
          value: forcedStatuses[0],
          options: optionsOf(forcedStatuses, (each) => `${each}: ${statusWords(each)}`),
        },
      ])}
    </div>`;
}

/**
 * A form for the amount, and one for the date: a bulk payment has no amount of its own, a standing order no date of its
 * own.
 */
function changeForms(call: PageCall, { paymentId, initiation, service, executionDate }: Payment): Html {
  const amount = amountAt(initiation, 'instructedAmount');
  const asked = textAt(initiation, 'requestedExecutionDate') ?? executionDate ?? '';
  const form = (fields: readonly Field[], button: string): Html =>
    actionForm(call, changePayment, { button, params: { paymentId } }, fields);
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

const openPath = '/payments/:paymentId/open-sca';

/** The members that are read of the answer to an authorisation. */
interface ToldOfSca {
  readonly tppMessages?: NonNullable<AnswerTo<'POST /payments'>['refusal']>['tppMessages'];
  readonly _links?: { readonly scaRedirect?: { readonly href: string } };
}

/**
 * Lets the throw-away TPP of a payment open another SCA, and shows it. Throws a Problem (409) for a payment of another
 * TPP.
 */
const openSca = ownAction(openPath, null, async (call) => {
  const payment = await call.read('/payments/:paymentId', { params: call.params });
  const name = found(throwAwayName(payment), 'Only the TPP itself can open an SCA for its payment.', 409);
  const { status, body, fault } = await call.sendAtDoor(name, authorisationsOf(payment));
  const struck = struckText(fault, 'The SCA is open.');
  if (struck !== null) throw new Problem({ status: 409, detail: struck });
  const { tppMessages = [], _links: links } = Object(body) as ToldOfSca;
  if (status !== null && status >= 400) throw refusalOf({ status, tppMessages });
  const scaId = scaIdIn(links?.scaRedirect?.href ?? '') ?? '';
  return { text: `${payment.tpp.name} has opened an SCA.`, to: pathTo('/sca/:scaId', { params: { scaId } }) };
});

/** Where the missing signature is given: an open SCA, or how the TPP opens one. */
async function waysToSign(call: PageCall, payment: Payment): Promise<Html> {
  const { paymentId, tpp } = payment;
  const { scas } = await call.ask('/sca');
  const own = scas.filter(({ payments, purpose }) => payments.includes(paymentId) && purpose !== 'cancellation');
  if (own.length === 0) {
    const path = authorisationsOf(payment);
    const name = throwAwayName(payment);
    const text = html`No SCA is open for it. ${foreign(tpp.name)} opens one with <code>POST ${path}</code>.`;
    if (name === null) return html`<div class="empty"><p>${text}</p></div>`;
    return html`<div class="empty">
      <p>${text}</p>
      ${actionForm(call, openSca, { button: 'Open an SCA', tone: 'main' })}
      ${code(commandLine(call, `sign POST '${path}' --tpp ${name}`))}
    </div>`;
  }
  const { psus } = await call.ask('/info');
  return html`${own.map((sca) => {
    const what = sca.basketId === null ? 'Approve the payment' : 'Approve the signing basket';
    const which = own.length > 1 ? `, SCA of ${instantText(sca.startedAt)}` : '';
    return approvalForm(call, sca, psus, `${what}${which}`);
  })}`;
}

/**
 * Moves the clock to the run that tries a payment next: at once if an Undo can take that back, else the move is shown
 * first.
 */
async function wayToNextAttempt(call: PageCall, { nextAttempt }: Payment): Promise<Html | null> {
  if (nextAttempt === null) return null;
  const { at: to } = nextAttempt;
  const button = `Move the clock to ${instantText(to)}`;
  if ((await call.moves.obstacle()) !== null) {
    return html`<p class="lead">
      <a class="button" href="${toForecast(call, to)}">${button}</a>
    </p>`;
  }
  const { now: from } = await call.clock();
  return actionForm(call, advance, { button }, hiddenFields({ to, from }));
}

/** The next step of a payment, and what makes it (C24). */
export async function waysOn(call: PageCall, payment: Payment): Promise<Html> {
  const { act, text } = stepOf(payment);
  const account = accountAt(payment.initiation, 'debtorAccount');
  const ways: Readonly<Record<string, string | false>> = {
    'Make a new payment': call.to(payPath),
    'Put money into the account': account !== null && call.to('/accounts/:number', { params: { number: account } }),
  };
  const parts = text.split(/(Make a new payment|Put money into the account)/).map((part) => {
    const to = ways[part] ?? false;
    return to === false ? part : html`<a href="${to}">${part}</a>`;
  });
  return html`<p class="lead next">${parts}</p>
    ${act === 'sign' && (await waysToSign(call, payment))} ${await wayToNextAttempt(call, payment)}`;
}

export const paymentActions = [cancelPayment, changePayment, rejectPayment, forceStatus, openSca];
