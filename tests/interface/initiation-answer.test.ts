import { expect, test } from '@jest/globals';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const bank = testBank('2027-03-24T12:00:00+01:00');

const initiate = (path: string, body: object): Promise<Reply> => bank.signed('POST', path, { body, headers });

test('interface, Periodic payment initiation response: every member that is required, and its links', async () => {
  const { status, body } = await initiate(periodicPath, periodicPayment());
  const self = `${periodicPath}/${body.paymentId}`;
  expect(status).toBe(201);
  expect(body).toEqual({
    paymentId: expect.stringMatching(/^enc!!/),
    transactionStatus: 'RCVD',
    transactionFees: { amount: '0.00', currency: 'NOK' },
    transactionFeeIndicator: false,
    _links: {
      self: { href: self, verbs: ['GET', 'DELETE'] },
      status: { href: `${self}/status`, verbs: ['GET'] },
      startAuthorisation: { href: `${self}/authorisations`, verbs: ['POST'] },
      scaRedirect: { href: expect.stringContaining('/sca/'), verbs: ['GET'] },
    },
  });
});

test('P3: psuMessage tells the PSU of a day that was moved, within 512 characters, and is left out otherwise', async () => {
  const moved = await initiate(singlePath, singlePayment({ requestedExecutionDate: '2027-03-25' }));
  expect(moved.body.psuMessage).toMatch(/2027-03-25 is closed .*2027-03-30/);
  expect(moved.body.psuMessage.length).toBeLessThanOrEqual(512);
  const kept = await initiate(singlePath, singlePayment({ requestedExecutionDate: '2027-03-31' }));
  expect(kept.body).not.toHaveProperty('psuMessage');
  const warned = await initiate(periodicPath, periodicPayment({ monthsOfExecution: [1] }));
  expect(warned.body.tppMessages).toHaveLength(1);
  expect(warned.body).not.toHaveProperty('psuMessage');
});
