import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { hosted, tenants } from '../../campaigns/hosted.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import '../../support/program.ts';

const seed = 2;

test(`H: in a server of many banks in files, what was answered outlives kill -9 (seed ${seed})`, async () => {
  const { violation, done } = await runCampaign(hosted, { seed, count: 2, change: { banks: 10 } });
  expect([violation, done]).toEqual([null, 2]);
}, 60_000);

test('the campaign finds a kill that loses a bank', async () => {
  const harm = (folder: string): void => rmSync(join(folder, 'bank-9.sqlite'), { force: true });
  const { violation } = await runCampaign(hosted, { seed, count: 8, change: { banks: 10, harm } });
  expect(violation).toMatch(/bank-9 is there by an answer, and gone/);
}, 60_000);

test(`H Lasting: tokens, removals, payments that are sent again and a full disk outlive kill -9 (seed ${seed})`, async () => {
  const { violation, done } = await runCampaign(tenants, { seed, count: 2, change: { banks: 5 } });
  expect([violation, done]).toEqual([null, 2]);
}, 60_000);

test('the campaign finds a token that a kill takes away', async () => {
  const harm = (folder: string): void => {
    for (const name of readdirSync(folder))
      if (name.endsWith('.credentials.json')) writeFileSync(join(folder, name), '{"tokenKey":null,"ca":null}');
  };
  const { violation } = await runCampaign(tenants, { seed, count: 8, change: { banks: 5, harm } });
  expect(violation).toMatch(/^the token of team-\d: 401 instead of 200/);
}, 60_000);
