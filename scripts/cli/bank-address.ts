import { foreignReason } from '../../engine/ledger/durable-file.ts';
import { existsSync, readFileSync } from 'node:fs';
import { withoutTrailing, withoutUser } from '../../engine/values/text.ts';
import { addressFile, readConfig, sandboxCaFile } from '../../api/start/config.ts';
import { reachedHost, serverAddress } from '../../api/pipeline/addresses.ts';
import type { Arguments } from './arguments.ts';
import { WrongUse } from './command.ts';
import type { Terminal } from './terminal.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The address of the bank that a command talks to. */
export interface BankAddress {
  /** Root of the server, without a trailing slash. Only the root has the probes and `/sandbox/banks`. */
  readonly server: string;
  /** Path of the bank: empty at the root, else `/banks/NAME`. */
  readonly path: string;
}

/**
 * The bank `--bank NAME` in the server of {@link serverNote}; without that flag the bank that `$BANK` names. `isNamed`:
 * `--port` and `--host` name the server.
 */
export function bankAddress(given: Arguments, isNamed = given.has('port') || given.has('host')): BankAddress {
  // Read even if $BANK decides: reading reports unknown variables.
  const configured = serverAddress(given.config(isNamed ? [] : ['port', 'host']));
  const address = (isNamed ? null : leftAddress(given)) ?? configured;
  const variable = isNamed ? '' : (given.env['BANK'] ?? '');
  // The interface is what an address of a bank is copied from.
  const bank = withoutTrailing(variable, '/').replace(/(?:\/api-sandbox)?\/v1$/, '');
  return bankBelow(variable === '' ? address : bank, given);
}

/**
 * The address that a server has left in the file of {@link addressFile}, of an environment that has one: it follows the
 * flags of that server, which a program beside it does not know. Returns null if there is none.
 */
function leftAddress(given: Arguments): string | null {
  const file = addressFile(given.env);
  try {
    // The control token goes to it.
    if (file !== null && process.getuid?.() !== 0 && foreignReason(file) !== null) return null;
    const left = file === null ? '' : readFileSync(file, 'utf8').trim();
    return URL.canParse(left) ? left : null;
  } catch {
    return null;
  }
}

/**
 * The bank `--bank NAME` in the server at `base`; without that flag the bank at `base`. `source` names it in errors.
 */
export function bankBelow(base: string, given: Arguments, source = 'BANK'): BankAddress {
  // Normalised, so that /banks/.. does not lead to the root.
  const address = URL.canParse(base) ? new URL(base).href : '';
  const wrong = (problem: string): Mistake =>
    new Mistake(`${source} is ${JSON.stringify(withoutUser(base))}: ${problem}`);
  if (!/^https?:[^?#@]*$/.test(address)) throw wrong('expected an address such as http://127.0.0.1:7263');
  if (/\/banks\/?$/.test(address)) throw wrong('the name of a bank is missing, as in /banks/demo');
  const [, server = '', path = ''] = /^(.*?)(\/banks\/[^/]+)?$/.exec(withoutTrailing(address, '/')) ?? [];
  trustSandboxCa(server, given);
  const name = given.text('bank');
  if (name === undefined) return { server, path: path === '/banks/default' ? '' : path };
  return { server, path: name === 'default' ? '' : `/banks/${pathPart(name)}` };
}

/** Has this process trust the sandbox CA beside the ledger, if there is one, for an address with https. */
export function trustSandboxCa(address: string, given: Arguments): void {
  const file = sandboxCaFile(given.config([]).ledger, 'crt');
  if (!address.startsWith('https:') || !existsSync(file)) return;
  // Loaded here only, so that calls by http start faster.
  const tls = process.getBuiltinModule('node:tls');
  // Missing in Node 22.15 to 22.18.
  tls.setDefaultCACertificates?.([...tls.getCACertificates('default'), readFileSync(file, 'utf8')]);
}

/** The given ones of these flags, for a line to the same server: ` --port 9000`, with a blank before each. */
export function flagsAgain(given: Arguments, ...names: readonly string[]): string {
  return given
    .pairs(names)
    .map(([name, value]) => ` --${name} ${value}`)
    .join('');
}

/**
 * The flags of a line that goes to the server at this address, from a shell with these variables and from one without:
 * ` --port 9000`, with a blank before each.
 */
export function flagsTo(address: string, { HOST, PORT, BANK = '' }: Terminal['env']): string {
  const [, tls = '', listening = '', port = ''] = /^http(s?):\/\/\[?([^\]]*)\]?:(\d+)$/.exec(address) ?? [];
  const [host, usual] = [reachedHost(listening), readConfig({}, [])];
  const hosts = [usual.host, HOST ?? usual.host].map(reachedHost);
  const ports = [usual.port, PORT ?? usual.port].map(String);
  const hostFlag = hosts.some((each) => each !== host) ? ` --host ${host}` : '';
  const isElsewhere = ports.some((each) => each !== port) || (BANK !== '' && hostFlag === '');
  return hostFlag + (isElsewhere ? ` --port ${port}` : '') + (tls === '' ? '' : ' --tls');
}

/** A name as a path segment. Refuses dots alone, which fetch would resolve to another path. */
export function pathPart(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new WrongUse(`${JSON.stringify(name)} is no name`);
  return encodeURIComponent(name);
}
