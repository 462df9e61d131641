import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { endpoints } from '../../api/interface/index.ts';
import { pathTable } from '../../api/pipeline/target.ts';
import { Refusal } from '../../engine/values/fault.ts';

type Outcome = { readonly path: string; readonly params: Readonly<Record<string, string>> } | 'none' | 'unreadable';

const paths = [...new Set(endpoints.map(({ path }) => path))];
const find = pathTable(paths, (path) => path);

function byTable(path: string): Outcome {
  try {
    const found = find(path);
    return found === null ? 'none' : { path: found.value, params: found.params };
  } catch (error) {
    if (error instanceof Refusal && error.faults[0].code === 'BAD_REQUEST') return 'unreadable';
    throw error;
  }
}

/** What express finds, whose paths these are. */
function byExpress(path: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const router = express.Router({ caseSensitive: true, strict: true });
    for (const each of paths)
      router.all(each, ({ params }) => resolve({ path: each, params: { ...params } as Record<string, string> }));
    const request = { method: 'GET', url: path, originalUrl: path } as express.Request;
    router(request, {} as express.Response, (error: unknown) => resolve(error === undefined ? 'none' : 'unreadable'));
  });
}

const values = [
  '1',
  'a%2Fb',
  'a b',
  '%C3%B8',
  '%zz',
  '%',
  '%E0%A4%A',
  '',
  ':paymentId',
  '__proto__',
  'constructor',
  'norwegian',
];
const asked = [
  ...paths.flatMap((path) => values.map((value) => path.replaceAll(/:\w+/g, value))),
  ...paths.flatMap((path) => [
    `${path}/`,
    `/${path}`,
    path.toUpperCase(),
    path.slice(1),
    `${path}/x`,
    path.slice(0, -1),
  ]),
  ...[
    '',
    '/',
    '//',
    '/%61ccounts',
    '/__proto__',
    '/constructor',
    '/toString/1',
    '/accounts/1/2',
    '/user/x',
    '/accounts//balances',
  ],
];

describe('a path finds what it finds in a router of express', () => {
  test.each([...new Set(asked)].map((path) => [path]))('%j', async (path) => {
    expect(byTable(path)).toEqual(await byExpress(path));
  });
});
