import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import { forAll } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const bank = forAll(
  () => createBank({ now: '2027-03-24T12:00:00+01:00', life: { '34300000012': 'family' } }),
  (own) => own.close(),
);
const folder = tempFolder();

const order = { from: '09232911044', to: '90491105991' };

describe('C31: bank.picture', () => {
  test('an SVG of its own with the payments that were asked for, before and after their run', async () => {
    const file = join(folder, 'easter.svg');
    const easter = await bank.tpp().pay({ ...order, amount: '250.00', on: '2027-03-25' });
    const monthly = await bank.tpp().pay({ ...order, amount: '12.00', on: '2027-03-26', every: 'Monthly' });
    await bank.tpp().pay({ ...order, amount: '99.00' });
    await bank.picture([easter, monthly], file);
    const before = readFileSync(file, 'utf8');
    expect(before).toMatch(/^<svg\s+xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(before).toContain('2 payments will settle');
    expect(before).toContain('>250.00\u00a0NOK<');
    expect(before).not.toContain('>99.00<');
    // The monthly one is due again in April.
    expect(before.match(/class="s f"/g)).toHaveLength(3);
    await bank.clock.advance('2027-03-30T05:30:00+02:00');
    await bank.picture(easter, file);
    const after = readFileSync(file, 'utf8');
    expect(after).toContain('settled 05:30, asked for Thu 25');
    expect(after).not.toMatch(/class="s f"|<script|href=/);
  });

  test.each([
    ['no file', () => bank.picture('enc!!x', undefined as never), 'bank.picture takes the path of a file'],
    ['no payment', () => bank.picture([], join(folder, 'none.svg')), 'bank.picture takes at least one paymentId'],
    ['an unknown payment', () => bank.picture('enc!!x', join(folder, 'none.svg')), 'NOT_FOUND'],
  ])('%s is refused', async (_what, drawn, message) => {
    await expect(drawn()).rejects.toThrow(message);
  });
});
