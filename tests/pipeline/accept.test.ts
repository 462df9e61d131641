import { describe, expect, test } from '@jest/globals';
import { acceptsType } from '../../api/pipeline/request-headers.ts';
import { testBank } from '../support/test-bank.ts';

const taken = [
  'application/json',
  'application/json;charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json ; Charset = "UTF-8"',
  'Application/JSON;CHARSET=utf8',
  'application/json;charset=',
  'application/json;profile="a,b;q=0";charset=utf-8',
  'application/json;profile="a\\"b, c"',
  'application/json;odata=verbose;q=0.1',
  'application/json;q=0.001',
  'application/json;q=',
  'application/json;charset=utf-8;q=0.5, text/plain',
  'application/json;charset=utf-8, text/plain, */*;q=0',
  'text/html, application/xhtml+xml;q=0.9, application/json;charset=utf-8;q=0.8',
  'text/xml,application/json',
  'application/json;charset=iso-8859-1, application/json;charset=utf-8',
  'application/json;charset=iso-8859-1, */*',
  'application/json;q=0, application/json;charset=utf-8',
  'application/*;charset=utf-8',
  'application/*',
  '*/*;q=0.1',
  'text/html, image/gif, *; q=.2',
  '',
  ' , ,',
  undefined,
];

const refused = [
  'application/xml',
  'text/json',
  'application/hal+json',
  'application/problem+json',
  'application/json;charset=iso-8859-1',
  'application/json;charset="ISO-8859-1"',
  'application/json;charset=us-ascii, text/plain',
  'application/json;q=0',
  'application/json;q=0.000',
  'application/json;Q="0"',
  'application/json;charset=utf-8;q=0',
  'application/json;q=0, */*',
  'application/json;charset=utf-8;q=0, application/*',
  '*/*;q=0',
  '*/*;charset=utf-16',
  'text/plain;a="application/json, application/json"',
  'application/json-seq',
  'json',
  'application/',
];

describe('E7: application/json with parameters is application/json', () => {
  test.each(taken)('E7: Accept: %s is taken', (header) => {
    expect(acceptsType(header, 'application/json')).toBe(true);
  });

  test.each(refused)('E7: Accept: %s is not', (header) => {
    expect(acceptsType(header, 'application/json')).toBe(false);
  });
});

describe('over HTTP', () => {
  const bank = testBank('2027-03-24T12:00:00+01:00');

  test('E7: events are taken with parameters too', async () => {
    const read = (accept: string) => fetch(`${bank.address}/sandbox/events`, { headers: { accept } });
    for (const accept of ['text/event-stream;charset=utf-8', 'text/*', 'Text/Event-Stream; q=0.5, application/json']) {
      const { status, body } = await read(accept);
      expect(status).toBe(200);
      await body?.cancel();
    }
    expect(await read('text/event-stream;charset=utf-16')).toMatchObject({ status: 406 });
  });
});
