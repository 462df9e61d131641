import { expect, test } from '@jest/globals';
import { sandboxCustomer } from '../../api/interface/sandbox-data/customers-and-agreements.ts';
import {
  createAccount,
  listSandboxAccounts,
  createCustomer,
  deleteCustomer,
  listCustomers,
  readCustomer,
} from '../../engine/sandbox-data/customers.ts';
import { knownState, memoryBank } from '../lab/bank.ts';
import { dump } from '../lab/rows.ts';
import { brokenProofs } from '../lab/proof.ts';
import { refused } from './refused.ts';

const wanted = { customerNumber: '01078900497', name: 'Test Testperson 1', type: 'private' } as const;
const account = {
  customerNumber: wanted.customerNumber,
  name: 'Brukskonto',
  bban: '90412263056',
  currency: 'NOK',
  product: null,
  cashAccountType: 'CACC',
  creditLine: 0n,
  openingBalance: 1_000_000n,
} as const;

test('real-api-facts 10: a customer is shown with customerType in capitals and a self link of GET and DELETE', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const customer = await createCustomer(bank, wanted);
  expect(sandboxCustomer(customer)).toEqual({
    customerId: customer.resource_id,
    customerNumber: '01078900497',
    customerType: 'PRIVATE',
    customerName: 'Test Testperson 1',
    _links: { self: { href: `/v1/sandbox/customers/${customer.resource_id}`, verbs: ['GET', 'DELETE'] } },
  });
  expect(await readCustomer(bank, customer.resource_id)).toEqual(customer);
  expect(await listCustomers(bank)).toHaveLength(knownState.customers.length + 1);
});

test.each([
  ['private', 1],
  ['corporate', 0],
] as const)('interface: a %s customer gets %d agreement of its own', async (type, expected) => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const { id } = await createCustomer(bank, { ...wanted, type });
  const { agreement } = await dump(bank);
  expect(agreement?.filter((row) => row['owner_id'] === id)).toHaveLength(expected);
});

test('D3b: creating a customer that exists is a CONFLICT on customerNumber, and changes nothing', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const before = await dump(bank);
  const faults = await refused(createCustomer(bank, { ...wanted, customerNumber: '13039319955' }));
  expect(faults).toEqual([{ code: 'CONFLICT', path: 'customerNumber', text: expect.stringContaining('13039319955') }]);
  expect(await dump(bank)).toEqual(before);
});

test('interface, Error codes: a customer id that nobody has is RESOURCE_UNKNOWN in the path, deleted ones too', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const { resource_id: id } = await createCustomer(bank, wanted);
  await deleteCustomer(bank, id);
  for (const call of [readCustomer(bank, id), deleteCustomer(bank, id), readCustomer(bank, 'enc!!nobody=')]) {
    expect(await refused(call)).toMatchObject([{ code: 'RESOURCE_UNKNOWN', place: 'path' }]);
  }
});

test('D2: deleting a customer deletes its accounts; its numbers can be created again', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const before = await listSandboxAccounts(bank);
  for (let round = 0; round < 3; round += 1) {
    const customer = await createCustomer(bank, wanted);
    await createAccount(bank, account);
    await createAccount(bank, { ...account, bban: '90412329715', openingBalance: -5n });
    expect(await listSandboxAccounts(bank)).toHaveLength(before.length + 2);
    await deleteCustomer(bank, customer.resource_id);
    expect(await listSandboxAccounts(bank)).toEqual(before);
    expect((await brokenProofs(bank))['accounts whose balance is not the sum of their entries']).toBeUndefined();
  }
});
