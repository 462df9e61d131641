import { expect } from '@jest/globals';
import { brokenProofs } from '../lab/proof.ts';
import { startTestBank, type Reply, type TestBank } from '../lab/server.ts';
import { forEach } from './test-bank.ts';

/** A Monday, 12:00: the runs of 13:30 and 15:30 are still to come. */
export const mondayNoon = '2027-04-05T12:00:00+02:00';

/** A payment that a TPP has initiated. */
export interface Made {
  readonly id: string;
  /** Its path. */
  readonly self: string;
  /** The address where its PSU signs. */
  readonly sca: string;
}

/** Calls about payments of one PSU. */
interface PaymentCalls {
  readonly bank: TestBank;
  /** Initiates a payment, which has to be taken. */
  initiated(path: string, body: object): Promise<Made>;
  /** Initiates a payment, and the PSU signs it. */
  signed(path: string, body: object): Promise<Made>;
  /** What a TPP reads of its status. */
  statusOf(made: Made): Promise<Reply['body']>;
  /** What the control plane shows of it. */
  inspect(made: Made): Promise<Reply['body']>;
}

/** Gives each test of the file its own bank, proves its books after the test, and stops it. The calls are of this PSU. */
export function provenBank(now: string, psu: string): PaymentCalls {
  const bank = forEach(
    () => startTestBank(now),
    // A bank left open after a broken proof would keep jest running.
    async (own) => {
      const broken = await brokenProofs(own.bank);
      await own.stop();
      expect(broken).toEqual({});
    },
  );
  const initiated = async (path: string, body: object): Promise<Made> => {
    const answer = await bank.initiates(path, body, psu);
    expect(answer.tppMessages).toBe(undefined);
    return { id: answer.paymentId, self: `${path}/${answer.paymentId}`, sca: answer._links.scaRedirect.href };
  };
  return {
    bank,
    initiated,
    signed: async (path, body) => {
      const made = await initiated(path, body);
      await bank.approve(made.sca, psu);
      return made;
    },
    statusOf: async ({ self }) => (await bank.signed('GET', `${self}/status`)).body,
    inspect: ({ id }) => bank.payment(id),
  };
}
