import { describe, test } from '@jest/globals';
import { tell } from '../support/story.ts';

describe('P12: deletion', () => {
  test('an unsigned payment is CANC at once and never settles', async () => {
    await tell(`
      at     2027-04-12 12:00
      pay    rent 100.00 nora -> shop on 2027-04-13 | RCVD
      delete rent                                   | CANC
      sign   rent                                   | refused STATUS_INVALID
      delete rent                                   | refused CANCELLATION_INVALID
      at     2027-05-01 00:00                       | no runs
      see    rent                                   | CANC
    `);
  });

  test('a signed one waits for a signature under its cancellation, and settles until it has it', async () => {
    await tell(`
      at     2027-04-12 12:00
      pay    rent 100.00 nora -> shop on 2027-04-14 | RCVD
      sign   rent                                   | ACSP
      delete rent                                   | ACSP, to be signed
      open-cancellation rent                        | started
      at     2027-04-13 16:00                       | no runs
      sign-cancellation rent                        | CANC
      at     2027-05-01 00:00                       | no runs
      history rent                                  | RCVD ACSP CANC
      balance nora                                  | 18000.00
    `);
  });

  test('a cancellation that nobody asked for cannot be authorised', async () => {
    await tell(`
      at     2027-04-12 12:00
      pay    rent 100.00 nora -> shop on 2027-04-14 | RCVD
      sign   rent                                   | ACSP
      open-cancellation rent                        | refused STATUS_INVALID
      sign   rent                                   | refused STATUS_INVALID
      delete rent                                   | ACSP, to be signed
      open-cancellation rent                        | started
    `);
  });

  test('a payment that settles between the 202 and the signature stays settled', async () => {
    await tell(`
      at     2027-04-12 12:00
      pay    rent 100.00 nora -> shop on 2027-04-14 | RCVD
      sign   rent                                   | ACSP
      delete rent                                   | ACSP, to be signed
      open-cancellation rent                        | started
      at     2027-04-14 05:30                       | 2027-04-14/1 settled 1
      sign-cancellation rent                        | refused CANCELLATION_INVALID
      see    rent                                   | ACSC
      delete rent                                   | refused CANCELLATION_INVALID
      balance nora                                  | 17900.00
    `);
  });

  test('PDNG cannot be deleted', async () => {
    await tell(`
      at     2027-04-12 12:00
      pay    rent 100.00 nora -> shop               | RCVD
      sign   rent                                   | PDNG
      delete rent                                   | refused CANCELLATION_INVALID
    `);
  });

  test('R10: a cancelled order takes its unsettled occurrences with it, those that settled stay', async () => {
    await tell(`
      at     2027-04-12 12:00
      order  milk 10.00 nora -> shop Daily from 2027-04-13 | RCVD
      sign   milk                                          | ACSP
      at     2027-04-16 12:00
      delete milk                                          | ACSP, to be signed
      open-cancellation milk                               | started
      sign-cancellation milk                               | CANC
      dates  milk | 2027-04-13 ACSC, 2027-04-14 ACSC, 2027-04-15 ACSC, 2027-04-16 ACSC, 2027-04-17>2027-04-19 CANC, 2027-04-18>2027-04-19 CANC, 2027-04-19 CANC
      at     2027-05-01 00:00                              | no runs
      see    milk                                          | CANC
      balance nora                                         | 17960.00
    `);
  });
});
