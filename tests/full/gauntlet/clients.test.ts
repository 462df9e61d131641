import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { GauntletReport } from '../../../api/harness/types/gauntlet.ts';
import { gauntlet } from '../../gauntlet/suites.ts';
import { isWhole, oneOf, sameSample, someOf } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { builtDist } from '../package/built.ts';

/* Three clients, written by docs/gauntlet.md and docs/habits.md, each with mistakes that a bank which follows the document does not show. */

const folder = tempFolder();
// The clients find the package there.
await builtDist();

/** The report of a gauntlet on the suites of clients with these mistakes. A run of the suite tries `only` these trials. */
async function run(
  name: string,
  { mistakes, files, only }: Record<'mistakes' | 'files' | 'only', readonly string[]>,
): Promise<GauntletReport> {
  const report = join(folder, `${name}.json`);
  const suites = files.map((file) => `tests/full/gauntlet/clients/${file}.suite.ts`);
  const { errors } = await gauntlet(
    ['--json', report, ...(isWhole ? [] : ['--only', only.join()])],
    [process.execPath, '--test', '--test-reporter=junit', ...suites],
    {
      PLANTED: mistakes.join(),
    },
  );
  expect(errors).toEqual([]);
  return JSON.parse(readFileSync(report, 'utf8')) as GauntletReport;
}

/** A mistake, the trials of which one names it, and the change that is its cause. */
type Row = readonly [mistake: string, trials: readonly string[], cause: RegExp];

const clients: Readonly<Record<string, readonly Row[]>> = {
  reader: [
    ['keys by transactionId', ['reissued-ids'], /transactions: transactions\.booked\[0\]\.transactionId/],
    ['keeps ids in 29 characters', ['id-lengths'], /GET \/v1\/accounts: accounts\[0\]\.resourceId/],
    ['reads on only by the next link', ['no-next-link'], /transactions: transactions\._links\.next/],
    ['parses each answer as JSON', ['gateway', 'too-many-requests'], /: trial A gateway (?:answers|refuses)/],
    ['refuses unknown members', ['unknown-member'], /bankNote/],
    [
      'takes what has a booking date for booked',
      ['pending-dates'],
      /transactions: transactions\.pending\[0\]\.bookingDate/,
    ],
    ['takes 401 alone for the end of a consent', ['revoked-403'], /: status 403/],
    ['takes each consent for 180 days', ['consent-days'], /: status 401/],
    ['takes a short page for the last', ['limit-cap=2'], /transactions: transactions\.booked/],
    [
      'keeps half when a page fails',
      ['gateway-page', 'closed-page'],
      /transactions: trial .* at the first further page/,
    ],
    ['files by the value date', ['other-value-date'], /transactions: transactions\.booked\[0\]\.valueDate/],
    ['reads on from its last day', ['late-entry'], /transactions: transactions\.booked/],
    ['reckons in floating point', ['odd-amounts'], /transactions: transactions\.booked/],
    ['reckons in kroner', ['odd-amounts'], /transactions: transactions\.booked/],
  ],
  payer: [
    [
      'sends again with a new X-Request-ID',
      ['closed', 'cut'],
      /POST \/v1\/payments\/\S+: trial (?:The first answer|The connection closes)/,
    ],
    ['polls the status once', ['status-lag', 'late-status'], /status: transactionStatus "RCVD"/],
    ['takes the id of an SCA from its path', ['sca-query'], /_links\.scaRedirect\.href/],
    ['takes a payment for lost after five days', ['before-easter'], /POST \/v1\/payments/],
    ['warns of a fee of zero', ['fee-indicator'], /transactionFeeIndicator true/],
    ['keeps the ids of payments in 49 characters', ['id-lengths'], /POST \/v1\/payments\/\S+: paymentId/],
    ['takes ACSC for the end', ['returned'], /transactions: transactions\.booked\[0\]/],
    [
      'has a new X-Request-ID for the third try',
      ['closed-twice', 'cut-twice'],
      /POST \/v1\/payments\/\S+: trial .* at two calls in a row/,
    ],
    ['knows one spelling', ['other-spelling'], /startAuthoris|startAuthoriz/],
    [
      'gives up when a poll fails',
      // A poll that the bank refuses is no call that a fault strikes.
      ['gateway'],
      /status: trial A gateway answers 503 in HTML, at the first call/,
    ],
    ['takes ACCP for a refusal', ['short-at-first', 'status-accp'], /status: transactionStatus "ACCP"/],
    ['has a closed list of statuses', ['status-actc', 'status-acfc'], /status: transactionStatus "AC[TF]C"/],
    ['takes the day of UTC', ['after-midnight'], /POST \/v1\/payments/],
    ['takes a day for 24 hours', ['before-summer-time', 'before-winter-time'], /POST \/v1\/payments/],
    ['gives up after two seconds', ['late'], /trial A call is answered late/],
    [
      'parses each answer as JSON',
      ['gateway', 'too-many-requests'],
      /POST \/v1\/payments\/\S+: trial A gateway (?:answers|refuses)/,
    ],
  ],
  connector: [
    ['takes the last link for the page', ['one-more-link'], /_links\.help/],
    [
      'takes every redirect for a success',
      ['sca-cancelled', 'sca-failed', 'sca-expired'],
      /sca\/\S+: trial The (?:PSU cancels|first SCA)/,
    ],
    ['keeps names in 40 characters', ['long-texts'], /accounts\[0\]\.name/],
    ['reads members by their places', ['member-order'], /GET \/v1\/accounts: answer/],
    ['expects an empty list of cards', ['no-cards-404'], /card-accounts: status 404/],
    ['reads a KID in one form', ['structured-references'], /remittanceInformationStructuredArray/],
    ['finds headers by their exact spelling', ['header-case'], /trial Header names are in capitals/],
    ['compares the whole content type', ['plain-json', 'charset'], /content-type "application\/json/],
    ['does not verify', ['wrong-digest', 'wrong-key'], /^not noticed$/],
    ['verifies the digest alone', ['wrong-key'], /^not noticed$/],
    ['takes each code for one of ISO', ['bank-codes'], /transactions\.booked\[0\]/],
  ],
};

/**
 * A run of the suite takes two mistakes of one client, one of an even and one of an odd place. Who reads on only by the next link never sees a
 * short page, and who polls once has no poll that fails: such two stand both at even or both at odd places, and in different halves.
 */
const drawn = isWhole
  ? Object.entries(clients).flatMap(([client, rows]) =>
      [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)].map((half) => [client, half] as const),
    )
  : oneOf('clients', Object.entries(clients)).map(([client, rows]) => [client, someOf('mistakes', rows, 2)] as const);

describe('GA4: the planted mistakes of three clients are named with their causes', () => {
  let missing = 0;
  test.each(drawn)(
    '%s',
    async (client, rows) => {
      const mistakes = rows.map(([mistake]) => mistake);
      const only = rows.flatMap(([, names]) => names);
      const { trials } = await run(client, { mistakes, files: [client], only });
      const missed = rows.filter(([, names, cause]) => {
        const broken = trials.filter(({ name, verdict }) => {
          return names.includes(name.replace(/@.*/, '')) && (verdict === 'broke' || verdict === 'not noticed');
        });
        return !broken.some(({ tests, change, verdict, sentence }) => {
          if (verdict === 'not noticed') return cause.test(verdict);
          if (change === null) return false;
          const { call, path, after } = change;
          // What a trial does beside the answers is told by its sentence.
          const text = `${call.replace(/\?\S*$/, '')}: ${path} ${after ?? sentence}`;
          return tests.length > 0 && cause.test(text);
        });
      });
      missing += missed.length;
      expect([missed.map(([mistake]) => mistake), sameSample]).toEqual([[], sameSample]);
    },
    600_000,
  );

  test('at least 39 of 41', () => expect(missing).toBeLessThanOrEqual(2));
});

test('GA3: careful clients survive every trial: one of them, and all under SAMPLE=all', async () => {
  const careful = oneOf('careful client', Object.entries(clients));
  const names = careful.flatMap(([, rows]) => rows.flatMap(([, trials]) => trials));
  const only = someOf('careful', [...new Set(names)], 3);
  const { trials } = await run('careful', { mistakes: [], files: careful.map(([client]) => client), only });
  // A careful client notices a forged answer: its suite must fail under it.
  const good = ({ kind }: { readonly kind: string }): string => (kind === 'forged' ? 'noticed' : 'survived');
  expect(trials.filter((trial) => trial.verdict !== good(trial) && trial.verdict !== 'not heard')).toEqual([]);
  const survived = trials.filter((trial) => trial.verdict === good(trial)).length;
  expect(survived).toBeGreaterThan(isWhole ? 45 : 0);
}, 900_000);
