import { describe, expect, test } from '@jest/globals';
import { readHeaders } from '../../api/pipeline/request-headers.ts';
import { faultsOf } from './faults-of.ts';

const uuid = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const nothing = {
  requestId: null,
  sessionId: null,
  redirectUri: null,
  psuId: null,
  psuIdentity: null,
  psuCorporateId: null,
  psuContext: null,
  psuIpAddress: null,
  acceptFix: null,
};

describe('request headers', () => {
  test('are read by name; what was not sent is null', () => {
    expect(readHeaders({}, [])).toEqual(nothing);
    expect(
      readHeaders(
        {
          'x-request-id': uuid.toUpperCase(),
          'tpp-session-id': 'session 1',
          'tpp-redirect-uri': 'https://tpp.example/callback?state=1',
          'tpp-redirect-preferred': 'false',
          'psu-id': uuid,
          'x-psu-identity': '13039319955',
          'psu-corporate-id': uuid,
          'psu-context': 'CORPORATE',
          'psu-ip-address': '2001:db8::1',
          'x-psu-authmethod-preferred': 'HA2',
          'x-accept-fix': 'longer-names, none',
        },
        ['x-request-id'],
      ),
    ).toEqual({
      requestId: uuid.toUpperCase(),
      sessionId: 'session 1',
      redirectUri: 'https://tpp.example/callback?state=1',
      psuId: uuid,
      psuIdentity: '13039319955',
      psuCorporateId: uuid,
      psuContext: 'CORPORATE',
      psuIpAddress: '2001:db8::1',
      acceptFix: 'longer-names, none',
    });
  });

  test('E2: a missing one is HTTP_HEADER_REQUIRED, with a sample; an empty one counts as missing', () => {
    const text = expect.stringContaining('for example PSU-IP-Address: 192.0.2.1');
    const expected = [{ code: 'HTTP_HEADER_REQUIRED', path: 'psu-ip-address', text }];
    expect(faultsOf(() => readHeaders({}, ['psu-ip-address']))).toEqual(expected);
    expect(faultsOf(() => readHeaders({ 'psu-ip-address': '' }, ['psu-ip-address']))).toEqual(expected);
    expect(readHeaders({ 'psu-corporate-id': '' }, [])).toEqual(nothing);
  });

  test('E5: x-accept-fix may be empty or unknown, but is missed where required', () => {
    for (const value of ['', 'longer-names', 'tomorrow,later'])
      readHeaders({ 'x-accept-fix': value }, ['x-accept-fix']);
    expect(faultsOf(() => readHeaders({}, ['x-accept-fix']))).toMatchObject([{ path: 'x-accept-fix' }]);
  });

  test('all faults at once, the missing ones first', () => {
    const headers = { 'x-request-id': 'one', 'psu-context': 'private', 'psu-ip-address': 'localhost' };
    const faults = faultsOf(() => readHeaders(headers, ['tpp-session-id', 'psu-id', 'psu-context']));
    expect(faults.map(({ code, path }) => [code, path])).toEqual([
      ['HTTP_HEADER_REQUIRED', 'tpp-session-id'],
      ['HTTP_HEADER_REQUIRED', 'psu-id'],
      ['FORMAT_ERROR', 'x-request-id'],
      ['FORMAT_ERROR', 'psu-context'],
      ['FORMAT_ERROR', 'psu-ip-address'],
    ]);
  });

  test('E2: under /v1/sandbox X-Request-ID need not be a UUID', () => {
    const headers = { 'x-request-id': 'TEST_SCRIPT_REQUEST_ID_1' };
    expect(readHeaders(headers, [], { sandboxData: true }).requestId).toBe('TEST_SCRIPT_REQUEST_ID_1');
    expect(faultsOf(() => readHeaders(headers, []))).toMatchObject([{ code: 'FORMAT_ERROR', path: 'x-request-id' }]);
  });
});

describe('values that pass', () => {
  test.each([
    ['tpp-redirect-uri', 'myapp://callback'],
    ['psu-ip-address', '192.0.2.1'],
    ['psu-ip-address', '::1'],
    ['psu-ip-port', '1'],
    ['psu-ip-port', '65535'],
    ['psu-http-method', 'PATCH'],
    ['psu-device-id', uuid],
    ['psu-geo-location', 'GEO:59.91,10.75'],
    ['psu-geo-location', 'GEO:-33.8688;151.2093'],
    ['psu-geo-location', 'GEO:90,-180'],
    ['psu-user-agent', 'anything at all'],
    ['tpp-session-id', 'x'.repeat(100)],
  ])('%s: %s', (name, value) => {
    expect(faultsOf(() => readHeaders({ [name]: value }, [name]))).toEqual([]);
  });
});

describe('values that are a FORMAT_ERROR', () => {
  test.each([
    ['x-request-id', '4eba4445-1a4b-47b8-bdd5-4e56ef026b1'],
    ['x-request-id', `${uuid}, ${uuid}`],
    ['x-request-id', `{${uuid}}`],
    ['psu-id', 'unknown'],
    ['psu-corporate-id', '11111111'],
    ['psu-device-id', '1'],
    ['x-psu-identity', '1303931995'],
    ['x-psu-identity', '130393 19955'],
    ['psu-context', 'private'],
    ['psu-ip-address', '192.0.2.256'],
    ['psu-ip-address', '192.0.2.1:80'],
    ['psu-ip-port', '0'],
    ['psu-ip-port', '65536'],
    ['psu-ip-port', '080'],
    ['psu-http-method', 'get'],
    ['psu-geo-location', 'GEO:90.1,0'],
    ['psu-geo-location', 'GEO:0,181'],
    ['psu-geo-location', '59.91,10.75'],
    ['tpp-redirect-preferred', 'no'],
    ['tpp-session-id', 'x'.repeat(101)],
    ['tpp-session-id', 'a\u00e6'],
    ['tpp-redirect-uri', 'javascript://x/%0aalert(1)'],
    ['tpp-redirect-uri', `https://tpp.example/${'x'.repeat(2048)}`],
  ])('%s: %j', (name, value) => {
    const faults = faultsOf(() => readHeaders({ [name]: value }, [name]));
    expect(faults).toMatchObject([{ code: 'FORMAT_ERROR', path: name, text: expect.stringContaining('expected') }]);
    expect(faults[0]?.text.length).toBeLessThanOrEqual(512);
  });
});

test.each([
  [{}, ['HTTP_HEADER_REQUIRED psu-id']],
  [{ 'x-psu-identity': '13039319955' }, ['HTTP_HEADER_REQUIRED psu-context']],
  [{ 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' }, []],
  [{ 'psu-id': uuid }, []],
  [{ 'psu-id': uuid, 'psu-context': 'PRIVATE', 'psu-corporate-id': uuid }, ['FORMAT_ERROR psu-context']],
])('A6: who has to sign is judged with the other headers: %j', (headers, expected) => {
  const faults = faultsOf(() => readHeaders(headers, ['psu']));
  expect(faults.map(({ code, path }) => `${code} ${path}`)).toEqual(expected);
});

test('E5, H2, register 44: what is demanded strictly is not under the quirk lenient-headers', () => {
  const demands = [{ strictly: 'tpp-session-id' }];
  expect(faultsOf(() => readHeaders({}, demands))).toMatchObject([{ path: 'tpp-session-id' }]);
  expect(faultsOf(() => readHeaders({}, demands, { lenient: true }))).toEqual([]);
});

test.each(['TPP-Session-ID', 'psu-context', 'Content-Type', 'X-Request-ID'])(
  'G5: %s twice is a FORMAT_ERROR',
  (name) => {
    const raw = [name, 'a', 'Accept', 'x', 'accept', 'y', name.toLowerCase(), 'a'];
    const faults = faultsOf(() => readHeaders({ [name.toLowerCase()]: 'a, a' }, [], { raw }));
    expect(faults).toMatchObject([
      { code: 'FORMAT_ERROR', path: name.toLowerCase(), text: expect.stringContaining('once') },
    ]);
  },
);
