/** A campaign, as the command and the page name it. */
export interface Listed {
  readonly tries: string;
  readonly unit: string;
  /** Number of units. */
  readonly count: number;
  /** Number of units of `--quick` and of the tests; 0: it is left out of them. */
  readonly quick: number;
  /** Units that have a seed of their own, the campaign's and the count of those before: such parts run on all cores. */
  readonly part?: number;
}

/** Campaigns by name. `NAME.ts` exports NAME; it is loaded when it runs. */
export const campaigns = {
  years: {
    tries: 'simulated years under all profiles, against an auditor',
    ...{ unit: 'years', count: 5_000, quick: 1, part: 5 },
  },
  clock: { tries: 'jumps of the wall clock, sleeps and restarts', unit: 'jumps', count: 20_000, quick: 60 },
  alarm: { tries: 'runs by node-cron beside a hurried heartbeat', unit: 'runs', count: 20, quick: 0 },
  kill: { tries: '`kill -9` during everything that writes', unit: 'kills', count: 500, quick: 4 },
  faults: { tries: 'the disk fails once, anywhere', unit: 'faults', count: 1_000, quick: 20 },
  retries: { tries: 'clients that send again while answers break', unit: 'sessions', count: 5_000, quick: 30 },
  fuzz: { tries: 'requests of any kind, and bytes that are none', unit: 'requests', count: 500_000, quick: 480 },
  signatures: { tries: 'signatures, valid and mutated', unit: 'requests', count: 200_000, quick: 1_000 },
  reader: { tries: 'a reader of accounts under all profiles', unit: 'days', count: 20_000, quick: 60 },
  forecasts: { tries: 'any bank, foreseen and then lived', unit: 'bank-months', count: 5_000, quick: 12 },
  life: { tries: 'eight lives of each persona, by any steps of the clock', unit: 'years', count: 40, quick: 1 },
  document: { tries: 'banks under quirks, held against the document', unit: 'banks', count: 300, quick: 2 },
  drift: { tries: 'recordings of Sandbank, judged by its documents', unit: 'recordings', count: 1_000, quick: 8 },
} as const satisfies Readonly<Record<string, Listed>>;

export type CampaignName = keyof typeof campaigns;

export const campaignNames = Object.keys(campaigns) as CampaignName[];
