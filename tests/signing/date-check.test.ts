import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkDate } from '../../api/signing/signature-check.ts';
import { parseImfFixdate, receivedHeaders } from '../../api/signing/signature/signing-string.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { signedAt } from '../lab/certificates.ts';
import { faultOf } from './signed-call.ts';

const check = (now: number, ...dates: string[]) =>
  checkDate(receivedHeaders(dates.flatMap((date) => ['Date', date])), now as Instant);
const rightDate = 'Tue, 30 Mar 2027 08:00:00 GMT';

describe('Date header', () => {
  test.each([0, 1, 59_999, 60_000, -60_000])(
    'interface, TPP authentication 2: a deviation of %d ms is accepted',
    (deviation) => {
      expect(() => check(signedAt + deviation, rightDate)).not.toThrow();
    },
  );

  test.each([
    [60_001, '60.0 s behind'],
    [61_000, '61.0 s behind'],
    [-61_000, '61.0 s ahead'],
    [86_400_000, '86400.0 s behind'],
  ])('G2: a deviation of %d ms is TIMESTAMP_INVALID and shows the bank time', async (deviation, shown) => {
    const fault = await faultOf(() => check(signedAt + deviation, rightDate));
    expect(fault).toMatchObject({ code: 'TIMESTAMP_INVALID', path: 'date' });
    expect(fault.text).toContain(shown);
    expect(fault.text).toContain(new Date(signedAt + deviation).toUTCString());
  });

  test.each([
    [3_600_000 - 60_001, 'Sign when sending'],
    [3_600_000 - 60_000, 'One hour off'],
    [3_600_000 + 60_000, 'One hour off'],
    [3_600_000 + 60_001, 'Sign when sending'],
    [-14 * 3_600_000, '14 hours off'],
    [15 * 3_600_000, 'Sign when sending'],
  ])('G2: a deviation of %d ms is told as: %s', async (deviation, cure) => {
    expect((await faultOf(() => check(signedAt + deviation, rightDate))).text).toContain(cure);
  });

  test.each([
    'Mon, 30 Mar 2027 08:00:00 GMT',
    'Tue, 30 Mar 2027 08:00:00 UTC',
    'Tue, 30 Mar 2027 10:00:00 +0200',
    'Tuesday, 30-Mar-27 08:00:00 GMT',
    'Tue Mar 30 08:00:00 2027',
    'tue, 30 mar 2027 08:00:00 gmt',
    'Tue, 30 Mar 2027 24:00:00 GMT',
    'Wed, 31 Feb 2027 08:00:00 GMT',
    'Tue, 30 Mar 2027 07:59:60 GMT',
    '2027-03-30T08:00:00Z',
    '0',
    '',
  ])('interface, TPP authentication 5: "%s" is a FORMAT_ERROR', async (date) => {
    expect(await faultOf(() => check(signedAt, date))).toMatchObject({ code: 'FORMAT_ERROR', path: 'date' });
  });

  test('G1: none is HTTP_HEADER_REQUIRED, two are a FORMAT_ERROR', async () => {
    expect(await faultOf(() => check(signedAt))).toMatchObject({ code: 'HTTP_HEADER_REQUIRED', path: 'date' });
    expect(await faultOf(() => check(signedAt, rightDate, rightDate))).toMatchObject({
      code: 'FORMAT_ERROR',
      path: 'date',
    });
  });

  test('interface, TPP authentication 5: every second until 2100 has one spelling, which is read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_799 }), (second) => {
        expect(parseImfFixdate(new Date(second * 1000).toUTCString())).toBe(second * 1000);
      }),
    );
  });
});
