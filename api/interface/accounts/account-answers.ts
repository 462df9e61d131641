import * as Type from 'typebox';
import { bic, cashAccountType, choice, closed, currency, meaning, name, productName } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { accountNumbers, amount, idLike, links, ownNumbers } from '../answer-parts.ts';

/* Answers about accounts; account-json.ts makes them. */

/** The types of balances, in the order of answers (rules.md S8). */
export const balanceTypes = ['openingBooked', 'interimBooked', 'interimAvailable', 'expected'] as const;
const path = `/v1/accounts/${story.accountId}`;

export const balance = closed(
  {
    balanceAmount: amount,
    balanceType: choice('which balance it is', balanceTypes),
  },
  { title: 'Balance', description: 'One balance of an account.' },
);

const balances = Type.Array(balance, {
  description: 'One balance of each type.',
  minItems: 4,
  maxItems: 4,
  examples: [
    balanceTypes.map((balanceType) => ({ balanceAmount: { amount: '18000.00', currency: 'NOK' }, balanceType })),
  ],
});

export const account = closed(
  {
    resourceId: idLike(story.accountId),
    ...accountNumbers,
    currency,
    name,
    product: Type.Optional(productName),
    cashAccountType: Type.Optional(cashAccountType),
    bic: meaning('The BIC of the bank.', bic),
    balances: Type.Optional(balances),
    _links: links(path, ['self', 'balances', 'transactions']),
  },
  {
    title: 'Account',
    description: 'An account that the TPP may read.',
    examples: [{ ...ownNumbers, name: 'Totalkonto', product: 'Brukskonto', cashAccountType: 'CACC' }],
  },
);

export const accountListAnswer = closed(
  { accounts: Type.Array(account, { description: 'The accounts of the consent.' }) },
  { title: 'AccountList', description: 'The accounts that the PSU has given consent to.' },
);

export const accountAnswer = closed({ account }, { title: 'OneAccount', description: 'One account.' });

export const balanceReportAnswer = closed(
  {
    account: closed(
      { ...accountNumbers, currency },
      { description: 'Whose balances these are.', examples: [ownNumbers] },
    ),
    balances,
    _links: links(`${path}/balances`, ['self']),
  },
  { title: 'BalanceReport', description: 'The balances of one account.' },
);
