import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../engine/time/clock.ts';
import { signHeaders } from '../../../api/signing/signature/sign-request.ts';
import { singlePath, singlePayment } from '../../lab/bodies.ts';
import { people } from '../../lab/payments.ts';
import type { Agent, Said } from './agent.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
type Answer = any;

/** A task: what happened before, the first answer that the agent reads, what its client sends again, and whether the task is done. */
export interface Task {
  readonly name: string;
  readonly begin: (agent: Agent, bank: BankOfTask) => Promise<Said>;
  /** Sends the request of the client again: the same one, or the corrected one. Left out: the task has no client. */
  readonly send?: (bank: BankOfTask, isSame: boolean) => Promise<unknown>;
  /** What speaks against the result; null: the task is done. */
  readonly judge: (bank: BankOfTask, answers: readonly Said[]) => Promise<string | null>;
}

/** The bank of a task, over HTTP. */
export class BankOfTask {
  readonly address: string;
  /** The request that the client sends. */
  requestId: string = randomUUID();

  constructor(address: string) {
    this.address = address;
  }

  async control(method: string, path: string, body?: object): Promise<Answer> {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return (await fetch(`${this.address}/sandbox${path}`, { method, ...sent })).json();
  }

  /** A payment of the TPP shop through the unsigned door; null: no answer came. */
  async initiates(from: keyof typeof people, amount: string): Promise<Answer> {
    const { psu, bban } = people[from];
    const context = from === 'sigrid' ? 'CORPORATE' : 'PRIVATE';
    const answer = fetch(`${this.address}/sandbox/as/shop${singlePath}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': this.requestId,
        'x-psu-identity': psu,
        'psu-context': context,
      },
      body: JSON.stringify(
        singlePayment({
          instructedAmount: { amount, currency: 'NOK' },
          debtorAccount: { bban, currency: 'NOK' },
          requestedExecutionDate: '2027-03-24',
        }),
      ),
    });
    return answer.then((one) => one.json()).catch(() => null);
  }

  async payments(): Promise<readonly Answer[]> {
    return (await this.control('GET', '/payments')).payments;
  }
}

/** Says what is wrong with the payments of a bank: so many, and so many of them settled. */
async function settled(bank: BankOfTask, count: number, all = count): Promise<string | null> {
  const statuses = (await bank.payments()).map(({ status }) => status);
  const isRight = statuses.length === all && statuses.filter((status) => status === 'ACSC').length === count;
  return isRight ? null : `payments: ${statuses.join()}`;
}

/** Pays and ends the payment by a call of the control plane; the agent asks what it waits for. */
function ended(how: 'reject' | 'cancel'): Pick<Task, 'begin' | 'judge'> {
  return {
    begin: async (agent, bank) => {
      const { payment } = await bank.control('POST', '/payments', {
        ...{ from: people.nora.bban, to: people.even.bban, amount: '77.00', on: '2027-03-30' },
      });
      const path = `/payments/${encodeURIComponent(payment.paymentId)}`;
      await bank.control(
        'POST',
        `${path}/${how}`,
        how === 'reject' ? { reason: 'the creditor account is closed' } : {},
      );
      await bank.control('POST', '/clock/advance', { to: '2027-03-30T12:00:00+02:00' });
      return agent.call('explain_payment', { paymentId: payment.paymentId });
    },
    judge: (bank) => settled(bank, 1, 2),
  };
}

const path = (id: string): string => `/payments/${encodeURIComponent(id)}`;
const initiatesAgain: Task['send'] = (bank) => bank.initiates('nora', '55.00');

export const tasks: readonly Task[] = [
  {
    name: 'a payment over Easter is settled',
    begin: (agent) => agent.call('start_bank', { now: '2027-03-25T12:00:00+01:00' }),
    judge: async (_, answers) => {
      const last = answers.at(-1)?.data;
      return last.status === 'ACSC' && last.executionDate === '2027-03-30' ? null : `it is ${last.status}`;
    },
  },
  {
    name: 'a payment from an account without funds is settled',
    begin: (agent) => agent.call('pay', { amount: '900.00', from: people.anne.bban }),
    judge: (bank) => settled(bank, 1),
  },
  {
    name: 'a payment that nobody has signed is signed and settled',
    begin: async (agent, bank) => {
      const { paymentId } = await bank.initiates('nora', '21.00');
      return agent.call('explain_payment', { paymentId });
    },
    judge: (bank) => settled(bank, 1),
  },
  {
    name: 'a payment that needs a second signature gets it',
    begin: async (agent, bank) => {
      const { paymentId } = await bank.initiates('sigrid', '22.00');
      const { scas } = await bank.control('GET', '/sca');
      const [{ context, agreement }] = scas[0].signers[0].as;
      const approval = { outcome: 'approve', psu: people.sigrid.psu, context, agreement: agreement.id };
      await bank.control('POST', `/sca/${scas[0].id}`, approval);
      const { status } = await bank.control('GET', path(paymentId));
      if (status !== 'PATC') throw new Error(`it is ${status} before the task`);
      return agent.call('explain_payment', { paymentId });
    },
    judge: async (bank) => {
      const [{ paymentId }] = await bank.payments();
      const { signatures } = await bank.control('GET', path(paymentId));
      return signatures.length === 2 ? settled(bank, 1) : `${signatures.length} signatures`;
    },
  },
  { name: 'what a rejected payment was for is paid', ...ended('reject') },
  { name: 'what a cancelled payment was for is paid', ...ended('cancel') },
  {
    name: 'a client that signs another path is corrected',
    begin: async (agent, bank) => {
      await signedWith(bank, '/accounts');
      return agent.call('explain_refusal', {});
    },
    send: (bank, isSame) => {
      if (!isSame) bank.requestId = randomUUID();
      return signedWith(bank, `${new URL(bank.address).pathname}/v1/users`);
    },
    judge: async (bank) => {
      const { requests } = await bank.control('GET', '/requests');
      return requests[0].status === 200 && requests[0].requestId !== requests[1].requestId
        ? null
        : 'it is still refused';
    },
  },
  {
    name: 'a payment whose answer was lost is made once',
    begin: async (agent, bank) => {
      await agent.call('arm_fault', { close: true, method: 'POST', path: '/v1/payments' });
      if ((await bank.initiates('nora', '55.00')) !== null) throw new Error('the answer came');
      return agent.call('explain_refusal', {});
    },
    send: (bank, isSame) => {
      if (!isSame) bank.requestId = randomUUID();
      return bank.initiates('nora', '55.00');
    },
    judge: (bank) => settled(bank, 1),
  },
  {
    name: 'a fault that is still armed is disarmed',
    begin: async (agent, bank) => {
      await agent.call('arm_fault', { code: 'SYSTEM_ERROR', method: 'POST', path: '/v1/payments', times: 100 });
      await bank.initiates('nora', '55.00');
      return agent.call('explain_refusal', {});
    },
    send: initiatesAgain,
    judge: async (bank) => {
      const { faults } = await bank.control('GET', '/faults');
      return faults.length === 0 ? settled(bank, 1) : 'a fault is armed';
    },
  },
  {
    name: 'every entry of a busy account is read',
    begin: async (agent, bank) => {
      const accounts = `${bank.address}/sandbox/as/shop/v1/sandbox/accounts`;
      const all = (await (await fetch(accounts)).json()) as readonly Answer[];
      const { resourceId } = all.find(({ bban }) => bban === people.nora.bban);
      const one = { currency: 'NOK', bookingDate: '2027-03-23', valueDate: '2027-03-23', debtorName: 'Kiosken AS' };
      await fetch(`${accounts}/${resourceId}/transactions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Array.from({ length: 245 }, (_, index) => ({ ...one, amount: `${index + 1}.00` }))),
      });
      return agent.call('accounts', { number: people.nora.bban });
    },
    judge: (_, answers) => {
      const texts = answers.flatMap(({ data }) => data.entries).map(({ amount }) => amount.amount);
      const isWhole = new Set(texts).size === 246 && answers[0]?.data.counts.entries === 246;
      return Promise.resolve(isWhole ? null : `${texts.length} entries were read`);
    },
  },
];

/** Reads the users with a signature over this path, as a TPP with a certificate of the bank. */
async function signedWith(bank: BankOfTask, signed: string): Promise<void> {
  const { key, certificate } = await bank.control('POST', '/certificates', { name: 'mine' });
  const asked = {
    'x-psu-identity': people.nora.psu,
    'psu-context': 'PRIVATE',
    'tpp-redirect-uri': 'https://tpp.example/',
  };
  const headers = signHeaders({
    ...{ method: 'GET', target: signed, body: Buffer.alloc(0), headers: asked, key, certificate },
    ...{ date: systemClock.now(), requestId: bank.requestId, coverRequestTarget: true },
  });
  await fetch(`${bank.address}/v1/users`, { headers: { ...asked, ...headers } });
}
