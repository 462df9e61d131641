import { describe, expect, test } from '@jest/globals';
import type { SeenCall } from '../../api/quirks/hearing.ts';
import { causeOf } from '../../scripts/gauntlet/cause.ts';
import type { Recording } from '../../scripts/gauntlet/recording.ts';

const call = (change: Partial<SeenCall>): SeenCall => ({
  bank: '/p/a.test.js#1',
  test: 'pays once',
  call: 'GET /v1/accounts',
  operation: 'GET /v1/accounts',
  status: 200,
  code: null,
  type: 'application/json',
  answer: '{"accounts":[{"name":"a","bban":"1"}]}',
  isSigned: false,
  isOfHarness: false,
  did: false,
  ...change,
});
const run = (...calls: Partial<SeenCall>[]): Recording => ({
  calls: calls.map(call),
  heard: new Set(),
  isApplied: true,
});
const failed = [{ name: 'pays once', file: 'a.test.js', message: '' }];
const cause = (before: Recording, after: Recording, other = before, tests = failed) =>
  causeOf(tests, [before, other], after);

describe('GA4: the first changed answer', () => {
  test.each([
    ['a member', '{"accounts":[{"name":"b","bban":"1"}]}', 'accounts[0].name', '"a"', '"b"'],
    ['a member that is new', '{"accounts":[{"name":"a","bban":"1","x":1}]}', 'accounts[0].x', null, '1'],
    ['an item that is gone', '{"accounts":[]}', 'accounts[0]', '{"name":"a","bban":"1"}', null],
    [
      'the order of members',
      '{"accounts":[{"bban":"1","name":"a"}]}',
      'answer',
      expect.any(String),
      expect.any(String),
    ],
    ['a text that is no JSON', '<html>', 'answer', expect.any(String), '<html>'],
    [
      'another spelling far behind',
      `{"accounts":[{"name":"a","bban":"1"} ]}`,
      'answer',
      'ame":"a","bban":"1"}]}',
      'ame":"a","bban":"1"} ]}',
    ],
    ['a long text', 'x'.repeat(61), 'answer', expect.any(String), `${'x'.repeat(60)}...`],
  ])('%s', (_what, answer, path, before, after) => {
    expect(cause(run({}), run({ answer }))).toEqual({ call: 'GET /v1/accounts', path, before, after });
  });

  test('status, content type, and what the bank did to the answer', () => {
    expect(cause(run({}), run({ status: 429 }))).toMatchObject({ path: 'status', before: '200', after: '429' });
    expect(cause(run({}), run({ type: 'text/html' }))).toMatchObject({ path: 'content-type' });
    const did = { path: 'trial', before: null, after: null };
    expect(cause(run({}), run({ did: true }))).toEqual({ call: 'GET /v1/accounts', ...did });
    expect(cause(run({}), run({ did: true, status: 503 }))).toMatchObject({ path: 'trial' });
  });

  test('what differs between the two runs of the baseline is no change', () => {
    const [one, other] = [run({ answer: '{"id":"1","n":1}' }), run({ answer: '{"id":"2","n":1}' })];
    expect(cause(one, run({ answer: '{"id":"3","n":1}' }), other)).toBeNull();
    expect(cause(one, run({ answer: '{"id":"3","n":2}' }), other)).toMatchObject({ path: 'n' });
  });

  test('of the failed test, else of any; a call that only the trial makes is no change', () => {
    const calls = (name: string): Partial<SeenCall>[] => [
      { bank: '/p/b.test.js#1', test: 'other', answer: `{"n":"${name}"}` },
      { answer: `{"n":"${name} of the test"}` },
    ];
    const [before, after] = [run(...calls('x')), run({ call: 'GET /v1/new', status: 503 }, ...calls('y'))];
    const found = (name: string, file: string) => cause(before, after, before, [{ name, file, message: '' }])?.after;
    expect(found('pays once', 'a.test.js')).toBe('"y of the test"');
    expect(found('another', 'c.test.js')).toBe('"y"');
  });

  test('of the file of the failed test, where the runner does not tell which test is running', () => {
    const [before, after] = ['x', 'y'].map((n) =>
      run({ bank: '/p/b.test.js#1', test: '', answer: `{"n":"${n}"}` }, { test: '', answer: `{"n":"${n} of a"}` }),
    ) as [Recording, Recording];
    expect(cause(before, after)?.after).toBe('"y of a"');
  });

  test('calls that are alike are compared one by one', () => {
    const [before, after] = ['x', 'y'].map((n) => run({ answer: `{"n":"${n}"}` }, {})) as [Recording, Recording];
    expect(cause(before, after)).toMatchObject({ path: 'n', before: '"x"', after: '"y"' });
  });

  test('groups are joined in the ways of runners', () => {
    const [before, after] = ['x', 'y'].map((n) => {
      return run({ test: 'first', answer: `{"n":"${n}1"}` }, { test: 'group inner pays', answer: `{"n":"${n}2"}` });
    }) as [Recording, Recording];
    for (const name of ['group › inner › pays', 'group > inner > pays', 'group inner pays'])
      expect(cause(before, after, before, [{ name, file: 'a.test.js', message: '' }])).toMatchObject({ after: '"y2"' });
  });
});
