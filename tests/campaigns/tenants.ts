import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { BankClient, bearer, hostToken, type Reply } from '../lab/server.ts';
import { anyOf, type Campaign, demand, type Soak } from './campaign.ts';
import { expectStatus, headersOf, told, UnderWay } from './kill-promises.ts';
import { KilledServer } from './killed-server.ts';

/** Teams that a round works with. */
const perRound = 4;
/** Size of the disk of the banks, where one can be mounted. */
const diskMegabytes = 128;

interface Payment {
  readonly requestId: string;
  readonly body: object;
  /** Null: its answer did not come. */
  id: string | null;
}

/** A team with a bank, and what the answers of the server have promised it. */
class Team {
  readonly name: string;
  state: 'there' | 'gone' | 'either' = 'gone';
  /** Opens the bank; null: revoked, or an answer about it did not come. */
  token: string | null = null;
  /** Tokens that open nothing any more, the newest last. */
  readonly dead: string[] = [];
  payments: Payment[] = [];
  /** A certificate that its CA has issued; null: none. */
  certificate: { readonly certificatePem: string; readonly keyPem: string } | null = null;

  constructor(name: string) {
    this.name = name;
  }

  /** Its bank is about to be made. */
  begin(): void {
    this.state = 'either';
    this.payments = [];
    this.certificate = null;
    this.lose();
  }

  /** What its token was opens nothing any more. */
  lose(): void {
    if (this.token !== null) this.dead.push(this.token);
    this.token = null;
  }
}

/** A small disk of its own for a folder, which can be full; null: none can be mounted here. */
function smallDisk(soak: Soak): { readonly folder: string; fill(): void; free(): void } | null {
  const folder = soak.folder();
  const mount = ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'sandbank', folder];
  if (spawnSync('mount', mount).status !== 0) return null;
  soak.after(() => spawnSync('umount', ['-l', folder]));
  const filler = join(folder, 'filler');
  const fill = (): void => {
    // Until nothing more fits.
    for (const bytes of [1024 * 1024, 4096])
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        continue;
      }
  };
  return { folder, fill, free: () => rmSync(filler, { force: true }) };
}

/** What a test changes: fewer teams, and harm to their folder between each kill and the next start. */
interface Change {
  readonly teams: number;
  readonly harm?: (folder: string) => void;
}

/**
 * A hosted server of teams: tokens are issued and revoked, banks made and removed, payments sent again, certificates issued, the disk is full
 * at times, and `kill -9`. What was answered stays, a revoked token opens nothing, and no file is half.
 */
export const tenants: Campaign<Change> = { unit: 'kills', usualCount: 300, run };

async function run(soak: Soak, { teams: count, harm }: Change = { teams: 12 }): Promise<void> {
  const { random, tally } = soak;
  const disk = smallDisk(soak);
  tally('banks on a disk that can be full', disk === null ? 0 : 1);
  const folder = disk?.folder ?? soak.folder();
  const banks = join(folder, 'banks');
  const flags = ['--banks', banks, '--open-banks', '6', '--control-token', hostToken, '--trust-proxy', '1'];
  const start = (): Promise<KilledServer> => KilledServer.start(soak, join(soak.folder(), 'root.sqlite'), flags);
  const teams = Array.from({ length: count }, (_, index) => new Team(`team-${index}`));
  let isFull = false;
  let paid = 0;
  let asked = 0;
  let server = await start();

  /** Each call comes from another address: wrong tokens lock one out (C4). */
  const call = (token: string, method: string, path: string, body?: object, more: object = {}): Promise<Reply> => {
    const from = `10.${[16, 8, 0].map((shift) => ((asked += 1) >> shift) & 255).join('.')}`;
    const headers = { ...bearer(token), 'x-forwarded-for': from, 'content-type': 'application/json' };
    return server.raw(method, path, { ...headers, ...more }, body && Buffer.from(JSON.stringify(body)));
  };
  const host = (method: string, path: string, body?: object) => call(hostToken, method, path, body);
  /** Called at each answer. */
  let heard = (): void => undefined;
  /** The answer; null if the server was killed before it, or had no room. */
  const answered = async (sent: Promise<Reply>): Promise<Reply | null> => {
    const reply = await sent.catch(() => null);
    heard();
    if (reply === null || reply.status < 500) return reply;
    demand(isFull && reply.status === 503, () => `an answer of ${told(reply)}`);
    tally('answers of a full disk');
    return null;
  };
  const pay = (team: Team, token: string, { requestId, body }: Payment): Promise<Reply> => {
    return call(token, 'POST', `/banks/${team.name}/sandbox/as/shop${singlePath}`, body, headersOf(requestId));
  };

  const moves: Readonly<Record<string, (team: Team) => Promise<unknown>>> = {
    make: async (team) => {
      team.begin();
      const reply = await answered(host('PUT', `/sandbox/banks/${team.name}`, { mode: 'frozen' }));
      if (reply === null) return;
      demand(reply.status === 201, () => `a new bank is refused: ${told(reply)}`);
      team.state = 'there';
      team.token = String(reply.body.token);
    },
    remove: async (team) => {
      team.state = 'either';
      const reply = await answered(host('DELETE', `/sandbox/banks/${team.name}`));
      demand(reply === null || reply.status === 200, () => `a removal is refused: ${told(reply)}`);
      if (reply === null) return;
      team.state = 'gone';
      team.lose();
    },
    'new token': async (team) => {
      const before = team.token;
      team.token = null;
      const reply = await answered(host('POST', `/sandbox/banks/${team.name}/token`));
      if (reply === null) return;
      if (before !== null) team.dead.push(before);
      team.token = String(reply.body.token);
    },
    'token revoked': async (team) => {
      const before = team.token;
      team.token = null;
      const reply = await answered(host('DELETE', `/sandbox/banks/${team.name}/token`));
      if (reply !== null && before !== null) team.dead.push(before);
    },
    certificate: async (team) => {
      const body = { name: 'shop', roles: ['PSP_PI', 'PSP_AI'] };
      const reply = await answered(call(team.token ?? '', 'POST', `/banks/${team.name}/sandbox/certificates`, body));
      if (reply?.status === 200)
        team.certificate = { certificatePem: String(reply.body.certificate), keyPem: String(reply.body.key) };
    },
    payments: async (team) => {
      const token = team.token ?? '';
      const all = Array.from({ length: 1 + random.below(4) }, (): Payment => {
        const amount = { amount: (1 + (paid += 1) / 100).toFixed(2), currency: 'NOK' };
        return { requestId: randomUUID(), body: singlePayment({ instructedAmount: amount }), id: null };
      });
      team.payments.push(...all);
      await Promise.all(
        all.map(async (each) => {
          const reply = await answered(pay(team, token, each));
          demand(reply === null || reply.status === 201, () => `a payment is refused: ${told(reply)}`);
          if (reply !== null) each.id = String(reply.body.paymentId);
        }),
      );
    },
  };
  /** What a team does until the kill: one call after the other, so that each knows what the one before has promised. */
  const work = async (team: Team): Promise<void> => {
    for (let step = 0; step < 6; step += 1) {
      if (team.state === 'either') return;
      const can = team.token === null ? ['new token'] : [...Object.keys(moves).slice(1), 'payments', 'payments'];
      const name = team.state === 'gone' ? 'make' : (anyOf(random, can) ?? '');
      tally(name);
      await moves[name]?.(team);
      if (team.token === null && name !== 'token revoked') return;
    }
  };

  /** Checks that the bank of a team is as it was promised; what it is now is promised from then on. */
  const hold = async (team: Team): Promise<void> => {
    const { name, state } = team;
    const clock = (token: string) => call(token, 'GET', `/banks/${name}/sandbox/clock`);
    const found = (await host('GET', `/banks/${name}/sandbox/clock`)).status === 200 ? 'there' : 'gone';
    demand(state === 'either' || state === found, () => `the bank ${name} is ${state} by an answer, and ${found}`);
    team.state = found;
    for (const dead of team.dead.slice(-5)) {
      tally('revoked tokens tried');
      expectStatus(await clock(dead), 401, `a revoked token of ${name}`);
    }
    if (found === 'gone') return team.lose();
    if (team.token !== null) expectStatus(await clock(team.token), 200, `the token of ${name}`);
    team.token ??= String(expectStatus(await host('POST', `/sandbox/banks/${name}/token`), 200, 'a token').body.token);
    const { token } = team;
    for (const payment of team.payments) {
      if (payment.id !== null) continue;
      tally('payments sent again');
      const [first, second] = [await pay(team, token, payment), await pay(team, token, payment)];
      expectStatus(first, 201, 'a payment that is sent again');
      demand(first.body.paymentId === second.body.paymentId, `a payment of ${name} was carried out twice`);
      payment.id = String(first.body.paymentId);
    }
    const list = await call(token, 'GET', `/banks/${name}/sandbox/payments?limit=500`);
    const ids = new Set((list.body.payments as { paymentId: string }[]).map(({ paymentId }) => paymentId));
    const lost = team.payments.find(({ id }) => !ids.has(id ?? ''));
    demand(lost === undefined, () => `the payment ${lost?.id} of ${name} is lost`);
    demand(
      list.body.total === team.payments.length,
      () => `${name} has ${list.body.total} payments, not ${team.payments.length}`,
    );
    const { certificate } = team;
    if (certificate === null) return;
    const signed = new BankClient(server.address).signedParts('GET', `/banks/${name}/v1/sandbox/customers`, {
      certificate: { ...certificate } as never,
    });
    const { status } = await server.raw('GET', `/banks/${name}/v1/sandbox/customers`, signed.headers);
    demand(status === 200, `a certificate of the CA of ${name} gets ${status}`);
  };

  await soak.each(async (index) => {
    const chosen = [...new Set(Array.from({ length: perRound }, () => random.pick(teams)))];
    isFull = disk !== null && index % 4 === 1;
    if (isFull) disk?.fill();
    const sent = new UnderWay();
    const first = new Promise<void>((resolve) => (heard = resolve));
    for (const team of chosen) sent.send(work(team));
    // On a busy machine a kill before the first answer would be the usual one.
    if (random.below(8) > 0) await first;
    await sent.kill(soak, random.below(500), () => server.kill());
    disk?.free();
    isFull = false;
    demandWhole(banks);
    // What was removed stays for a day, and would fill the disk.
    rmSync(join(banks, 'removed'), { recursive: true, force: true });
    harm?.(banks);
    server = await start();
    for (const team of index % 20 === 19 ? teams : chosen) await hold(team);
  });
  for (const team of teams) await hold(team);
  await server.kill();
}

/** Demands that no file in its place is empty or cut. */
function demandWhole(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.json'))
      try {
        JSON.parse(readFileSync(path, 'utf8'));
      } catch {
        demand(false, `${name} is half: ${statSync(path).size} bytes`);
      }
  }
}
