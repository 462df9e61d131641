import { describe, test } from '@jest/globals';
import { tell } from '../support/story.ts';

describe('settlement over closed days', () => {
  test('P3, T4: over Easter 2027 a payment due on Maundy Thursday settles in the first run on Tuesday', async () => {
    await tell(`
      at   2027-03-24 12:00
      pay  rent 100.00 nora -> shop on 2027-03-25 | RCVD, moved to 2027-03-30
      see  rent                                   | gone
      sign rent                                   | ACSP
      at   2027-03-24 23:59                       | no runs
      at   2027-03-29 23:59                       | no runs
      see  rent                                   | ACSP
      at   2027-03-30 05:29                       | no runs
      see  rent                                   | PDNG
      at   2027-03-30 05:30                       | 2027-03-30/1 settled 1
      see  rent                                   | ACSC
      at   2027-03-30 09:30                       | 2027-03-30/2 booked 1
      see  rent                                   | gone
      balance nora                                | 17900.00
    `);
  });

  test('T4: what is signed before the last run ahead of Easter settles that day, what is signed after it waits for Tuesday', async () => {
    await tell(`
      at   2027-03-24 15:29
      pay  early 100.00 nora -> shop on 2027-03-24 | RCVD
      pay  late  200.00 nora -> shop on 2027-03-24 | RCVD
      sign early                                   | PDNG
      at   2027-03-24 15:31                        | 2027-03-24/5 settled 1
      sign late                                    | PDNG
      at   2027-03-31                              00:00 | 2027-03-30/1 settled 1, booked 1; 2027-03-30/2 booked 1
      attempts late                                | 2027-03-30/1 settle
      transactions nora | -100.00 booked 2027-03-30 value 2027-03-24, -200.00 booked 2027-03-30 value 2027-03-24
    `);
  });

  test('T3: 24 December 2027, a Friday, is closed; 31 December is open', async () => {
    await tell(`
      at   2027-12-23 16:00
      pay  eve 100.00 nora -> shop on 2027-12-24  | RCVD, moved to 2027-12-27
      pay  new 200.00 nora -> shop on 2027-12-31  | RCVD
      pay  jan 300.00 nora -> shop on 2028-01-01  | RCVD, moved to 2028-01-03
      sign eve                                    | ACSP
      sign new                                    | ACSP
      sign jan                                    | ACSP
      at   2027-12-26 23:59                       | no runs
      at   2028-01-03 06:00 | 2027-12-27/1 settled 1; 2027-12-27/2 booked 1; 2027-12-31/1 settled 1; 2027-12-31/2 booked 1; 2028-01-03/1 settled 1
    `);
  });

  test('T3: 24 December 2026 is a Thursday between banking days', async () => {
    await tell(`
      at   2026-12-23 12:00
      pay  eve 100.00 nora -> shop on 2026-12-24  | RCVD, moved to 2026-12-28
      sign eve                                    | ACSP
      at   2026-12-28 05:30                       | 2026-12-28/1 settled 1
    `);
  });

  test('T3: 17 May 2027 is Constitution Day and Whit Monday at once, and one closed day', async () => {
    await tell(`
      at   2027-05-14 12:00
      pay  ice 100.00 nora -> shop on 2027-05-17  | RCVD, moved to 2027-05-18
      sign ice                                    | ACSP
      at   2027-05-18 05:30                       | 2027-05-18/1 settled 1
    `);
  });

  test('T2, T4: runs keep Oslo time when the clocks change on Easter Day 2027 and back in October', async () => {
    await tell(`
      at   2027-03-27 12:00
      pay  spring 100.00 nora -> shop on 2027-03-30 | RCVD
      sign spring                                   | ACSP
      at   2027-03-30 05:29                         | no runs
      at   2027-03-30 05:30                         | 2027-03-30/1 settled 1
      at   2027-10-30 12:00                         | 2027-03-30/2 booked 1
      pay  autumn 100.00 nora -> shop on 2027-11-01 | RCVD
      sign autumn                                   | ACSP
      at   2027-11-01 05:29                         | no runs
      at   2027-11-01 05:30                         | 2027-11-01/1 settled 1
    `);
  });
});
