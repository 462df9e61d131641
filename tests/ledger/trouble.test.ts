import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { inspectFile } from '../../engine/ledger/schema.ts';
import { assert } from '../../engine/values/assert.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { paySigned } from '../lab/payments.ts';
import { accounts, nora, productPath } from '../lab/products.ts';
import { startTestBank, type Reply, type TestBank } from '../lab/server.ts';

const now = '2027-03-24T12:00:00.000+01:00';
/** In ms. */
const heartbeat = 50;
let folder: string;
let ledger: string;
let bank: TestBank;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-trouble-'));
  ledger = join(folder, 'ledger.sqlite');
  bank = await startTestBank(now, ['--ledger', ledger], { heartbeat });
});
afterEach(async () => {
  await bank.stop();
  rmSync(folder, { recursive: true, force: true });
});

function initiate(requestId: string = randomUUID()): Promise<Reply> {
  const body = {
    instructedAmount: { amount: '10.00', currency: 'NOK' },
    creditorName: 'Even',
    creditorAccount: accounts.evenNok,
    debtorAccount: accounts.noraNok,
  };
  const headers = { 'x-request-id': requestId, 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
  return bank.signed('POST', `${productPath('domestic')}?allowLogicalDuplicate=true`, { body, headers });
}

const ready = async (): Promise<readonly [number, Reply['body']]> => {
  const { status, body } = await bank.raw('GET', '/ready');
  return [status, body];
};

/** SQLite's own limit of pages: from now on the file is as full as a full disk. */
async function fill(): Promise<void> {
  await bank.bank.ledger.write(async (tx) => {
    await sql`create table if not exists filler (bytes blob)`.execute(tx);
    await sql`drop table filler`.execute(tx);
    // What is free goes first.
    const { rows } = await sql<{ freelist_count: number }>`pragma freelist_count`.execute(tx);
    await sql`create table filler (bytes blob)`.execute(tx);
    await sql.raw(`insert into filler values (zeroblob(${(rows[0]?.freelist_count ?? 0) * 8_192}))`).execute(tx);
    await sql`pragma max_page_count = 1`.execute(tx);
  });
}
async function makeRoom(): Promise<void> {
  await bank.bank.ledger.write(async (tx) => {
    await sql`pragma max_page_count = 1000000`.execute(tx);
    await sql`drop table filler`.execute(tx);
  });
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Until a heartbeat has found what is wrong, by the ledger itself: a request might find it. */
async function untilTrouble(): Promise<void> {
  while (bank.bank.ledger.trouble() === null) await later(5);
}

describe('a full disk', () => {
  test('E2b: is a told 503 in each form, says so at /ready as long as it lasts, and ends without a restart', async () => {
    await bank.control('POST', '/sandbox/snapshots', { name: 'before' });
    await fill();
    let refused: Reply | null = null;
    const ids: string[] = [];
    for (let index = 0; index < 400 && refused === null; index += 1) {
      const id = randomUUID();
      const answer = await initiate(id);
      ids.push(id);
      if (answer.status !== 201) refused = answer;
    }
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.body.tppMessages).toEqual([
      { category: 'ERROR', code: 'SYSTEM_ERROR', text: expect.stringContaining('there is no room on the disk') },
    ]);
    expect(refused?.body.tppMessages[0].text).toContain('the same X-Request-ID');
    expect(await ready()).toEqual([503, { status: 'unwritable', detail: 'there is no room on the disk' }]);
    await later(600);
    expect((await ready())[0]).toBe(503);
    // Reading goes on.
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
    await makeRoom();
    await later(600);
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    // "Perhaps": the same id settles it, once.
    const again = await initiate(ids.at(-1));
    expect(again.status).toBe(201);
    expect((await initiate(ids.at(-1))).body.paymentId).toBe(again.body.paymentId);
    const { rows } = await bank.bank.ledger.read((reader) =>
      sql<{ n: number }>`select count(*) as n from payment`.execute(reader),
    );
    expect(rows[0]?.n).toBe(ids.length);
  }, 30_000);

  test('the control plane answers a 503 problem', async () => {
    await fill();
    let answer = await bank.control('POST', '/sandbox/consents', {});
    for (let index = 0; index < 400 && answer.status !== 503; index += 1) {
      answer = await bank.control('POST', `/sandbox/certificates/${index}${'9'.repeat(30)}/block`, {});
    }
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, expect.stringContaining('problem+json')]);
    expect(answer.body).toMatchObject({
      status: 503,
      code: 'SYSTEM_ERROR',
      detail: expect.stringContaining('no room'),
    });
    await makeRoom();
  }, 30_000);
});

describe('the file is taken away', () => {
  test('changes are refused after the next heartbeat, reads go on, and putting it back ends it', async () => {
    expect((await initiate()).status).toBe(201);
    renameSync(ledger, `${ledger}.away`);
    await untilTrouble();
    const refused = await initiate();
    expect([refused.status, refused.body.tppMessages[0].code]).toEqual([503, 'SYSTEM_ERROR']);
    expect(refused.body.tppMessages[0].text).toContain('taken away');
    expect(await ready()).toEqual([503, { status: 'missing', detail: 'the file of its ledger was taken away' }]);
    expect((await bank.control('GET', '/sandbox/clock')).status).toBe(200);
    expect((await bank.advance({ runs: 1 })).status).toBe(503);
    renameSync(`${ledger}.away`, ledger);
    expect((await ready())[0]).toBe(200);
    expect((await initiate()).status).toBe(201);
  }, 20_000);

  test('its log alone too', async () => {
    renameSync(`${ledger}-wal`, join(folder, 'away'));
    await untilTrouble();
    expect((await initiate()).status).toBe(503);
    renameSync(join(folder, 'away'), `${ledger}-wal`);
    expect((await ready())[0]).toBe(200);
  }, 20_000);

  test('our own restore, reset and snapshots are none', async () => {
    for (let round = 0; round < 3; round += 1) {
      await bank.control('POST', '/sandbox/snapshots', { name: 'here' });
      expect((await bank.control('POST', '/sandbox/snapshots/here/restore')).status).toBe(200);
      await bank.bank.ledger.check();
      expect(await ready()).toEqual([200, { status: 'ready' }]);
      expect((await bank.reset()).status).toBe(200);
      await bank.bank.ledger.check();
      expect((await initiate()).status).toBe(201);
    }
  }, 20_000);

  test('a reset puts the known state in its place', async () => {
    rmSync(ledger);
    await untilTrouble();
    expect((await ready())[1].status).toBe('missing');
    expect((await bank.reset()).status).toBe(200);
    expect((await ready())[0]).toBe(200);
    expect((await initiate()).status).toBe(201);
    expect(readdirSync(folder)).toContain('ledger.sqlite');
  }, 20_000);
});

describe('K1b: a broken invariant in a writing transaction', () => {
  const breakBooks = (): Promise<unknown> =>
    bank.bank.ledger
      .write(() => {
        assert(1 + 1 === 3, 'two and two are five');
        return Promise.resolve();
      })
      .catch((error: unknown) => error);

  test('ends changes and settling, and /ready says why; reads and advance go on, a reset lifts it', async () => {
    expect(String(await breakBooks())).toContain('invariant broken');
    expect(await ready()).toEqual([503, { status: 'broken', detail: 'invariant broken: two and two are five' }]);
    const refused = await initiate();
    expect([refused.status, refused.body.tppMessages[0].text]).toEqual([503, expect.stringContaining('two and two')]);
    expect((await bank.control('POST', '/sandbox/certificates/12345/block')).status).toBe(503);
    expect((await bank.control('GET', '/sandbox/ledger/proof')).status).toBe(200);
    expect((await bank.advance({ runs: 1 })).status).toBe(200);
    expect((await ready())[0]).toBe(503);
    expect((await bank.reset()).status).toBe(200);
    expect(await ready()).toEqual([200, { status: 'ready' }]);
    expect((await initiate()).status).toBe(201);
  });

  test('in a read it is a bug of that call alone', async () => {
    const read = bank.bank.ledger.read(() => {
      assert(1 + 1 === 3, 'two and two are five');
      return Promise.resolve();
    });
    await expect(read).rejects.toThrow('invariant broken');
    expect((await ready())[0]).toBe(200);
  });
});

test('a run that fails at the alarm ends settling and changes, and /ready names it; a reset lifts it', async () => {
  await paySigned(bank.bank, { from: 'nora', to: 'even', amount: '5.00' }, localDate('2027-03-24'));
  await bank.bank.ledger.write(async (tx) => {
    await sql`create trigger broken after insert on attempt begin select raise(abort, 'no attempts today'); end`.execute(
      tx,
    );
  });
  await bank.control('PUT', '/sandbox/clock', { mode: 'running', rate: 86_400 });
  await untilTrouble();
  const [status, body] = await ready();
  expect([status, body.status]).toEqual([503, 'broken']);
  expect(body.detail).toMatch(/run 2027-03-24\/\d .*failed: .*no attempts today/);
  expect((await initiate()).status).toBe(503);
  expect((await bank.reset()).status).toBe(200);
  expect((await ready())[0]).toBe(200);
}, 20_000);

describe('a check beside the use of the ledger', () => {
  /** Begins a check that ends with its signal only, and then finds damage; returns how often it began and ended. */
  const hang = (): { begun: number; ended: number } => {
    const counted = { begun: 0, ended: 0 };
    const look = (ending: AbortSignal): Promise<string> => {
      counted.begun += 1;
      return new Promise((resolve) =>
        ending.addEventListener('abort', () => {
          counted.ended += 1;
          resolve('found too late');
        }),
      );
    };
    void bank.bank.ledger.inspect(look);
    return counted;
  };

  test('finds damage: changes are refused, reads and a reset go on, and /ready says what it is', async () => {
    await bank.bank.ledger.inspect(() => Promise.resolve('the page 7'));
    expect(await ready()).toEqual([503, { status: 'broken', detail: 'its ledger is damaged: the page 7' }]);
    expect((await initiate()).status).toBe(503);
    expect((await bank.control('GET', '/sandbox/payments')).status).toBe(200);
    expect((await bank.reset()).status).toBe(200);
    expect([(await ready())[0], (await initiate()).status]).toEqual([200, 201]);
  });

  test('reads one state of the books, whatever is written meanwhile', async () => {
    const file = await inspectFile(ledger, 'all');
    const payments = async (): Promise<unknown> => {
      const { rows } = await sql`select count(*) as count from payment`.execute(file.reader);
      return rows;
    };
    const before = await payments();
    expect((await initiate()).status).toBe(201);
    expect(await payments()).toEqual(before);
    file.close();
  });

  test('whose look fails finds nothing, and says so', async () => {
    await expect(bank.bank.ledger.inspect(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
    expect((await ready())[0]).toBe(200);
  });

  test.each(['a reset', 'another known state', 'a restore', 'a move taken back', 'a stop'])(
    '%s ends it, and what it finds then is forgotten',
    async (what) => {
      const { ledger: open } = bank.bank;
      await bank.control('POST', '/sandbox/snapshots', { name: 'before' });
      const counted = hang();
      if (what === 'a reset') await bank.reset();
      else if (what === 'another known state') await bank.control('POST', '/sandbox/reset', { now: '2027-04-01' });
      else if (what === 'a restore') await bank.control('POST', '/sandbox/snapshots/before/restore');
      else if (what === 'a move taken back') {
        const { bytes } = await open.image(() => Promise.resolve(null));
        await open.restoreImage(bytes, () => Promise.resolve());
      } else await bank.stop();
      expect([counted, open.trouble()]).toEqual([{ begun: 1, ended: 1 }, null]);
    },
  );

  test('goes on anew when a restore fails', async () => {
    const counted = hang();
    const { ledger: open } = bank.bank;
    const refused = open.restoreImage(Buffer.from('no database'), () => Promise.resolve());
    await expect(refused).rejects.toThrow();
    expect(counted).toEqual({ begun: 2, ended: 1 });
  });
});
