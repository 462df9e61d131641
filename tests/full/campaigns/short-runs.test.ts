import { randomInt } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import type { ApiDocument } from '../../../api/openapi/document.ts';
import { createSignatureCheck } from '../../../api/signing/signature-check.ts';
import { type Disk, systemDisk } from '../../../engine/ledger/ledger-files.ts';
import { noQuirks } from '../../../engine/bank/rules/quirk.ts';
import { Refusal } from '../../../engine/values/fault.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import { document } from '../../campaigns/document.ts';
import { drift } from '../../campaigns/drift.ts';
import { faults } from '../../campaigns/faults.ts';
import { fuzz } from '../../campaigns/fuzz.ts';
import { kill } from '../../campaigns/kill.ts';
import { campaigns } from '../../campaigns/list.ts';
import { retries } from '../../campaigns/retries.ts';
import { signatures } from '../../campaigns/signatures.ts';
import { harm } from '../../lab/rows.ts';
import { finds, findsNothing } from '../../lab/short-run.ts';
import '../../support/program.ts';

/* Each campaign finds nothing in a run of the counts of `npm run campaigns -- --quick`, and finds the harm that a test does. */

describe('kill', () => {
  const seed = 1;
  test(`R8, T4: what kill -9 interrupts is whole or not there, and what was answered stays (seed ${seed})`, async () => {
    const { violation, done } = await runCampaign(kill, { seed, count: campaigns.kill.quick });
    expect(violation).toBeNull();
    expect(done).toBeGreaterThanOrEqual(campaigns.kill.quick);
  }, 60_000);
  const inFile = (statement: string) => (ledger: string) => {
    const file = new BetterSqlite3(ledger);
    file.pragma('foreign_keys = off');
    file.exec(statement);
    file.close();
  };
  /** The bank itself finds what contradicts itself when it starts: these go with every row that refers to them. */
  const lostPayments = [
    ...['status_change', 'payment_initiation', 'credit_transfer', 'first_answer', 'sca', 'signature', 'execution'],
    ...['bulk_payment', 'standing_order', 'foreign_transfer'],
  ]
    .map((table) => `delete from ${table} where payment_id in (select id from payment where status = 'RCVD')`)
    .concat(`delete from payment where status = 'RCVD'`)
    .join(';');
  const øre = 'update account set balance_minor = balance_minor + 1 where id = 1';
  finds(kill, { seed: 1, count: 20 }, [
    [
      'a kill that loses payments with all that is theirs',
      inFile(lostPayments),
      /payments\/enc!!.* 404 instead of 200/,
    ],
    ['a kill that changes a balance', inFile(øre), /does not start.* carries/],
  ]);
});

describe('faults', () => {
  const seed = randomInt(1_000_000_000);
  test(`E2b: the disk fails once at each place, and nothing is lost, doubled or left behind (seed ${seed})`, async () => {
    const report = await runCampaign(faults, { seed, count: campaigns.faults.quick });
    expect([seed, report.violation]).toEqual([seed, null]);
    expect(report.done + (report.tallies['server: left out, there is no strace'] ?? 0)).toBe(campaigns.faults.quick);
  }, 60_000);
  const remove: Disk['remove'] = (path) => (/partial|next/.test(path) ? Promise.resolve() : systemDisk.remove(path));
  const rename = (): Promise<void> => Promise.resolve();
  finds(faults, { seed: 7, count: 80 }, [
    ['a disk that leaves half-made copies', { ...systemDisk, remove }, /left behind/],
    [
      'a disk that says that it renamed, and did not',
      { ...systemDisk, rename },
      /left behind|acknowledged|answered|second try/,
    ],
  ]);
});

describe('retries', () => {
  findsNothing(
    'P9, E6c: 30 clients whose answers break or are late send again: no payment twice, none lost',
    retries,
    { seed: 30, count: campaigns.retries.quick },
    (tallies) =>
      expect(Object.keys(tallies)).toEqual(['201', '500', '503', 'cut', 'nothing'].map((got) => `answer: ${got}`)),
  );
  const øre = harm('update credit_transfer set amount_minor = amount_minor + 1');
  finds(retries, { seed: 30, count: 60 }, [
    ['a bank that forgets its first answers', harm('delete from first_answer'), /twice|another payment/],
    ['a bank that books an amount of an øre more', øre, /lost|has paid/],
  ]);
});

describe('fuzz', () => {
  findsNothing('C2: no request makes the bank fail, refuse without the right form, or get its books wrong', fuzz, {
    seed: 20270330,
    count: campaigns.fuzz.quick,
  });
  const refused =
    (changes: object): NonNullable<Parameters<typeof fuzz>[1]> =>
    (answer) =>
      answer.status >= 400 ? { ...answer, ...changes } : answer;
  const empty = { status: 400, headers: new Headers({ 'content-type': 'application/json' }), text: '{}' };
  const text = { status: 404, headers: new Headers({ 'content-type': 'text/plain' }), text: 'Cannot GET' };
  finds(fuzz, { seed: 1, count: 100 }, [
    ['a failure', refused({ status: 500 }), /a failure/],
    ['no tppMessages', refused(empty), /no tppMessages/],
    ['no JSON', refused(text), /no JSON/],
  ]);
});

describe('signatures', () => {
  findsNothing(
    'G3-G5, G10: no mutated request is let in, none that is only spelled differently is refused',
    signatures,
    { seed: 20270330, count: campaigns.signatures.quick },
    (tallies) => {
      expect(tallies['none: accepted']).toBeGreaterThan(20);
      expect(tallies['generated and valid: accepted, without a leniency']).toBe(91);
    },
  );
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
  const unlisted: typeof createSignatureCheck = (options) => createSignatureCheck({ ...options, isStrict: false });
  /** A check that refuses headers of this text. */
  const refusing =
    (text: string, code: 'FORMAT_ERROR' | 'SIGNATURE_INVALID'): typeof createSignatureCheck =>
    (options) => {
      const check = createSignatureCheck(options);
      return (request, ...others) => {
        if (request.rawHeaders.join().includes(text)) throw new Refusal({ code, text });
        return check(request, ...others);
      };
    };
  finds(signatures, { seed: 1, count: 2_000 }, [
    ['a check that lets a wrong signature pass', lax, /^accepted with trust/],
    ['a leniency that is not listed (G3b)', unlisted, /^accepted under strict-signing/],
    ['a check that refuses a valid request', refusing('SHA-512=', 'FORMAT_ERROR'), /^refused, and it is valid/],
    ['a check that refuses another spelling', refusing('SN=0', 'SIGNATURE_INVALID'), /^refused with trust/],
  ]);
});

describe('document', () => {
  const without = (title: string, member: string) => (served: ApiDocument) =>
    JSON.parse(JSON.stringify(served), (name, value) => {
      if (name === title) Reflect.deleteProperty(value.properties ?? {}, member);
      return value;
    }) as ApiDocument;
  const shortIban = (served: ApiDocument) =>
    JSON.parse(JSON.stringify(served), (name, value) => (name === 'Iban' ? { ...value, maxLength: 34 } : value));
  findsNothing(
    'E10: what banks under profiles and quirks answer and take fits the document that they serve',
    document,
    { seed: randomInt(1_000_000_000), count: campaigns.document.quick },
    (tallies) => {
      expect(tallies['taken']).toBeGreaterThan(60);
      expect(tallies['refused by the document']).toBeGreaterThan(5);
    },
  );
  finds(document, { seed: 3, count: 1 }, [
    ['a member of answers that the document lacks', without('PaymentStatus', 'paymentId'), /additional properties/],
    [
      'a member of requests that the document lacks',
      without('SepaCreditTransferInitiation', 'creditorName'),
      /taken, but/,
    ],
    ['P5d: a bound of an IBAN that does not count its blanks', shortIban, /taken, but .* must NOT have more than 34/],
  ]);
});

describe('drift', () => {
  findsNothing('recordings of Sandbank show no difference', drift, { seed: 5, count: campaigns.drift.quick });
  finds(drift, { seed: 1, count: 200 }, [['recordings that are judged without their quirks', noQuirks, /"kind":/]]);
});
