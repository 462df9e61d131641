import { describe, test } from '@jest/globals';
import { tell } from '../support/story.ts';

describe('standing orders in settlement', () => {
  test('R2, R3: the 31st is paid on the last day of shorter months and on the 31st again', async () => {
    await tell(`
      at    2027-01-04 12:00
      order rent 100.00 nora -> shop Monthly from 2027-01-31 until 2027-04-30 day 31 | RCVD, moved to 2027-02-01
      sign  rent                                                                     | ACSP
      at    2027-05-03 06:00
      dates rent | 2027-01-31>2027-02-01 ACSC, 2027-02-28>2027-03-01 ACSC, 2027-03-31 ACSC, 2027-04-30 ACSC
      attempts rent | 2027-02-01/1 settle, 2027-03-01/1 settle, 2027-03-31/1 settle, 2027-04-30/1 settle
      balance nora  | 17600.00
    `);
  });

  test('R6: preceeding pays the month end before the weekend, in the month before', async () => {
    await tell(`
      at    2027-01-04 12:00
      order rent 100.00 nora -> shop Monthly from 2027-01-31 until 2027-03-31 day 31 preceeding | RCVD, moved to 2027-01-29
      sign  rent                                                                                | ACSP
      at    2027-05-03 06:00
      dates rent | 2027-01-31>2027-01-29 ACSC, 2027-02-28>2027-02-26 ACSC, 2027-03-31 ACSC
    `);
  });

  test('R5: MonthlyVariable runs in its listed months', async () => {
    await tell(`
      at    2027-01-04 12:00
      order tax 100.00 nora -> shop MonthlyVariable from 2027-02-15 until 2028-03-01 day 15 months 3,6,11 | RCVD
      sign  tax                                                                                           | ACSP
      at    2028-04-01 00:00
      dates tax | 2027-03-15 ACSC, 2027-06-15 ACSC, 2027-11-15 ACSC
    `);
  });

  test('R8: Daily over Easter pays each of the five closed days, and Tuesday, on Tuesday', async () => {
    await tell(`
      at    2027-03-23 12:00
      order milk 10.00 nora -> shop Daily from 2027-03-24 until 2027-03-31 | RCVD
      sign  milk                                                           | ACSP
      at    2027-03-24 05:30                                               | 2027-03-24/1 settled 1, registered 6
      at    2027-03-30 05:29                                               | 2027-03-24/2 booked 1
      at    2027-03-30 05:30                                               | 2027-03-30/1 settled 6, registered 1
      at    2027-04-01 00:00 | 2027-03-30/2 booked 6; 2027-03-31/1 settled 1; 2027-03-31/2 booked 1
      dates milk | 2027-03-24 ACSC, 2027-03-25>2027-03-30 ACSC, 2027-03-26>2027-03-30 ACSC, 2027-03-27>2027-03-30 ACSC, 2027-03-28>2027-03-30 ACSC, 2027-03-29>2027-03-30 ACSC, 2027-03-30 ACSC, 2027-03-31 ACSC
      balance nora                                                         | 17920.00
    `);
  });

  test('R8, S3: what is signed after the last run of a day settles with the occurrence of the next day, in its first run', async () => {
    await tell(`
      at    2027-04-12 16:00
      order milk 10.00 nora -> shop Daily from 2027-04-12 until 2027-04-14 | RCVD
      sign  milk                                                           | ACSP
      at    2027-04-13 05:30                                               | 2027-04-13/1 settled 2, registered 1
      at    2027-04-15 00:00 | 2027-04-13/2 booked 2; 2027-04-14/1 settled 1; 2027-04-14/2 booked 1
    `);
  });

  test('R8, S3: signed after the last run on a Friday, Daily pays Friday to Monday in the first run on Monday', async () => {
    await tell(`
      at    2027-04-09 16:00
      order milk 10.00 nora -> shop Daily from 2027-04-09 until 2027-04-13 | RCVD
      sign  milk                                                           | ACSP
      at    2027-04-12 05:30                                               | 2027-04-12/1 settled 4, registered 1
    `);
  });

  test('R6: preceeding is never earlier than the next run after signing', async () => {
    await tell(`
      at    2027-03-24 16:00
      order rent 100.00 nora -> shop Monthly from 2027-03-28 until 2027-04-28 preceeding | RCVD, moved to 2027-03-30
      sign  rent                                                                         | ACSP
      dates rent                                                                         | 2027-03-28>2027-03-30 ACSP
      at    2027-04-28 05:30                                                             
      dates rent                                                       | 2027-03-28>2027-03-30 ACSC, 2027-04-28 ACSC
    `);
  });

  test('R6: preceeding with time left goes before the closed days', async () => {
    await tell(`
      at    2027-03-24 13:00
      order rent 100.00 nora -> shop Monthly from 2027-03-28 until 2027-04-28 preceeding | RCVD, moved to 2027-03-24
      sign  rent                                                                         | ACSP
      dates rent                                                                         | 2027-03-28>2027-03-24 ACSP
      at    2027-03-24 13:30                                                             | 2027-03-24/4 settled 1, registered 1
    `);
  });

  test('R7: following may cross endDate, which nominal dates may not', async () => {
    await tell(`
      at    2027-04-01 12:00
      order rent 100.00 nora -> shop Weekly from 2027-04-03 until 2027-04-10 | RCVD, moved to 2027-04-05
      sign  rent                                                             | ACSP
      at    2027-05-01 00:00
      dates rent | 2027-04-03>2027-04-05 ACSC, 2027-04-10>2027-04-12 ACSC
    `);
  });

  test('P13: periodic dates that passed before signing are skipped', async () => {
    await tell(`
      at    2027-04-01 12:00
      order rent 100.00 nora -> shop Weekly from 2027-04-05 until 2027-04-26 | RCVD
      at    2027-04-13 12:00
      sign  rent                                                             | ACSP
      at    2027-05-01 00:00
      dates rent                                                             | 2027-04-19 ACSC, 2027-04-26 ACSC
    `);
  });

  test('P13, P3: a date on a closed day has not passed while the day that it is moved to has not', async () => {
    await tell(`
      at    2027-06-04 12:00
      order rent 100.00 nora -> shop Monthly from 2027-06-05 until 2027-07-31                | RCVD, moved to 2027-06-07
      order last 101.00 nora -> shop Monthly from 2027-06-05 until 2027-06-05                | RCVD, moved to 2027-06-07
      order past 102.00 nora -> shop Monthly from 2027-06-05 until 2027-07-31 preceeding     | RCVD, moved to 2027-06-04
      at    2027-06-06 12:00
      sign  rent                                                                             | ACSP
      sign  last                                                                             | ACSP
      sign  past                                                                             | ACSP
      at    2027-08-01 00:00
      dates rent                               | 2027-06-05>2027-06-07 ACSC, 2027-07-05 ACSC
      dates last                               | 2027-06-05>2027-06-07 ACSC
      dates past                               | 2027-07-05 ACSC
    `);
  });

  test('R7, P13: an order of which every date has passed can no longer be signed', async () => {
    await tell(`
      at    2027-04-01 12:00
      order rent 100.00 nora -> shop Weekly from 2027-04-05 until 2027-04-12 | RCVD
      at    2027-04-13 12:00
      sign  rent                                                             | refused EXECUTION_DATE_INVALID
      history rent                                                           | RCVD
    `);
  });

  test('R9, R9c: a rejected occurrence leaves the order running; after the last it is ACSC, and stays readable', async () => {
    await tell(`
      at    2027-04-01 12:00
      order rent 100.00 anne -> shop Weekly from 2027-04-05 until 2027-04-12 | RCVD
      sign  rent                                                             | ACSP
      at    2027-04-05 16:00 | 2027-04-05/1 retried 1, registered 1; 2027-04-05/2 retried 1; 2027-04-05/3 retried 1; 2027-04-05/4 retried 1; 2027-04-05/5 rejected 1
      see   rent                                                             | ACSP
      deposit 500.00 to anne
      at    2027-04-12 05:30                                                 | 2027-04-12/1 settled 1
      see   rent                                                             | ACSC
      at    2027-04-12 09:30                                                 | 2027-04-12/2 booked 1
      see   rent                                                             | ACSC
      dates rent                                     | 2027-04-05 RJCT, 2027-04-12 ACSC
      history rent                                                           | RCVD ACSP ACSC
    `);
  });

  test('R9b, R9c: when the last occurrence is rejected the order is ACSC all the same if one settled, and waits for no run', async () => {
    await tell(`
      at    2027-04-07 12:00
      order rent 10.00 anne -> shop Daily from 2027-04-08 until 2027-04-09 | RCVD
      sign  rent                                                             | ACSP
      at    2027-04-08 05:30                                                 | 2027-04-08/1 settled 1, registered 1
      at    2027-04-09 15:30 | 2027-04-08/2 booked 1; 2027-04-09/1 retried 1; 2027-04-09/2 retried 1; 2027-04-09/3 retried 1; 2027-04-09/4 retried 1; 2027-04-09/5 rejected 1
      see   rent                                                             | ACSC
      at    2027-04-12 05:30                                                 | no runs
      see   rent                                                             | ACSC
    `);
  });

  test('R9b: an order of which nothing settled ends RJCT, stays readable, and leaves nothing to close', async () => {
    await tell(`
      at    2027-04-07 12:00
      order rent 100.00 anne -> shop Weekly from 2027-04-08 until 2027-04-08 | RCVD
      sign  rent                                                             | ACSP
      at    2027-04-08 15:30 | 2027-04-08/1 retried 1; 2027-04-08/2 retried 1; 2027-04-08/3 retried 1; 2027-04-08/4 retried 1; 2027-04-08/5 rejected 1
      see   rent                                                             | RJCT
      at    2027-04-09 05:30                                                 | no runs
      see   rent                                                             | RJCT
      history rent                                                           | RCVD ACSP RJCT
    `);
  });

  test('R9: two occurrences under way at once each have their own five attempts', async () => {
    await tell(`
      at    2027-04-12 06:00
      order milk 50.00 anne -> shop Daily from 2027-04-12 until 2027-04-13 | RCVD
      sign  milk                                                           | ACSP
      at    2027-04-12 15:30 | 2027-04-12/2 retried 1, registered 1; 2027-04-12/3 retried 1; 2027-04-12/4 retried 1; 2027-04-12/5 retried 1
      at    2027-04-13 05:30                                               | 2027-04-13/1 retried 1, rejected 1
      at    2027-04-13 15:30 | 2027-04-13/2 retried 1; 2027-04-13/3 retried 1; 2027-04-13/4 retried 1; 2027-04-13/5 rejected 1
      see   milk                                                           | RJCT
    `);
  });
});
