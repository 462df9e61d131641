import { expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { testBank } from '../support/test-bank.ts';

/* The collections of the stories (docs/spec/control-plane.md). That other people's programs play them: tests/wide/collections.ts. */

const bank = testBank('2027-03-24T12:00:00+01:00');

async function textAt(path: string): Promise<string> {
  const answer = await fetch(`${bank.address}/collections/${path}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

interface Item {
  readonly name: string;
  readonly item: readonly { readonly request: { readonly method: string; readonly url: string } }[];
}

test('C30: each story is a folder of every collection, with a request for each of its steps between those that make and remove its bank', async () => {
  const { item, variable } = JSON.parse(await textAt('sandbank.postman_collection.json')) as {
    readonly item: readonly Item[];
    readonly variable: readonly object[];
  };
  const [http, files] = [await textAt('sandbank.http'), (await textAt('')).split('\n')];
  expect(variable).toEqual([{ key: 'baseUrl', value: bank.address }]);
  expect(item.map(({ name }) => name)).toEqual(catalogue().map(({ name }) => name));
  for (const { name, steps } of catalogue()) {
    const calls = item.find((one) => one.name === name)?.item ?? [];
    const wanted = ['DELETE', 'POST', ...steps.map(({ method }) => method), 'DELETE'];
    expect({ name, calls: calls.map(({ request }) => request.method) }).toEqual({ name, calls: wanted });
    expect(files.filter((file) => file.startsWith(`bruno/${name}/`))).toHaveLength(wanted.length);
    expect(http).toContain(`### ${name}: `);
  }
});

test('every-call carries out each operation of the API document', async () => {
  const { body } = await bank.raw('GET', '/openapi.json');
  const wanted = Object.entries((body as ApiDocument).paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => ({ verb: verb.toUpperCase(), path })),
  );
  const { steps = [] } = catalogue().find(({ name }) => name === 'every-call') ?? {};
  const isOne = ({ verb, path }: (typeof wanted)[number]): boolean => {
    const form = new RegExp(`^/sandbox/as/docs/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:[?]|$)`);
    return steps.some(
      ({ method, path: sent, expect: { status } }) => method === verb && form.test(sent) && status < 300,
    );
  };
  expect(wanted.length).toBeGreaterThanOrEqual(72);
  expect(wanted.filter((operation) => !isOne(operation))).toEqual([]);
});

test('a value that a step keeps is handed on by name', async () => {
  expect(await textAt('bruno/easter/04.bru')).toContain('url: {{baseUrl}}/banks/story-easter/sandbox/sca/{{sca}}\n');
  expect(await textAt('bruno/easter/03.bru')).toContain('"match":"/sca/([^/?#]+)"');
});

test('another path is nothing, and a named bank has no collections', async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'own' });
  for (const path of ['/collections/x', '/collections/..%2fpackage.json', '/banks/own/collections/'])
    expect((await fetch(bank.address + path)).status).toBe(404);
});
