import { describe, test } from '@jest/globals';
import { tell } from '../support/story.ts';

describe('funds in settlement', () => {
  test('S4: five underfunded runs across a weekend end in RJCT', async () => {
    await tell(`
      at   2027-04-09 12:00
      pay  rent 100.00 anne -> shop on 2027-04-09 | RCVD
      sign rent                                   | PDNG
      at   2027-04-09 13:30                       | 2027-04-09/4 retried 1
      see  rent                                   | ACCP fundsAvailable false
      delete rent                                 | refused CANCELLATION_INVALID
      at   2027-04-11 20:00                       | 2027-04-09/5 retried 1
      see  rent                                   | ACCP fundsAvailable false
      at   2027-04-12 09:30                       | 2027-04-12/1 retried 1; 2027-04-12/2 retried 1
      see  rent                                   | ACCP fundsAvailable false
      at   2027-04-12 11:30                       | 2027-04-12/3 rejected 1
      see  rent                                   | RJCT
      at   2027-06-01 00:00                       | no runs
      see  rent                                   | RJCT
      history rent                                | RCVD PDNG ACCP RJCT
      balance anne                                | 12.00
    `);
  });

  test('S4: money that comes before the fifth attempt settles the payment', async () => {
    await tell(`
      at   2027-04-09 12:00
      pay  rent 100.00 anne -> shop on 2027-04-12 | RCVD
      sign rent                                   | ACSP
      at   2027-04-12 13:30 | 2027-04-12/1 retried 1; 2027-04-12/2 retried 1; 2027-04-12/3 retried 1; 2027-04-12/4 retried 1
      deposit 88.00 to anne
      at   2027-04-12 15:30                       | 2027-04-12/5 settled 1
      see  rent                                   | ACSC
      history rent                                | RCVD ACSP ACCP ACSC
      balance anne                                | 0.00
    `);
  });

  test('S4: one øre short is short, and the exact sum is enough', async () => {
    await tell(`
      at   2027-04-12 06:00
      pay  over  12.01 anne -> shop | RCVD
      pay  exact 12.00 anne -> shop | RCVD
      sign over                     | PDNG
      at   2027-04-12 06:01
      sign exact                    | PDNG
      at   2027-04-12 09:30         | 2027-04-12/2 settled 1, retried 1
      see  over                     | ACCP fundsAvailable false
      see  exact                    | ACSC
    `);
  });

  test('S4: the credit line counts as funds', async () => {
    await tell(`
      at   2027-04-12 06:00
      pay  all  20500.00 kari -> shop | RCVD
      pay  more     0.01 kari -> shop | RCVD
      sign all                        | PDNG
      at   2027-04-12 06:01
      sign more                       | PDNG
      at   2027-04-12 09:30           | 2027-04-12/2 settled 1, retried 1
      balance kari                    | -20000.00
    `);
  });

  test('S3: a credit in a run funds a later payment of the same run', async () => {
    await tell(`
      at   2027-04-12 06:00
      pay  gift 500.00 nora -> anne | RCVD
      pay  rent 512.00 anne -> shop | RCVD
      sign gift                     | PDNG
      at   2027-04-12 06:01
      sign rent                     | PDNG
      at   2027-04-12 09:30         | 2027-04-12/2 settled 2
      balance anne                  | 0.00
      transactions anne             | 500.00 pending, -512.00 pending
    `);
  });

  test('S3: a credit that comes after it in the order funds the payment in the next run only', async () => {
    await tell(`
      at   2027-04-12 06:00
      pay  rent 512.00 anne -> shop | RCVD
      pay  gift 500.00 nora -> anne | RCVD
      sign rent                     | PDNG
      at   2027-04-12 06:01
      sign gift                     | PDNG
      at   2027-04-12 09:30         | 2027-04-12/2 settled 1, retried 1
      at   2027-04-12 11:30         | 2027-04-12/3 settled 1, booked 1
      attempts rent                 | 2027-04-12/2 retry, 2027-04-12/3 settle
    `);
  });

  test('S3: execution date goes before the moment of authorisation, and an underfunded one holds up nobody', async () => {
    await tell(`
      at   2027-04-08 12:00
      pay  second 5000.00 nora -> shop on 2027-04-12  | RCVD
      pay  large 17000.00 nora -> shop on 2027-04-12  | RCVD
      pay  first 10000.00 nora -> shop on 2027-04-11  | RCVD, moved to 2027-04-12
      pay  friday 1500.00 nora -> shop on 2027-04-09  | RCVD
      sign large                                      | ACSP
      at   2027-04-08 12:01
      sign second                                     | ACSP
      at   2027-04-08 12:02
      sign first                                      | ACSP
      at   2027-04-08 12:03
      sign friday                                     | ACSP
      at   2027-04-12 05:30 | 2027-04-09/1 settled 1; 2027-04-09/2 booked 1; 2027-04-12/1 settled 2, retried 1
      see  large                                      | ACCP fundsAvailable false
      see  second                                     | ACSC
      see  first                                      | ACSC
      balance nora                                    | 1500.00
    `);
  });

  test('P13: a date that passed before signing counts as due on the day of the signature', async () => {
    await tell(`
      at   2027-04-12 06:00
      pay  old  100.00 nora -> shop on 2027-04-12 | RCVD
      at   2027-04-14 10:00                       | no runs
      sign old                                    | PDNG
      at   2027-04-14 11:30                       | 2027-04-14/3 settled 1
      at   2027-04-14 13:30                       | 2027-04-14/4 booked 1
      transactions nora                           | -100.00 booked 2027-04-14 value 2027-04-14
    `);
  });

  test('P13: signed late on a Saturday it is due on Monday, and can still be deleted', async () => {
    await tell(`
      at   2027-04-12 06:00
      pay  old  100.00 nora -> shop on 2027-04-12 | RCVD
      at   2027-04-17 10:00                       | no runs
      sign old                                    | ACSP
      delete old                                  | ACSP, to be signed
      at   2027-04-19 05:30                       | 2027-04-19/1 settled 1
    `);
  });
});
