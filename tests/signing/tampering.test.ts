import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Refusal } from '../../engine/values/fault.ts';
import { body, call, headerOf, judge, signedHeaders, withHeader, withSignature } from './signed-call.ts';
import type { HeaderList } from './signed-call.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/sample.ts';

const good = signedHeaders();

describe('nothing can be changed', () => {
  const covered = ['Date', 'Digest', 'X-Request-ID', 'PSU-ID', 'TPP-Redirect-URI'];
  const otherCharacter = (text: string, at: number) => (text[at % text.length] === 'x' ? 'y' : 'x');
  const changeAt = (text: string, at: number) =>
    text.slice(0, at % text.length) + otherCharacter(text, at) + text.slice((at % text.length) + 1);

  test('G4: any character of any covered header', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...covered), fc.nat(200), async (name, at) => {
        await expect(judge(call(withHeader(good, name, changeAt(headerOf(good, name), at))))).rejects.toThrow(Refusal);
      }),
    );
  });

  test('G4: any bit of the body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(body);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        await expect(judge(call(good, { body: changed }))).rejects.toThrow(/^FORMAT_ERROR: The Digest does not match/);
      }),
    );
  });

  test('G5: any bit of the signature value', async () => {
    const value = Buffer.from(/signature="([^"]*)"/.exec(headerOf(good, 'Signature'))?.[1] ?? '', 'base64');
    await fc.assert(
      fc.asyncProperty(fc.nat(value.length - 1), fc.nat(7), async (at, bit) => {
        const changed = Buffer.from(value);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        const headers = withSignature(good, (text) =>
          text.replace(/signature="[^"]*"/, `signature="${changed.toString('base64')}"`),
        );
        await expect(judge(call(headers))).rejects.toThrow(/^SIGNATURE_INVALID: The signature does not fit/);
      }),
    );
  });

  test('interface, TPP authentication 6: G4: taking away any covered header', async () => {
    for (const name of covered) {
      await expect(judge(call(withHeader(good, name, null)))).rejects.toThrow(Refusal);
    }
  });

  test('G1: any headers at all end in a TPP or a Refusal', async () => {
    const names = fc.constantFrom(...covered, 'Signature', 'TPP-Signature-Certificate', 'Host');
    const lists = fc.array(fc.tuple(names, anyText()), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lists, fc.boolean(), async (list, keep) => {
        try {
          await judge(
            call(keep ? list.reduce<HeaderList>((all, [name, value]) => withHeader(all, name, value), good) : list),
          );
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
