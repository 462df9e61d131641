import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { crossTenants } from '../lab/crossings.ts';
import { BankClient, bearer, hostToken, type Reply, type Sent, validCertificate } from '../lab/server.ts';
import { type Campaign, demand, type Soak } from './campaign.ts';
import { drawMove } from './kill-moves.ts';
import { answered, ask, demandProof, expectStatus, KilledServer, Promises, told, UnderWay } from './killed-server.ts';

/** Kills between two crossings of tenants, which take as long as some twenty. */
const betweenCrossings = 50;
/** Size of the disk of teams, where one can be mounted. */
const diskMegabytes = 128;

/** A small disk of its own for a folder, which can be full; null: none can be mounted here. */
function smallDisk(soak: Soak) {
  const folder = soak.folder();
  const mount = ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'sandbank', folder];
  if (spawnSync('mount', mount).status !== 0) return null;
  soak.after(() => spawnSync('umount', ['-l', folder]));
  const filler = join(folder, 'filler');
  const disk = {
    folder,
    isFull: false,
    fill: (): void => {
      disk.isFull = true;
      // Until nothing more fits.
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096']);
    },
    free: (): void => {
      disk.isFull = false;
      rmSync(filler, { force: true });
    },
  };
  return disk;
}

/** What opens a bank of a team. Nothing of it: the bank belongs to nobody. */
interface Keys {
  readonly token?: string | null;
  /** One that its CA has issued. Left out: requests to the interface go through the door. */
  readonly certificate?: IssuedCertificate | undefined;
}

/** Calls of all clients. */
let asked = 0;

/** A client of a hosted server. Some answers are none for it, such as the 503 of a full disk. */
class HostedClient extends BankClient {
  readonly #isNone: (reply: Reply) => boolean;
  readonly #keys: Keys;

  constructor(address: string, isNone: (reply: Reply) => boolean, { token = null, ...keys }: Keys = {}) {
    super(address, token === null ? {} : { ...bearer(token), 'sandbank-control-token': token });
    this.#isNone = isNone;
    this.#keys = { token, ...keys };
  }

  /** The bank of this name, for somebody with these keys. */
  bank(name: string, keys: Keys): HostedClient {
    return new HostedClient(`${this.address}/banks/${name}`, this.#isNone, keys);
  }

  override signed(method: string, target: string, sent: Sent = {}): Promise<Reply> {
    const { token, certificate } = this.#keys;
    if (token === null) return super.signed(method, target, sent);
    if (certificate !== undefined) return super.signed(method, target, { ...sent, certificate });
    const usual = { 'x-accept-fix': 'longer-names', 'tpp-session-id': 'session-1' };
    const headers = { ...usual, ...(sent.headers as Record<string, string>) };
    const body = sent.body === undefined ? undefined : Buffer.from(JSON.stringify(sent.body));
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.raw(method, `/sandbox/as/shop${target}`, { ...headers, ...type }, body);
  }

  /** Each call comes from another address: wrong tokens lock one out (C4). */
  override async raw(...[method, target, headers, body]: Parameters<BankClient['raw']>): Promise<Reply> {
    const from = `10.${[16, 8, 0].map((shift) => ((asked += 1) >> shift) & 255).join('.')}`;
    const reply = await super.raw(method, target, { 'x-forwarded-for': from, ...headers }, body);
    if (this.#isNone(reply)) throw new Error(told(reply));
    return reply;
  }
}

/** A named bank, and what the answers of the server have promised of it. */
class PromisedBank {
  readonly name: string;
  state: 'there' | 'gone' | 'either' = 'gone';
  promises = new Promises();
  /** Ids of armed faults that no call meets. */
  faults = new Set<number>();
  /** Opens the bank of a team; null: revoked, or an answer about it did not come. */
  token: string | null = null;
  /** Tokens that open nothing any more, the newest last. */
  readonly dead: string[] = [];
  certificate: IssuedCertificate | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** It is made, or made anew: nothing of an earlier bank is in it. */
  begin(): void {
    this.state = 'either';
    this.promises = new Promises();
    this.faults = new Set();
    this.certificate = undefined;
    this.lose();
  }

  /** What its token was opens nothing any more. */
  lose(): void {
    if (this.token !== null) this.dead.push(this.token);
    this.token = null;
  }

  client(host: HostedClient): HostedClient {
    return host.bank(this.name, this);
  }

  /** Checks that the bank is as it was promised; what it is now is promised from then on. `isOfTeam`: its token and certificate too. */
  async hold(host: HostedClient, isOfTeam: boolean, { tally }: Soak): Promise<void> {
    const { name, state } = this;
    const looked = await host.control('GET', `/banks/${name}/sandbox/faults`);
    const found = looked.status === 404 ? 'gone' : 'there';
    const isKept = state === 'either' || state === found;
    demand(isKept, () => `the bank ${name} is ${state} by an answer, and ${found}: ${told(looked)}`);
    this.state = found;
    if (isOfTeam) {
      const clock = (token: string) => host.bank(name, { token }).control('GET', '/sandbox/clock');
      for (const dead of this.dead.slice(-5)) {
        tally('revoked tokens tried');
        expectStatus(await clock(dead), 401, `a revoked token of ${name}`);
      }
      if (found === 'gone') return this.lose();
      if (this.token !== null) expectStatus(await clock(this.token), 200, `the token of ${name}`);
      this.token ??= String((await ask(host, 'POST', `/sandbox/banks/${name}/token`)).token);
      const read = await this.client(host).signed('GET', '/v1/sandbox/customers');
      expectStatus(read, 200, `a certificate of the CA of ${name}, or the door`);
    }
    if (found === 'gone') return;
    const client = this.client(host);
    const { faults } = await ask(client, 'GET', '/sandbox/faults');
    const ids = new Set((faults as { id: number }[]).map(({ id }) => id));
    for (const id of this.faults) demand(ids.has(id), `the fault ${id} of ${name} is not armed any more`);
    await this.promises.hold(client);
    await demandProof(client);
  }
}

/** What a test changes: fewer banks, and harm to their folder between each kill and the next start. */
interface Change {
  readonly banks: number;
  readonly harm?: (folder: string) => void;
}

/** How the banks of a campaign are named, how many a round works on, and how many are open: fewer, so that they close and open all the time. */
interface Kind {
  readonly name: string;
  readonly perRound: number;
  readonly open: number;
}

/**
 * A server of a hundred banks in files, of which few are open at a time: clients in several banks at once, banks made and removed, and
 * `kill -9`; between them tenants whose credentials are crossed.
 */
export const hosted: Campaign<Change> = {
  unit: 'kills',
  usualCount: 300,
  run: (soak, change = { banks: 100 }) => run(soak, change, { name: 'bank', perRound: 8, open: 20 }),
};

/**
 * The same in a hosted server of teams: tokens are issued and revoked, certificates issued, and the disk is full at times. A revoked token
 * opens nothing, and no file is half.
 */
export const tenants: Campaign<Change> = {
  unit: 'kills',
  usualCount: 300,
  run: (soak, change = { banks: 12 }) => run(soak, change, { name: 'team', perRound: 4, open: 6 }),
};

async function run(soak: Soak, { banks: count, harm }: Change, { name, perRound, open }: Kind): Promise<void> {
  const { random, tally } = soak;
  const isOfTeams = name === 'team';
  const disk = isOfTeams ? smallDisk(soak) : null;
  if (isOfTeams) tally('banks on a disk that can be full', disk === null ? 0 : 1);
  const folder = join(disk?.folder ?? soak.folder(), 'banks');
  const ledger = join(soak.folder(), 'root.sqlite');
  const shared = isOfTeams ? ['--control-token', hostToken, '--trust-proxy', '1'] : [];
  const flags = ['--banks', folder, '--open-banks', String(open), ...shared];
  const all = Array.from({ length: count }, (_, index) => new PromisedBank(`${name}-${index}`));
  let next = 0;
  const isNone = ({ status }: Reply): boolean => {
    const isOfFullDisk = status === 503 && disk?.isFull === true;
    if (isOfFullDisk) tally('answers of a full disk');
    return isOfFullDisk;
  };
  const start = async (): Promise<[KilledServer, HostedClient]> => {
    const server = await KilledServer.start(soak, ledger, flags);
    return [server, new HostedClient(server.address, isNone, isOfTeams ? { token: hostToken } : {})];
  };
  let [server, host] = await start();

  const make = async (bank: PromisedBank): Promise<void> => {
    tally('bank made');
    bank.begin();
    // Two routers may ask for one bank.
    const puts = Array.from({ length: 1 + random.below(2) }, () =>
      answered(host.control('PUT', `/sandbox/banks/${bank.name}`, { mode: 'frozen' })),
    );
    const replies = await Promise.all(puts);
    for (const reply of replies)
      demand(reply === null || reply.status < 300, () => `a new bank is refused: ${told(reply)}`);
    demand(replies.filter((reply) => reply?.status === 201).length < 2, 'one bank was made twice');
    if (replies.some((reply) => reply !== null)) bank.state = 'there';
    bank.token = replies.find((reply) => reply?.status === 201)?.body.token ?? null;
  };
  const remove = async (bank: PromisedBank): Promise<void> => {
    tally('bank removed');
    bank.state = 'either';
    // Another call may meet a bank while it goes: its answer is a refusal, or that of the bank.
    const beside = answered(bank.client(host).control('GET', '/sandbox/payments'));
    const reply = await answered(host.control('DELETE', `/sandbox/banks/${bank.name}`));
    demand(reply === null || reply.status === 200, () => `a removal is refused: ${told(reply)}`);
    await beside;
    if (reply === null) return;
    bank.state = 'gone';
    bank.lose();
  };
  /** A new token for the bank of a team, or none from here on. */
  const changeToken = async (bank: PromisedBank, method: 'POST' | 'DELETE'): Promise<void> => {
    tally(method === 'POST' ? 'new token' : 'token revoked');
    const before = bank.token;
    bank.token = null;
    const reply = await answered(host.control(method, `/sandbox/banks/${bank.name}/token`));
    if (reply !== null && before !== null) bank.dead.push(before);
    if (method === 'POST') bank.token = reply?.body.token ?? null;
  };
  const certify = async (bank: PromisedBank): Promise<void> => {
    tally('certificate');
    const body = { name: 'shop', roles: ['PSP_PI', 'PSP_AI'] };
    const reply = await answered(bank.client(host).control('POST', '/sandbox/certificates', body));
    if (reply?.status !== 200) return;
    const { certificate: certificatePem, key: keyPem } = reply.body;
    bank.certificate = { ...validCertificate(), certificatePem, keyPem };
  };
  /** Arms a fault that no call meets: a restart must keep it. */
  const arm = async (bank: PromisedBank): Promise<void> => {
    tally('fault armed');
    const fault = { code: 'SERVICE_BLOCKED', path: '/v1/none' };
    const reply = await answered(bank.client(host).control('POST', '/sandbox/faults', fault));
    if (reply?.status === 200) bank.faults.add(Number(reply.body.id));
  };
  /** Calls of several clients to one bank. */
  const movesOf = async (bank: PromisedBank): Promise<readonly (() => Promise<unknown>)[]> => {
    const client = bank.client(host);
    const { date: today } = (await ask(client, 'GET', '/sandbox/clock')) as { readonly date: LocalDate };
    const context = { ...soak, server: client, promises: bank.promises, today, next: () => (next += 1) };
    const moves = Array.from({ length: 1 + random.below(4) }, () => drawMove(context));
    if (random.below(3) === 0) moves.push(() => arm(bank));
    if (isOfTeams && bank.certificate === undefined && random.below(2) === 0) moves.push(() => certify(bank));
    return moves;
  };
  /** What is sent to a bank before the kill, drawn at once. A token changes after the calls that it opens. */
  const plan = async (bank: PromisedBank): Promise<(sent: UnderWay) => void> => {
    if (bank.state === 'gone') return (sent) => sent.send(make(bank));
    if (random.below(6) === 0) return (sent) => sent.send(remove(bank));
    if (isOfTeams && bank.token === null) return (sent) => sent.send(changeToken(bank, 'POST'));
    const moves = await movesOf(bank);
    const change = isOfTeams ? random.pick(['POST', 'DELETE', null]) : null;
    return (sent) => {
      const calls = moves.map((move) => move());
      for (const call of calls) sent.send(call);
      if (change !== null) sent.send(Promise.all(calls).then(() => changeToken(bank, change)));
    };
  };
  /** The list has every bank that is there, and no other. */
  const holdList = async (): Promise<void> => {
    const { banks: listed } = await ask(host, 'GET', '/sandbox/banks');
    const names = new Set((listed as { name: string }[]).map((each) => each.name));
    for (const bank of all) {
      const found = names.has(bank.name) ? 'there' : 'gone';
      demand(found === bank.state, `${bank.name} is ${bank.state} by an answer, and ${found} by the list`);
    }
  };

  // Half of them are there from the beginning.
  for (const bank of all.slice(count / 2)) await make(bank);
  await soak.each(async (index) => {
    const chosen = [...new Set(Array.from({ length: perRound }, () => random.pick(all)))];
    const plans = await Promise.all(chosen.map(plan));
    if (index % 4 === 1) disk?.fill();
    const sent = new UnderWay();
    for (const each of plans) each(sent);
    sent.send(answered(host.control('GET', '/sandbox/banks')));
    // On a busy machine a kill before the first answer would be the usual one.
    if (random.below(8) > 0) await sent.first();
    await sent.kill(soak, random.below(400), () => server.kill());
    disk?.free();
    demandWhole(folder);
    // What was removed stays for a day, and would fill the disk.
    if (disk !== null) rmSync(join(folder, 'removed'), { recursive: true, force: true });
    harm?.(folder);
    [server, host] = await start();
    for (const bank of index % 20 === 19 ? all : chosen) await bank.hold(host, isOfTeams, soak);
    await holdList();
    if (!isOfTeams && index % betweenCrossings === betweenCrossings - 1) await crossings(soak);
  });
  for (const bank of all) await bank.hold(host, isOfTeams, soak);
  await server.kill();
}

/** Demands that no file in its place is empty or cut. */
function demandWhole(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    try {
      JSON.parse(text);
    } catch {
      demand(false, `${name} is half: ${text.length} characters`);
    }
  }
}

/** The credentials of two banks of a server with a control token, crossed with every call. */
async function crossings(soak: Soak): Promise<void> {
  const folder = soak.folder();
  const flags = ['--banks', join(folder, 'banks'), '--control-token', hostToken];
  const server = await KilledServer.start(soak, join(folder, 'ledger.sqlite'), flags);
  const { tried, wrong } = await crossTenants(server.address, hostToken);
  soak.tallyAll(tried, 'crossed: ');
  await server.kill();
  demand(wrong.length === 0, () => `${wrong.length} crossings: ${wrong.slice(0, 5).join('\n')}`);
}
