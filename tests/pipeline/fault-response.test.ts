import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { faultResponse } from '../../api/faults/fault-response.ts';
import { faultCodes } from '../../engine/values/fault.ts';
import type { Fault, FaultCode, FaultPlace } from '../../engine/values/fault.ts';

const printed = readFileSync(new URL('../../docs/spec/interface.md', import.meta.url), 'utf8');
const placeWords: readonly (readonly [RegExp, FaultPlace])[] = [
  [/(\d{3}) if an account id in the path/, 'account'],
  [/(\d{3}) if (?:in|another resource in the) path/, 'path'],
  [/(\d{3}) if (?:in|the) payload/, 'payload'],
  [/(\d{3}) if the HTTP method is/, 'method'],
];

/** The interface's table, a row for each place that it tells apart. */
const rows = printed
  .split('### Error codes and HTTP statuses')[1]
  ?.split('###')[0]
  ?.split('\n')
  .flatMap((line): [string, FaultPlace | undefined, number][] => {
    const [, code = '', text = ''] = line.split('|').map((cell) => cell.trim());
    if (!/^[A-Z_]+$/.test(code)) return [];
    if (/^\d{3}$/.test(text)) return [[code, undefined, Number(text)]];
    const parts = text.split(', ');
    return parts.flatMap((part) =>
      placeWords.flatMap(([words, place]): [string, FaultPlace, number][] => {
        const status = words.exec(part)?.[1];
        return status === undefined ? [] : [[code, place, Number(status)]];
      }),
    );
  });

function isCode(text: string): text is FaultCode {
  return faultCodes.some((code) => code === text);
}

function statusOf(code: FaultCode, place?: FaultPlace, signature401 = false): number {
  const fault: Fault = place === undefined ? { code, text: 'x' } : { code, text: 'x', place };
  return faultResponse([fault], { signature401 }).status;
}

describe('the status of a refusal', () => {
  test('is what the interface prints, under the quirk signature-401', () => {
    expect(rows).toHaveLength(35 + 9);
    for (const [code, place, status] of rows ?? []) {
      if (!isCode(code)) throw new Error(`${code} is no fault code`);
      expect([code, place, statusOf(code, place, true)]).toEqual([code, place, status]);
    }
  });

  test.each<[FaultCode, FaultPlace | undefined, number]>([
    ['SIGNATURE_INVALID', undefined, 400],
    ['SIGNATURE_MISSING', undefined, 400],
    ['SYSTEM_ERROR', undefined, 500],
    ['BAD_REQUEST', undefined, 400],
    ['BAD_REQUEST', 'size', 413],
    ['BAD_REQUEST', 'header-size', 431],
    ['BAD_REQUEST', 'time', 408],
    ['FORBIDDEN', undefined, 403],
    ['NOT_FOUND', undefined, 404],
    ['CONFLICT', undefined, 409],
    ['CONFLICT', 'payload', 400],
    ['HTTP_HEADER_REQUIRED', undefined, 400],
    ['QUERY_PARAMETER_REQUIRED', undefined, 400],
    ['SCA_NOT_FOUND', undefined, 404],
    ['SCA_EXPIRED', undefined, 400],
    ['SCA_INVALID', undefined, 400],
    ['FORMAT_ERROR', 'content-type', 415],
    ['FORMAT_ERROR', 'path', 400],
    ['SERVICE_INVALID', 'method', 405],
  ])('interface, Further rules 5: E2, G2, P7: %s %s is %i where the interface gives none', (code, place, status) => {
    expect(statusOf(code, place)).toBe(status);
  });

  test('without a place it is that of a fault in the payload', () => {
    const codes = ['RESOURCE_UNKNOWN', 'RESOURCE_EXPIRED', 'CONSENT_UNKNOWN', 'SERVICE_INVALID'] as const;
    for (const code of codes) expect(statusOf(code)).toBe(statusOf(code, 'payload'));
  });

  test('every code has one', () => {
    for (const code of faultCodes) expect(statusOf(code)).toBeGreaterThanOrEqual(400);
  });
});

describe('E1: the body of a refusal', () => {
  test('lists every fault; the first gives the status', () => {
    const faults = [
      { code: 'PSU_CREDENTIALS_INVALID', text: 'one' },
      { code: 'FORMAT_ERROR', text: 'two', path: 'creditorName', place: 'payload' },
    ] as const;
    expect(faultResponse([...faults], { signature401: false })).toEqual({
      status: 401,
      body: {
        tppMessages: [
          { category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID', text: 'one' },
          { category: 'ERROR', code: 'FORMAT_ERROR', path: 'creditorName', text: 'two' },
        ],
      },
    });
  });

  test.each(['x'.repeat(600), '😀'.repeat(300), `${'x'.repeat(508)}😀😀😀`])('texts are cut to 512: %s', (text) => {
    const [message] = faultResponse([{ code: 'FORBIDDEN', text }], { signature401: false }).body.tppMessages;
    const cut = message?.text ?? '';
    expect(cut.length).toBeLessThanOrEqual(512);
    expect(cut.length).toBeGreaterThan(505);
    expect(cut.isWellFormed()).toBe(true);
    expect(text.startsWith(cut.slice(0, -3))).toBe(true);
  });

  test('a text of 512 is left whole', () => {
    const text = 'x'.repeat(512);
    expect(faultResponse([{ code: 'FORBIDDEN', text }], { signature401: false }).body.tppMessages[0]?.text).toBe(text);
  });
});
