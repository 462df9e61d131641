import { beforeAll, describe, expect, test } from '@jest/globals';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { openControl } from '../control/control-client.ts';
import { forAll } from '../support/test-bank.ts';

const control = forAll(
  () => openControl('2027-03-24T12:00:00+01:00'),
  (own) => own.close(),
);
let before: string;

beforeAll(async () => {
  before = await hashLedger(control.bank, 'included');
});

const range = { from: '2027-03-24T12:00:00.000+01:00', to: '2037-03-24T12:00:00.000+01:00' };
const duration = 'expected an ISO 8601 duration in whole numbers, at most a hundred years (for example P3D)';
const instant = 'expected a date-time with Z or an offset, or a plain date (for example 2027-03-30T05:30:00+02:00)';

describe('a refused advance says what would have been allowed, and changes nothing', () => {
  test.each([
    ['backwards', { to: '2027-03-24T11:59:59+01:00' }, 409],
    ['backwards to a day', { to: '2021-12-24' }, 409],
    ['beyond 10 years', { to: '2037-03-25' }, 400],
    ['by more than 10 years', { by: 'P10YT1S' }, 400],
    ['more runs than 10 years have', { runs: 100_000 }, 400],
    ['runs without number', { runs: 1e300 }, 400],
    ['to the year 1066', { to: '1066-10-14' }, 409],
  ])('%s', async (_what, body, status) => {
    const answer = await control.post('/sandbox/clock/advance', body);
    expect([answer.status, answer.body.allowed]).toEqual([status, range]);
    expect(await hashLedger(control.bank, 'included')).toBe(before);
  });

  test.each([
    ['a word', { by: 'three days' }, duration],
    ['a negative duration', { by: '-P3D' }, duration],
    ['a fraction', { by: 'P1.5D' }, duration],
    ['no part', { by: 'P' }, duration],
    ['lower case', { by: 'p3d' }, duration],
    ['a bare T', { by: 'P3DT' }, duration],
    ['a number', { by: 3 }, 'expected an ISO 8601 duration in whole numbers'],
    ['longer than a hundred years', { by: 'P1000Y' }, duration],
    ['a day that is none', { to: '2027-02-30' }, instant],
    ['an instant without offset', { to: '2027-03-30T05:30:00' }, instant],
    ['half a run', { runs: 1.5 }, 'expected a whole number of settlement runs, 1 or more'],
    ['no run', { runs: 0 }, 'expected a whole number of settlement runs, 1 or more'],
    ['two ways at once', { by: 'P1D', runs: 1 }, ''],
    ['no way at all', {}, ''],
  ])('%s', async (_what, body, allowed) => {
    const answer = await control.post('/sandbox/clock/advance', body);
    expect([answer.status, answer.body.title]).toEqual([400, 'Bad Request']);
    expect(answer.body.detail).toContain(allowed);
    expect(await hashLedger(control.bank, 'included')).toBe(before);
  });
});

test('GET /sandbox/ledger/hash: 64 hex digits; ids counts them; another choice is refused with those there are', async () => {
  const [plain, withIds] = [
    await control.get('/sandbox/ledger/hash'),
    await control.get('/sandbox/ledger/hash?ids=included'),
  ];
  expect(plain.body).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(withIds.body).toEqual({ hash: before });
  expect((await control.get('/sandbox/ledger/hash?ids=left-out')).body).toEqual(plain.body);
  const refused = await control.get('/sandbox/ledger/hash?ids=yes');
  expect([refused.status, refused.body.allowed]).toEqual([400, ['included', 'left-out']]);
});
