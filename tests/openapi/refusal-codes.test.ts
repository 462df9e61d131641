import { describe, expect, test } from '@jest/globals';
import { faultResponse } from '../../api/faults/fault-response.ts';
import { type FaultCode, faultCodes, type FaultPlace } from '../../engine/values/fault.ts';
import { basketOf, initiated, psu, refusal } from '../approval/baskets.ts';
import { singlePath } from '../lab/bodies.ts';
import { testBank } from '../support/test-bank.ts';

/* Every refusal has a status and codes that the document of the interface lists for its call. */

const bank = testBank('2027-03-24T12:00:00+01:00');
const withQuirk = testBank('2027-03-24T12:00:00+01:00', ['--quirks', 'signature-401']);

interface Listed {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Listed>>;
  readonly items?: Listed;
  readonly enum?: readonly string[];
}

/** The codes of each status, as the document of the bank lists them, by operation. */
async function listedCodes(from = bank): Promise<ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>> {
  const { body } = await from.raw('GET', '/openapi.json');
  const at = ({ $ref, ...schema }: Listed): Listed =>
    $ref === undefined
      ? schema
      : at(
          $ref
            .split('/')
            .slice(1)
            .reduce((part, name) => part[name], body),
        );
  const codesOf = (response: Listed & { readonly content?: Readonly<Record<string, { schema: Listed }>> }) => {
    const { content } = at(response) as typeof response;
    const { tppMessages } = at(content?.['application/json']?.schema ?? {}).properties ?? {};
    return at(at(at(tppMessages ?? {}).items ?? {}).properties?.['code'] ?? {}).enum ?? [];
  };
  const operations = Object.entries<Record<string, { responses?: Record<string, Listed> }>>(body.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        responses === undefined ? [] : [[`${method} ${path}`, responses] as const],
      ),
  );
  return new Map(
    operations.map(([operation, responses]) => [
      operation,
      new Map(Object.entries(responses).map(([status, response]) => [Number(status), codesOf(response)])),
    ]),
  );
}

const places: readonly FaultPlace[] = [
  'account',
  'content-type',
  'header-size',
  'method',
  'path',
  'payload',
  'size',
  'time',
  'unavailable',
];

test.each([false, true])(
  'E1, E2, G2: every code at every place is listed at its status, for every operation (signature-401: %s)',
  async (signature401) => {
    const listed = await listedCodes(signature401 ? withQuirk : bank);
    expect(listed.size).toBeGreaterThan(50);
    const faults = faultCodes.flatMap((code) => [
      { code, text: '' },
      ...places.map((place) => ({ code, text: '', place })),
    ]);
    const missing = [...listed].flatMap(([operation, byStatus]) =>
      faults.flatMap((fault) => {
        const { status } = faultResponse([fault], { signature401 });
        return byStatus.get(status)?.includes(fault.code) === true ? [] : [[operation, status, fault.code]];
      }),
    );
    expect(missing).toEqual([]);
  },
);

/** Faults of a body, which an operation collects. */
const collected: readonly FaultCode[] = [
  ...(['CONFLICT', 'EXECUTION_DATE_INVALID', 'FORMAT_ERROR', 'KID_INVALID', 'KID_MISSING', 'PAYMENT_FAILED'] as const),
  ...([
    'REFERENCE_MIX_INVALID',
    'REFERENCE_STATUS_INVALID',
    'RESOURCE_BLOCKED',
    'RESOURCE_UNKNOWN',
    'SERVICE_INVALID',
  ] as const),
];

test('E3: faults of a body that are told together are listed at the status of the first', async () => {
  const [[operation, byStatus] = ['', new Map<number, readonly string[]>()]] = [...(await listedCodes())];
  for (const first of collected) {
    for (const second of collected) {
      const { status } = faultResponse(
        [
          { code: first, text: '' },
          { code: second, text: '' },
        ],
        { signature401: false },
      );
      expect([operation, first, second, byStatus.get(status)]).toEqual([
        operation,
        first,
        second,
        expect.arrayContaining([first, second]),
      ]);
    }
  }
});

// After each test every answer is judged by the document.
describe('refusals with faults of several statuses', () => {
  test('a basket of a payment that nobody knows and one that is signed, in both orders', async () => {
    const signed = await initiated(bank, 1);
    await bank.approve((await bank.signed('POST', `${singlePath}/${signed}/authorisations`)).body, psu);
    const codes = '400 RESOURCE_UNKNOWN paymentIds[0] REFERENCE_STATUS_INVALID paymentIds[1]';
    expect(refusal(await basketOf(bank, ['nothing', signed]))).toBe(codes);
    expect(refusal(await basketOf(bank, [signed, 'nothing']))).toBe(
      '400 RESOURCE_UNKNOWN paymentIds[1] REFERENCE_STATUS_INVALID paymentIds[0]',
    );
  });

  test('an account of an unknown customer whose number is in use', async () => {
    const body = { customerNumber: '01010112345', bban: '09232911044', currency: 'NOK' };
    const answer = await bank.signed('POST', '/v1/sandbox/accounts', { body });
    expect(refusal(answer)).toBe('400 RESOURCE_UNKNOWN customerNumber CONFLICT bban');
  });

  test('an agreement of a name that is taken, with an engagement of an unknown customer', async () => {
    const owner = '98765432100';
    await bank.signed('POST', '/v1/sandbox/customers', {
      body: { customerNumber: owner, name: 'Fjord AS', type: 'corporate' },
    });
    const agreement = (engagements: readonly object[]) => ({ body: { owner, name: 'Avtale', engagements } });
    await bank.signed('POST', '/v1/sandbox/agreements', agreement([]));
    const unknown = { customer: '01010112345', account: { iban: 'NO7809232911044', currency: 'NOK' }, roles: ['VIEW'] };
    const answer = await bank.signed('POST', '/v1/sandbox/agreements', agreement([unknown]));
    expect(refusal(answer)).toBe(
      '409 CONFLICT name RESOURCE_UNKNOWN engagements[0].customer FORMAT_ERROR engagements[0].account',
    );
  });
});
