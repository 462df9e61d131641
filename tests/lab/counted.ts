import { setTimeout } from 'node:timers/promises';
import { type Campaign, demand } from '../campaigns/campaign.ts';

/** A campaign for tests of campaigns. Parts of two units; the later its seed, the sooner a part ends. From seed 14 on each breaks a promise. */
export const counted: Campaign = async (search) => {
  let { seed } = search;
  await search.inParts(2, async (units) => {
    await setTimeout(Math.max(0, 20 - seed) * 20);
    search.tally(`begun with ${seed % 4}`, units);
    demand(seed < 14, `seed ${seed}`);
    seed += units;
  });
};
