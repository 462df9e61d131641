/** Campaigns by name. `NAME.ts` exports NAME; it is loaded when it runs. */
export const campaigns: Readonly<Record<string, string>> = {
  kill: 'kill -9 during everything that writes',
  faults: 'the disk fails once, anywhere',
  retries: 'clients that send again while answers break',
  fuzz: 'requests of any kind; bodies too large, slow, or broken',
  signatures: 'signatures, valid and mutated',
  years: 'simulated years under all profiles, against an auditor',
  alarm: 'five settlement times in five minutes, by node-cron beside a hurried heartbeat',
  clock: 'jumps of the wall clock, restarts',
  reader: 'a reader of account information, as usual and under the quirks of each profile',
  forecasts: 'banks of all kinds and quirks, forecast and then advanced',
  document: 'the document under quirks: answers and requests of banks against what they serve',
  life: 'lives of all personas, by any steps of the clock',
  drift: 'recordings of Sandbank, judged by its own documents',
};
