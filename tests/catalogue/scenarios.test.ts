import { readdirSync, readFileSync } from 'node:fs';
import { testBank } from '../support/test-bank.ts';
import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import type { Scenario } from '../../api/catalogue/scenario.ts';
import { endpoints } from '../../api/interface/index.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { readConfig } from '../../api/start/config.ts';
import { loadProfile } from '../../api/start/profile.ts';
import type { Quirk } from '../../engine/bank/rules/quirk.ts';
import { faultCodes } from '../../engine/values/fault.ts';
import { parseScenario } from '../../scripts/play/read-scenario.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { countOf, figuresIn } from './figures.ts';

interface Told {
  readonly ends: string;
  readonly steps: readonly { readonly curl: string; readonly status: number; readonly answer: unknown }[];
}

// Far from every scenario's own time.
const bank = testBank('2031-06-06T12:00:00+02:00');

/** What the played scenarios have shown. */
const met = new Set<string>();

const scenarios = catalogue().map((scenario) => [scenario.name, scenario] as const);

test('each file of the folder is a scenario of that name, and as the reader of files wants it', () => {
  const files = readdirSync('scenarios');
  expect(files.toSorted()).toEqual(scenarios.map(([name]) => `${name}.json`).toSorted());
  for (const [name] of scenarios) {
    const file = `scenarios/${name}.json`;
    expect(parseScenario(readFileSync(file), file).name).toBe(name);
  }
});

test.each(scenarios)('%s', async (name, scenario) => {
  const { code, lines, errors } = await runMain(['play', name, '--json'], { env: { BANK: bank.address } });
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  const told = JSON.parse(lines.join('\n')) as Told;
  expect(told.steps).toHaveLength(scenario.steps.length);
  expect(told.ends).not.toMatch(/[{}]/);
  // The numbers of its texts are those of what happened.
  for (const each of figuresIn(`${scenario.title}. ${scenario.about} ${told.ends}`)) {
    expect([each.phrase, countOf(name, each, told)]).toEqual([each.phrase, each.value]);
  }
  const { operations, products, codes, statuses } = metBy(scenario, told);
  for (const each of [...operations, ...products, ...codes, ...statuses]) met.add(each);
});

test('after all of them no bank is left, and the clock and data of the server are as they were', async () => {
  const { body } = await bank.control('GET', '/sandbox/banks');
  expect(body.banks.map((one: { name: string }) => one.name)).toEqual(['default']);
  expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe('2031-06-06T12:00:00.000+02:00');
});

describe('the scenarios show', () => {
  // Those on test data are no part of an integration, and bank-offered-consents replaces consents.
  const operations = endpoints.filter(({ path }) => !path.startsWith('/sandbox') && path !== '/consents');
  const products = endpoints.flatMap(({ path, products: own = [] }) => own.map((one) => `${serviceOf(path)}/${one}`));

  test.each([
    ['each operation', operations.map(operationOf)],
    ['each product', products],
    ['each code', faultCodes],
    ['how a payment ends', ['ACSC', 'RJCT', 'CANC', 'PART', 'PATC']],
  ])('%s', (_what, all) => {
    expect(all.filter((each) => !met.has(each))).toEqual([]);
  });

  test('each quirk that a bank was seen to have, on at the bank of its story', async () => {
    const shown = new Set<string>();
    for (const { showsQuirks = [], bank: settings } of catalogue()) {
      const profile = settings.profile === undefined ? null : await loadProfile(settings.profile);
      const { quirks } = readConfig({}, [`--quirks=${(settings.quirks ?? []).join(',')}`], profile);
      for (const quirk of showsQuirks) if (quirks.has(quirk as Quirk)) shown.add(quirk);
    }
    const seen = (await allQuirks()).filter(({ banks }) => banks.length > 0).map(({ name }) => name);
    expect(seen.filter((name) => !shown.has(name))).toEqual([]);
  });
});

function operationOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} /v1${path.replace(/:(\w+)/g, '{$1}')}`;
}

function serviceOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** What the calls of a played scenario show, by the paths that were sent and the codes that came back. */
function metBy({ steps }: Scenario, told: Told) {
  const calls = told.steps.flatMap(({ curl }, index) => {
    const path = /\/v1(\/[^'?]*)/.exec(/'http[^']*'/.exec(curl)?.[0] ?? '')?.[1];
    return path === undefined ? [] : [{ method: steps[index]?.method ?? '', path }];
  });
  return {
    operations: endpoints
      .filter((endpoint) => calls.some((call) => call.method === endpoint.method && fits(endpoint.path, call.path)))
      .map(operationOf),
    products: calls.filter(({ method }) => method === 'POST').map(({ path }) => path.slice(1)),
    codes: told.steps.flatMap(({ status, answer }) => (status < 400 ? [] : codesOf(answer))),
    statuses: told.steps.flatMap(
      ({ answer }) => JSON.stringify(answer).match(/\b(?:ACSC|RJCT|CANC|PART|PATC)\b/g) ?? [],
    ),
  };
}

function fits(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
}

function codesOf(answer: unknown): string[] {
  const { tppMessages = [] } = answer as { readonly tppMessages?: readonly { readonly code: string }[] };
  return tppMessages.map(({ code }) => code);
}
