import { enteredAmount } from '../../../engine/values/money.ts';
import { story } from '../../bodies/examples.ts';
import { moneyText, numberText } from '../../pages/format.ts';
import { html } from '../../pages/html.ts';
import { Problem, type Way } from '../../pipeline/problem.ts';
import { ownAction, view, type PageCall } from '../page-call.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { actionForm, hiddenFields } from '../parts/forms.ts';
import { empty } from '../parts/blocks.ts';
import { payPath } from '../parts/links.ts';
import { type Money, statusWords } from '../parts/text.ts';

/** Maximum number of accounts to choose from. */
const maxAccounts = 100;

type Psu = AnswerTo<'GET /info'>['psus'][number];

/**
 * Initiates a payment at the unsigned door. Then the browser is on its SCA page, or on the payment if nobody has to
 * sign.
 */
export const makePayment = ownAction(
  payPath,
  `pay --from ${story.debtorBban} --to ${story.creditorBban} --amount 120.00`,
  async (call, fields) => {
    const made = await call.carryOut('POST /payments', {}, orderOf(fields));
    const { told, struck, payment, scas, refusal } = made as AnswerTo<'POST /payments'>;
    const to = payment && pathTo('/payments/:paymentId', { params: { paymentId: payment.paymentId } });
    const request = pathTo('/requests/:requestId', { params: { requestId: told.requestId } });
    if (struck !== null) {
      const ways = [
        ...(to === null ? [] : [{ text: 'Open the payment', to }]),
        { text: 'Open the request', to: request },
      ];
      throw new Problem({ status: 409, detail: struck, ways });
    }
    if (to === null) throw new Problem({ ...refusalOf(refusal).facts, ways: await waysOn(call, request, refusal) });
    const [sca] = scas;
    return { text: 'The payment is initiated.', to, ...(sca !== undefined && { leave: call.out(`sca/${sca.id}`) }) };
  },
);

function orderOf(fields: ReadonlyMap<string, string>): object {
  const [psu, from, agreement] = (fields.get('from') ?? '').split('/');
  return {
    from,
    to: fields.get('to') ?? '',
    amount: enteredAmount(fields.get('amount') ?? '', 'NOK'),
    creditorName: fields.get('creditorName') ?? '',
    on: fields.get('requestedExecutionDate'),
    psu,
    agreement,
    tpp: 'console',
    sign: false,
    allowDuplicate: fields.has(again),
  };
}

/** The field that takes a payment although it repeats another one (rules.md P7). */
const again = 'again';

/** What a TPP was refused, as far as it is known. */
type ToldRefusal = AnswerTo<'POST /payments'>['refusal'];

/** From a refused payment: the payment that it repeats, and the request. */
async function waysOn(call: PageCall, to: string, refusal: ToldRefusal): Promise<readonly Way[]> {
  const request = { text: 'Open the request', to };
  const { detail, code } = refusalOf(refusal).facts;
  if (code !== 'CONFLICT') return [request];
  const { payments } = await call.read('/payments', { query: { limit: '500' } });
  const same = payments.find(({ paymentId, wirePaymentId = paymentId }) => detail.includes(wirePaymentId));
  if (same === undefined) return [request];
  const payment = pathTo('/payments/:paymentId', { params: { paymentId: same.paymentId } });
  return [{ text: `Open the ${statusWords(same.status)} payment`, to: payment }, request];
}

/** The fields of the form, by the members of the body that they fill. */
const fieldOfMember: Readonly<Record<string, string>> = { instructedAmount: 'amount', creditorAccount: 'to' };

/** A refused call of a TPP in the bank's own words, each at its field. */
export function refusalOf(refusal: ToldRefusal): Problem {
  const { status, tppMessages } = refusal ?? { status: 502, tppMessages: [] };
  const [code] = tppMessages.map((message) => message.code);
  const errors = tppMessages.map(({ path = '', text }) => {
    const [member = ''] = path.split('.');
    // The form has a button for what the text says to a client.
    const detail = text.replace(/\nSee \S+$/, '').replace(/ Send allowLogicalDuplicate=true [\w ]*\./, '');
    return { path: fieldOfMember[member] ?? path, detail };
  });
  const detail = errors.map((error) => error.detail).join(' ') || 'The bank did not take the call.';
  return new Problem({ status, detail, errors, ...(code !== undefined && { code }) });
}

/** A form with persons, accounts and an amount filled in. `?as=` chooses a person by number. */
export const payView = view(payPath, [], async (call) => {
  const { psus } = await call.ask('/info');
  const { accounts } = await call.ask('/accounts');
  // Each payment has another amount: the same again would be a duplicate (rules.md P7).
  const { total: made } = await call.read('/payments', { query: { limit: '1' } });
  const balances = new Map(accounts.map(({ number, available }) => [number, available]));
  const as = call.query.get('as');
  const [own, others] = [psus.filter(({ customerNumber }) => customerNumber === as), psus];
  const payers = (own.length > 0 ? own : others).flatMap((psu) => payersOf(psu, balances)).slice(0, maxAccounts);
  const first = payers.find(({ hasMoney }) => hasMoney) ?? payers[0];
  const title = 'Make a payment';
  if (first === undefined) {
    const toPeople = { href: call.to('/people'), text: 'Show the people' };
    return { title, content: empty('Nobody can pay here: no account in NOK that a person may pay from.', toPeople) };
  }
  return {
    title,
    lead: html`You are the client that a customer has asked to pay. The bank then asks the customer to sign, on its own
    page.`,
    content: html`${actionForm(call, makePayment, { button: 'Continue to approval', tone: 'main' }, [
      {
        name: 'from',
        label: 'Who pays, from which account',
        value: first.value,
        options: Object.fromEntries(payers.map(({ value, words }) => [value, words])),
        isLong: true,
      },
      { name: 'creditorName', label: 'Payee', value: 'Company 123', required: true },
      { name: 'to', label: 'Account of the payee', value: story.creditorBban, required: true },
      { name: 'amount', label: 'Amount in NOK', value: `${120 + made}.00`, required: true },
      { name: 'requestedExecutionDate', label: 'Date', type: 'date', hint: 'Empty: as soon as it is signed' },
    ])}
    ${
      call.note?.form === payPath &&
      call.note.problem?.code === 'CONFLICT' &&
      actionForm(
        call,
        makePayment,
        { button: 'Pay it all the same' },
        hiddenFields({ [again]: 'yes', ...Object.fromEntries(call.note.fields) }),
      )
    }`,
  };
});

/** The page that makes a payment, with this person chosen, or null if the person has no account in NOK to pay from. */
export function payAs(psu: Psu): string | null {
  const isKroner = ({ currency }: { readonly currency: string }): boolean => currency === 'NOK';
  const mayPay = psu.accounts.some(isKroner) || psu.engagements.some(({ roles }) => roles.includes('REGISTER'));
  return mayPay ? pathTo(payPath, { query: { as: psu.customerNumber } }) : null;
}

/**
 * What a person can pay from: own accounts in NOK, and those of companies that the person may register payments for.
 * `value`: number of the person, number of the account, and the agreement of a company.
 */
function payersOf({ customerNumber, name, accounts, engagements }: Psu, balances: ReadonlyMap<string, Money>) {
  const payer = (number: string | null, of: string, agreement: string) => {
    const available = number === null ? undefined : balances.get(number);
    if (number === null || available?.currency !== 'NOK') return [];
    const value = [customerNumber, number, agreement].filter(Boolean).join('/');
    const words = `${name}${of}, ${numberText(number)}, ${moneyText(available)}`;
    return [{ value, words, hasMoney: Number(available.amount) > 0 }];
  };
  return [
    ...accounts.flatMap(({ bban }) => payer(bban, '', '')),
    ...engagements
      .filter(({ roles, agreement }) => roles.includes('REGISTER') && agreement.owner !== customerNumber)
      .flatMap(({ agreement, account }) => payer(account.bban, ` for ${agreement.name}`, agreement.id)),
  ];
}
