import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { listBehaviours } from '../../api/coverage/behaviours.ts';
import { playScenario } from '../../api/catalogue/play-scenario.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

interface Reported {
  readonly name: string;
  readonly met: boolean;
  readonly how: string;
}

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank('2031-06-06T12:00:00+02:00');
});
afterAll(() => bank.stop());

describe('what the scenarios of the catalogue meet, each in a bank of its own', () => {
  const met = new Set<string>();

  test.each(catalogue().map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    expect((await bank.control('POST', '/sandbox/banks', { ...scenario.bank, name })).status).toBe(200);
    const base = `/banks/${name}`;
    const played = [];
    for await (const step of playScenario(scenario, { address: bank.address + base, token: null }, new Map())) {
      played.push(step);
    }
    expect(played).toHaveLength(scenario.steps.length);
    const { body } = await bank.control('GET', `${base}/sandbox/coverage`);
    const names = body.behaviours.filter((each: Reported) => each.met).map((each: Reported) => each.name);
    for (const each of names) met.add(each);
    expect(names).toEqual(expect.arrayContaining([...scenario.meets]));
    await bank.control('DELETE', `/sandbox/banks/${name}`);
  });

  test('together they meet every behaviour of the bank', async () => {
    const behaviours = await listBehaviours();
    expect(behaviours.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([]);
  });

  test('how is the scenario that shows a behaviour', async () => {
    const { body } = await bank.control('GET', '/sandbox/coverage');
    const hows = body.behaviours.map(({ how }: Reported) => how);
    for (const how of hows) expect(how).toMatch(/^sandbank play [a-z-]+$/);
    expect(hows).toContain('sandbank play five-attempts');
  });
});
