import type { WideCheck } from './check.ts';

const program = `
import { createBank, matchers, type Bank, type PaymentStory } from 'sandbank';
import { signingFetch, signRequest } from 'sandbank/client';
export async function story(id: string): Promise<PaymentStory> {
  const bank: Bank = await createBank({ now: '2027-03-24' });
  // @ts-expect-error a clock takes no number
  await bank.clock.advance(3);
  return bank.payments(id);
}
export const signed: typeof fetch = signingFetch({ certificate: '', key: '' });
export const headers: Record<string, string> = signRequest({ method: 'GET', url: '/', certificate: '', key: '' });
export const names: string[] = Object.keys(matchers);
`;

const jestProgram = `
import { expect } from '@jest/globals';
import 'sandbank/jest';
import { createBank, matchers } from 'sandbank';
expect.extend(matchers);
export async function judge(): Promise<void> {
  const bank = await createBank();
  await expect(bank.payments('1')).toSettleOn('2027-03-30');
  await expect(bank.account('1')).not.toHaveBalance('NOK 1.00');
  // @ts-expect-error a number of attempts
  await expect(bank.payments('1')).toBeRejectedAfter('5');
}
`;

/** Each way in which TypeScript finds a package, with the types that can be found that way. */
const projects = [
  { name: 'node10', options: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' } },
  { name: 'node16-cjs', options: { module: 'node16', moduleResolution: 'node16' } },
  { name: 'node16-esm', options: { module: 'node16', moduleResolution: 'node16' }, type: 'module' },
  { name: 'nodenext', options: { module: 'nodenext', moduleResolution: 'nodenext' }, type: 'module' },
  { name: 'bundler', options: { module: 'esnext', moduleResolution: 'bundler' }, type: 'module' },
];

export const types: WideCheck = {
  name: 'types',
  summary: `the types with skipLibCheck false: ${projects.map(({ name }) => name).join(', ')}`,
  run: async (place) => {
    await place.install('jest@30', '@jest/globals@30', 'typescript@6', '@types/node@24');
    for (const { name, options, type = 'commonjs' } of projects) {
      place.write(`${name}/package.json`, { private: true, type });
      place.write(`${name}/program.ts`, program);
      place.write(`${name}/judge.ts`, jestProgram);
      const compilerOptions = { ...options, target: 'es2022', strict: true, noEmit: true, types: ['node'] };
      place.write(`${name}/tsconfig.json`, { compilerOptions: { ...compilerOptions, skipLibCheck: false } });
      await place.run('tsc', '-p', name);
    }
  },
};
