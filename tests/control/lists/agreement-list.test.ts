import { expect, test } from '@jest/globals';
import { controlForEach } from '../control-client.ts';
import { deleteAgreement } from '../../../engine/sandbox-data/agreements.ts';
import type { Answer } from '../control-client.ts';
import { fitting } from './fitting.ts';

const control = controlForEach('2027-03-24T12:00:00+01:00');

const list = async (): Promise<Answer['body'][]> => (await fitting(control, 'GET', '/sandbox/agreements')).agreements;

test('every agreement with its owner, and who may do what with which account', async () => {
  const agreements = await list();
  expect(agreements.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Test Testperson 3', 'Corporation 1 AS', 'To Nøkler AS']),
  );
  const account = { number: '34330000017', name: 'Driftskonto' };
  expect(agreements.find(({ name }) => name === 'To Nøkler AS')).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'To Nøkler AS',
    owner: { number: '33333333', name: 'To Nøkler AS', type: 'corporate' },
    engagements: [
      { psu: { number: '17818050100', name: 'Sigrid Signerer' }, account, roles: ['VIEW', 'REGISTER'] },
      { psu: { number: '20818850094', name: 'Tor Signerer' }, account, roles: ['VIEW', 'REGISTER'] },
    ],
  });
});

test('one that was deleted is gone until the reset; an unknown parameter is 400', async () => {
  const before = await list();
  const own = before.find(({ name }) => name === 'Corporation 1 AS');
  await deleteAgreement(control.bank, own.id);
  expect(await list()).toEqual(before.filter(({ id }) => id !== own.id));
  await control.post('/sandbox/reset');
  expect(await list()).toHaveLength(before.length);
  expect((await control.get('/sandbox/agreements?owner=1')).status).toBe(400);
});
