import { expect, test } from '@jest/globals';
import { fuzz } from '../../campaigns/fuzz.ts';
import { runCampaign } from '../../campaigns/campaign.ts';

test('no request makes the bank fail, refuse without the right form, or get its books wrong', async () => {
  const report = await runCampaign(fuzz, { seed: 20270330, count: 400 });
  expect(report).toMatchObject({ seed: 20270330, violation: null, done: 400 });
}, 60_000);

test.each([
  ['a failure', { status: 500 }],
  ['no tppMessages', { status: 400, headers: new Headers({ 'content-type': 'application/json' }), text: '{}' }],
  ['no JSON', { status: 404, headers: new Headers({ 'content-type': 'text/plain' }), text: 'Cannot GET' }],
])(
  'the campaign finds %s',
  async (what, changes) => {
    const change: Parameters<typeof fuzz.run>[1] = (answer) =>
      answer.status >= 400 ? { ...answer, ...changes } : answer;
    const report = await runCampaign(fuzz, { seed: 1, count: 100, change });
    expect(report.violation).toContain(what);
  },
  60_000,
);
