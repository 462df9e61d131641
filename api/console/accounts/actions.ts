import { account } from '../../control/accounts/accounts.ts';
import { amountText } from '../parts/text.ts';
import { consoleAction } from '../console-view.ts';

/** Puts money into an account, booked at once. */
export const topUp = consoleAction({
  path: '/accounts/:number/top-up',
  method: 'POST',
  answer: account,
  body: (fields) => ({ amount: { amount: fields.get('amount') ?? '', currency: fields.get('currency') ?? '' } }),
  done: ({ name, available }) => ({ text: `${name} has ${amountText(available)} available.` }),
});
