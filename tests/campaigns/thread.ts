import { parentPort, workerData } from 'node:worker_threads';
import { campaignIn, runCampaign } from './campaign.ts';

/* A thread of onThreads: each message is a part, and is answered with its report. */
const campaign = await campaignIn(new URL(workerData.file), workerData.name);
async function answer(part: { readonly seed: number; readonly count: number }): Promise<void> {
  parentPort?.postMessage(await runCampaign(campaign, part));
}
parentPort?.on('message', (part) => void answer(part));
