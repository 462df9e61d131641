import type { AnswerTo } from '../../api/openapi/calls.ts';
import { CommandFailed } from './command.ts';
import type { ControlPlaneClient } from './control-plane-client.ts';
import { enteredAmount } from '../../engine/values/money.ts';
import { refusal as refused } from './refusal.ts';

type Account = AnswerTo<'GET /accounts'>['accounts'][number];
type Made = AnswerTo<'POST /payments'>;

/** Members of a body of `POST /sandbox/payments`, as they were typed. */
interface Order {
  readonly amount?: unknown;
  /** BBAN or IBAN, as people write it: `0923.29.11044`. */
  readonly from?: unknown;
  readonly to?: unknown;
}

/**
 * An order with two decimals, both accounts and the name of the creditor. The debtor is by default the first NOK
 * account, the creditor the first one of another customer. Throws a CommandFailed if the bank has none.
 */
export async function wholeOrder(client: ControlPlaneClient, { amount = '', ...order }: Order): Promise<object> {
  const { accounts } = await client.ask('GET /accounts', 'accounts');
  const accountOf = (name: 'from' | 'to', other?: Account): readonly [number: string, known: Account | undefined] => {
    const typed = typeof order[name] === 'string' ? order[name].replaceAll(/[ .]/g, '').toUpperCase() : null;
    const isMeant = ({ number, iban, currency, owner }: Account): boolean =>
      typed === null ? currency === 'NOK' && owner.name !== other?.owner.name : typed === number || typed === iban;
    const known = accounts.find(isMeant);
    const number = typed ?? known?.number;
    if (number === undefined) throw new CommandFailed(`the bank has no NOK account to take: give --${name}`);
    return [number, known];
  };
  const [from, debtor] = accountOf('from');
  const [to, creditor] = accountOf('to', debtor);
  return {
    ...order,
    amount: enteredAmount(String(amount), 'NOK'),
    from,
    to,
    // A customer of the sandbox may have a longer name than a payment can carry.
    creditorName: creditor && Array.from(creditor.owner.name).slice(0, 70).join(''),
  };
}

/** The payment of an answer. Throws a CommandFailed if it was refused, is not wholly signed, or a fault struck it. */
export function paymentOf({ payment, scas, refusal, struck }: Made) {
  if (struck !== null) throw new CommandFailed(payment === null ? struck : `${struck} Its id is ${payment.paymentId}.`);
  if (payment === null) throw refused(refusal, refusal?.status) ?? new CommandFailed('refused');
  const { paymentId, status } = payment;
  const asked = scas.flatMap(({ psu }) => psu ?? []);
  if (refusal !== null) {
    const [{ code, text } = { code: '', text: '' }] = refusal.tppMessages;
    throw new CommandFailed(`${asked.at(-1) ?? 'nobody'} could not sign ${paymentId}: ${code}: ${text}`);
  }
  if (status !== 'PATC') return payment;
  throw new CommandFailed(`${paymentId} needs more signatures than those of ${asked.join(', ')}: name all with --psu`);
}
