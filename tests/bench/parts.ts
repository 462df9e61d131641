/** Parts of the bench by name, in the order in which they are measured: `NAME.ts` beside this file, loaded then. */
export const parts: Readonly<Record<string, string>> = {
  settlement: 'settlement runs and standing orders, beside a hand-written loop',
  waiting: 'the wait of other requests while a run settles',
  'time-machine': 'resets and restores',
  copies: 'copies of saved banks, and the memory of 200 that are open',
  forecast: 'forecasts with lives, over a long history, and of many payments',
  initiation: 'signed initiations, beside a hand-written server, and beside refused ones',
  reading: 'signed reads of an account, beside a hand-written server',
  'first-view': 'pages of the console with 10,000 payments',
  document: 'the API document, built and kept',
  drift: 'processor time of recordings that are judged',
  costs: 'source files that an initiation executes',
  'long-life': 'start and settlement runs after a long history, beside a short one',
  lives: 'openings of a known past, many accounts with a year, a year lived on',
  start: 'start, memory and createBank of the package',
  hearing: 'processor time of a suite that a gauntlet hears, beside the suite alone',
  gauntlet: 'the gauntlet over a suite of five seconds',
};
