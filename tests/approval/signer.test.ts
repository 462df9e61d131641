import { expect, test } from '@jest/globals';
import { wrongNumberFault } from '../../engine/approval/find-signer.ts';

test.each([
  ['unknown', 'No PSU of this bank has the number 01010112345.'],
  ['other', 'This SCA waits for another PSU: the one whom the request of the TPP named.'],
] as const)('A4: the fault of a number that is %s', (why, text) => {
  expect(wrongNumberFault(why, '01010112345')).toEqual({ code: 'PSU_CREDENTIALS_INVALID', text });
});
