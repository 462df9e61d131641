import { describe, test } from '@jest/globals';
import { tell } from '../support/story.ts';

describe('S6: booking', () => {
  test('a posting is pending until the next run, also over a weekend; then it is booked and the payment gone', async () => {
    await tell(`
      at   2027-04-09 12:00
      pay  rent 100.00 nora -> even | RCVD
      sign rent                     | PDNG
      transactions nora             | none
      at   2027-04-09 14:00         | 2027-04-09/4 settled 1
      transactions nora             | -100.00 pending
      transactions even             | 100.00 pending
      at   2027-04-09 15:30         | 2027-04-09/5 booked 1
      see  rent                     | gone
      transactions nora             | -100.00 booked 2027-04-09 value 2027-04-09
      pay  last 200.00 nora -> even on 2027-04-12 | RCVD
      sign last                     | ACSP
      at   2027-04-12 05:30         | 2027-04-12/1 settled 1
      see  last                     | ACSC
      at   2027-04-12 09:29         | no runs
      see  last                     | ACSC
      at   2027-04-12 09:30         | 2027-04-12/2 booked 1
      see  last                     | gone
    `);
  });

  test('the last run of a Friday is booked by the first run of Monday', async () => {
    await tell(`
      at   2027-04-09 15:00
      pay  rent 100.00 nora -> even | RCVD
      sign rent                     | PDNG
      at   2027-04-11 23:59         | 2027-04-09/5 settled 1
      see  rent                     | ACSC
      transactions even             | 100.00 pending
      at   2027-04-12 05:30         | 2027-04-12/1 booked 1
      transactions even             | 100.00 booked 2027-04-12 value 2027-04-09
    `);
  });
});

describe('T4: a run takes only what was authorised at or before its instant', () => {
  test('signed at the very instant of a run, a payment goes with the next: that run has been', async () => {
    await tell(`
      at   2027-04-12 11:30         | no runs
      pay  rent 100.00 nora -> shop | RCVD
      sign rent                     | PDNG
      at   2027-04-12 13:30         | 2027-04-12/4 settled 1
    `);
  });

  test('S3: of two signed at one instant the earlier one goes first', async () => {
    await tell(`
      at   2027-04-12 12:00
      pay  first  12.00 anne -> shop | RCVD
      pay  second 11.00 anne -> shop | RCVD
      sign first                     | PDNG
      sign second                    | PDNG
      at   2027-04-12 13:30          | 2027-04-12/4 settled 1, retried 1
      see  first                     | ACSC
    `);
  });
});
