import { expect, test } from '@jest/globals';
import { runCampaign } from '../../campaigns/campaign.ts';
import { signatures } from '../../campaigns/signatures.ts';
import { createSignatureCheck } from '../../../api/signing/signature-check.ts';
import { Refusal } from '../../../engine/values/fault.ts';

test('G3-G5, G10: no mutated request is let in, none that is only spelled differently is refused', async () => {
  const report = await runCampaign(signatures, { seed: 20270330, count: 1_000 });
  expect(report).toMatchObject({ seed: 20270330, violation: null, done: 1_000 });
  expect(report.tallies['none: accepted']).toBeGreaterThan(20);
  expect(report.tallies['generated and valid: accepted, without a leniency']).toBe(91);
}, 60_000);

test('the campaign finds a check that lets a wrong signature pass', async () => {
  const lax: typeof createSignatureCheck = (options) => {
    const check = createSignatureCheck(options);
    return async (...call) => {
      try {
        return await check(...call);
      } catch (error) {
        if (error instanceof Refusal && /does not fit/.test(error.message)) return Object.create(null);
        throw error;
      }
    };
  };
  const report = await runCampaign(signatures, { seed: 1, count: 2_000, change: lax });
  expect(report.violation).toMatch(/^accepted with trust/);
}, 60_000);

test('G3b: the campaign finds a leniency that is not listed', async () => {
  const unlisted: typeof createSignatureCheck = (options) => createSignatureCheck({ ...options, isStrict: false });
  const report = await runCampaign(signatures, { seed: 1, count: 2_000, change: unlisted });
  expect(report.violation).toMatch(/^accepted under strict-signing/);
}, 60_000);

test('the campaign finds a check that refuses a valid request', async () => {
  const strict: typeof createSignatureCheck = (options) => {
    const check = createSignatureCheck(options);
    return (request, ...others) => {
      if (request.rawHeaders.join().includes('SHA-512=')) throw new Refusal({ code: 'FORMAT_ERROR', text: 'SHA-512' });
      return check(request, ...others);
    };
  };
  const report = await runCampaign(signatures, { seed: 1, count: 2_000, change: strict });
  expect(report.violation).toMatch(/^refused, and it is valid/);
}, 60_000);

test('the campaign finds a check that refuses another spelling', async () => {
  const strict: typeof createSignatureCheck = (options) => {
    const check = createSignatureCheck(options);
    return (request, ...others) => {
      const text = request.rawHeaders.join();
      if (text.includes('SN=0')) throw new Refusal({ code: 'SIGNATURE_INVALID', text: 'zeros' });
      return check(request, ...others);
    };
  };
  const report = await runCampaign(signatures, { seed: 1, count: 2_000, change: strict });
  expect(report.violation).toMatch(/^refused with trust/);
}, 60_000);
