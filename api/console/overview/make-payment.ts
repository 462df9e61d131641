import { story } from '../../bodies/story.ts';
import { html } from '../../pages/html.ts';
import { Problem } from '../../pipeline/problem.ts';
import type { ConsoleView, OwnAction } from '../page-call.ts';
import { type AnswerTo, pathTo } from '../../openapi/calls.ts';
import { actionForm, enteredAmount } from '../parts/forms.ts';
import { commandLine, empty, payPath } from '../parts/lists.ts';
import { amountText } from '../parts/text.ts';

/** The name of the throw-away TPP that the form pays as. */
const tppName = 'console';
const product = 'norwegian-domestic-credit-transfers';
/** Maximum number of accounts to choose from. */
const maxAccounts = 100;

type Psu = AnswerTo<'GET /info'>['psus'][number];

/** Initiates a payment through the unsigned door. Then the browser is on its SCA page, or on the payment if nobody has to sign. */
export const makePayment: OwnAction = {
  path: payPath,
  line: (_params, call) =>
    commandLine(call, `pay --from ${story.debtorBban} --to ${story.creditorBban} --amount 120.00`),
  act: async (call, fields) => {
    const [psu = '', debtor = '', agreement = ''] = (fields.get('from') ?? '').split('/');
    const headers = {
      'x-psu-identity': psu,
      'psu-context': agreement === '' ? 'PRIVATE' : 'CORPORATE',
      ...(agreement !== '' && { 'psu-corporate-id': agreement }),
    };
    const path = `/sandbox/as/${tppName}/v1/payments/${product}`;
    const answer = await call.post(path, headers, bodyOf(debtor, fields));
    const { paymentId, scaId } = acceptedBy(answer);
    const to = pathTo('/payments/:paymentId', { params: { paymentId } });
    return { text: 'The payment is initiated.', to, ...(scaId !== '' && { leave: call.out(`sca/${scaId}`) }) };
  },
};

function bodyOf(debtor: string, fields: ReadonlyMap<string, string>): object {
  return {
    instructedAmount: { amount: enteredAmount(fields.get('amount') ?? '', 'NOK'), currency: 'NOK' },
    debtorAccount: { bban: debtor, currency: 'NOK' },
    creditorAccount: { bban: fields.get('to') ?? '', currency: 'NOK' },
    creditorName: fields.get('creditorName') ?? '',
    requestedExecutionDate: fields.get('requestedExecutionDate'),
  };
}

interface Answer {
  readonly status: number;
  readonly content: unknown;
}

/** The payment and the SCA that a call of a TPP made; empty: none. Throws a Problem with the bank's own text for a refused call. */
export function acceptedBy({ status, content }: Answer): { readonly paymentId: string; readonly scaId: string } {
  const { paymentId, _links, tppMessages, detail } = Object(content) as {
    readonly paymentId?: string;
    readonly _links?: { readonly scaRedirect?: { readonly href: string } };
    readonly tppMessages?: readonly { readonly text?: string }[];
    readonly detail?: string;
  };
  const [, scaId = ''] = /\/sca\/([\w-]+)/.exec(_links?.scaRedirect?.href ?? '') ?? [];
  if (status < 400) return { paymentId: paymentId ?? '', scaId };
  const messages = (tppMessages ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
  throw new Problem({ status, detail: messages.join(' ') || (detail ?? 'The bank did not take the call.') });
}

/** A form with persons, accounts and an amount filled in. `?as=` chooses a person by number. */
export const payView: ConsoleView = {
  path: payPath,
  show: async (call) => {
    const { psus } = await call.ask('/info');
    const { accounts } = await call.ask('/accounts');
    const balances = new Map(accounts.map(({ number, available }) => [number, available]));
    const as = call.query.get('as');
    const [own, others] = [psus.filter(({ customerNumber }) => customerNumber === as), psus];
    const payers = (own.length > 0 ? own : others).flatMap((psu) => payersOf(psu, balances)).slice(0, maxAccounts);
    const first = payers.find(({ hasMoney }) => hasMoney) ?? payers[0];
    if (first === undefined) {
      return {
        title: 'Make a payment',
        content: empty('Nobody can pay here: no account in NOK that a person may pay from.', {
          href: call.to('/people'),
          text: 'Show the people',
        }),
      };
    }
    return {
      title: 'Make a payment',
      content: html`<p class="lead">
          You are the client that a customer has asked to pay. The bank then asks the customer to sign, on its own page.
        </p>
        ${actionForm(call, makePayment, {
          fields: [
            {
              name: 'from',
              label: 'Who pays, from which account',
              value: first.value,
              options: Object.fromEntries(payers.map(({ value, words }) => [value, words])),
              isLong: true,
            },
            { name: 'creditorName', label: 'Payee', value: 'Company 123', required: true },
            { name: 'to', label: 'Account of the payee', value: story.creditorBban, required: true },
            { name: 'amount', label: 'Amount in NOK', value: '120.00', required: true },
            {
              name: 'requestedExecutionDate',
              label: 'Date',
              type: 'date',
              hint: 'Empty: as soon as it is signed',
            },
          ],
          button: 'Go on to sign',
          tone: 'main',
        })}`,
    };
  },
};

/** The page that makes a payment, with this person chosen; null: the person has no account in NOK to pay from. */
export function payAs(psu: Psu): string | null {
  const isKroner = ({ currency }: { readonly currency: string }): boolean => currency === 'NOK';
  const mayPay = psu.accounts.some(isKroner) || psu.engagements.some(({ roles }) => roles.includes('REGISTER'));
  return mayPay ? pathTo(payPath, { query: { as: psu.customerNumber } }) : null;
}

interface Payer {
  /** Of the select: number of the person, number of the account, and the agreement of a company. */
  readonly value: string;
  readonly words: string;
  readonly hasMoney: boolean;
}

/** What a person can pay from: own accounts in NOK, and those of companies that the person may register payments for. */
function payersOf(
  { customerNumber, name, accounts, engagements }: Psu,
  balances: ReadonlyMap<string, { readonly amount: string; readonly currency: string }>,
): Payer[] {
  const payer = (number: string | null, of: string, agreement: string): Payer[] => {
    const available = number === null ? undefined : balances.get(number);
    if (number === null || available?.currency !== 'NOK') return [];
    const value = [customerNumber, number, agreement].filter(Boolean).join('/');
    const words = `${name}${of}, ${number}, ${amountText(available)}`;
    return [{ value, words, hasMoney: Number(available.amount) > 0 }];
  };
  return [
    ...accounts.flatMap(({ bban }) => payer(bban, '', '')),
    ...engagements
      .filter(({ roles, agreement }) => roles.includes('REGISTER') && agreement.owner !== customerNumber)
      .flatMap(({ agreement, account }) => payer(account.bban, ` for ${agreement.name}`, agreement.id)),
  ];
}
