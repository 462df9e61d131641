import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { lacksFunds } from '../../api/causes/next-step.ts';
import type { Arguments } from '../cli/arguments.ts';
import { flagsAgain } from '../cli/bank-address.ts';
import { WrongUse } from '../cli/command.ts';
import { date, dayFlag, frequency, monthsFlag, numbersIn, ruleFlag, wrongValue } from '../cli/flag-values.ts';
import { formatTime, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';
import { makePayment, type Order, type PaymentMade } from './make-payment.ts';

/** Initiates a payment or a standing order through the unsigned door, and signs it. */
export const pay = serverCommand({
  name: 'pay',
  usage: '--amount KRONER',
  summary: 'Makes and signs a payment or a standing order, and tells when it settles.',
  flags: {
    '--amount <KRONER>': 'Such as 100 or 100.50.',
    '--from <ACCOUNT>': 'BBAN or IBAN of the debtor. Default: the first NOK account.',
    '--to <ACCOUNT>': 'BBAN or IBAN of the creditor. Default: the first NOK account of another customer.',
    '--kid <KID>': 'The KID of a single payment: the digits on the invoice.',
    '--every <FREQUENCY>': 'Makes a standing order with this frequency, in any letter case.',
    '--on <YYYY-MM-DD>': 'The execution date, or the first date of a standing order. Default: today.',
    '--until <YYYY-MM-DD>': 'The last date of a standing order.',
    ...dayFlag,
    ...monthsFlag,
    ...ruleFlag,
    '--psu <NUMBER>':
      'Signs for this PSU; repeat for more. Default: the account holder, or the PSUs who may pay for a company.',
    '--allow-duplicate': 'Pays even if the same payment exists (allowLogicalDuplicate).',
    '--json':
      'Prints the payment as JSON: paymentId, wirePaymentId (if /v1 shows another id), status, amount, from, to, kid, every, psus, executionDate, settlesAt, attempts, noForecast.',
  },
  notes: [
    `FREQUENCY: ${frequencies.join(', ')}`,
    'The TPP is called pay; read its payments through the unsigned door, /sandbox/as/pay/v1/... Dates follow the bank clock.',
  ],
  examples: [
    'sandbank pay --amount 100',
    'sandbank pay --amount 75 --kid 12345678903',
    'sandbank pay --amount 250.50 --every monthly',
  ],
  run: async (call) => {
    const made = await makePayment(call.client, orderOf(call.given));
    printAnswer(call, made, () => lines(made, call.given));
  },
});

function orderOf(given: Arguments): Order {
  const [every, on, until, listed] = ['every', 'on', 'until', 'months'].map((flag) => given.text(flag));
  const ofStanding = ['until', 'day', 'rule'].find((flag) => given.has(flag));
  if (every === undefined && ofStanding !== undefined)
    throw new WrongUse(`--${ofStanding} is for a standing order: give --every too`);
  if (every !== undefined && given.has('kid')) throw new WrongUse('--kid is for a single payment: leave out --every');
  const service = every === undefined ? undefined : frequency('every', every);
  if ((service === 'MonthlyVariable') !== (listed !== undefined))
    throw new WrongUse('--months and --every MonthlyVariable go together');
  return {
    amount: amountOf(given.text('amount')),
    from: accountOf('from', given.text('from')),
    to: accountOf('to', given.text('to')),
    kid: given.text('kid'),
    every: service,
    on: on === undefined ? undefined : date('on', on),
    until: until === undefined ? undefined : date('until', until),
    dayOfExecution: given.text('day'),
    monthsOfExecution: listed === undefined ? undefined : numbersIn(listed),
    executionRule: given.text('rule'),
    psus: given.texts('psu').map(psuOf),
    allowDuplicate: given.has('allow-duplicate'),
  };
}

/** Two decimals, as the interface has them. Whether so much can be paid is for the bank to say. */
function amountOf(text: string | undefined): string {
  if (text === undefined) throw new WrongUse('--amount is missing');
  const [, kroner, decimals = ''] = /^(\d{1,20})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (kroner === undefined) throw wrongValue('amount', text, 'one such as 100 or 100.50');
  return `${kroner.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
}

/** As people write it, with blanks and dots: `0923.29.11044`. */
function accountOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const number = text.replaceAll(/[ .]/g, '').toUpperCase();
  if (/^[0-9A-Z]{1,34}$/.test(number)) return number;
  throw wrongValue(flag, text, 'a BBAN, such as 09232911044, or an IBAN');
}

/** It is sent in a header. */
function psuOf(text: string): string {
  if (/^[!-~]{1,35}$/.test(text)) return text;
  throw wrongValue('psu', text, 'a number such as 13039319955');
}

function lines(made: PaymentMade, given: Arguments): string[] {
  const { amount, from, to, every, paymentId, wirePaymentId, status, attempts } = made;
  const what = every === null ? 'Payment' : `Standing order, ${every},`;
  const rows = [
    ['From', accountText(from)],
    ['To', accountText(to)],
    ...(made.kid === null ? [] : [['KID', made.kid]]),
    ['Payment id', paymentId],
    ...(wirePaymentId === undefined ? [] : [['Under /v1', wirePaymentId]]),
    ['Status', status],
    ...(made.psus.length === 0 ? [] : [['Signed by', made.psus.join(', ')]]),
    ['Due', dueText(made)],
    ...attempts.map(({ at, outcome, reason }) => ['Forecast', `${formatTime(at)} ${outcome}: ${reason}`]),
    ...(made.noForecast === null ? [] : [['Forecast', `none: ${made.noForecast}`]]),
    ...(every === null && made.settlesAt !== null
      ? [['Then', `${given.program} advance --until '${paymentId}=ACSC'${flagsAgain(given, 'port', 'host', 'bank')}`]]
      : []),
  ];
  return [`${what} of ${amount} NOK`, ...rows.map(([name = '', value = '']) => `  ${name.padEnd(11)}${value}`)];
}

function dueText({ executionDate, settlesAt, attempts }: PaymentMade): string {
  if (executionDate === null) return 'nothing is left to pay';
  if (settlesAt !== null) return `${executionDate}; settles ${formatTime(settlesAt)}`;
  const last = attempts.at(-1);
  if (last?.outcome !== 'reject') return executionDate;
  return `${executionDate}; is rejected${lacksFunds(last) ? ', unless money comes before' : ''}`;
}

function accountText({ number, name, owner, isDefault }: PaymentMade['from']): string {
  const known = name === null ? '' : ` ${name} of ${owner}`;
  return `${number}${known}${isDefault ? ' (the default)' : ''}`;
}
