import { withoutTrailing } from '../../engine/values/text.ts';
import { ConfigError } from '../../api/start/config.ts';
import { serverAddress } from '../../api/hosting/server-address.ts';
import type { Arguments } from './arguments.ts';
import { WrongUse } from './command.ts';

/** Where a command finds its bank. */
export interface BankAddress {
  /** The root of the server, without a slash at the end: the probes and `/sandbox/banks` are only there. */
  readonly server: string;
  /** Below it: empty for the bank at the root, else `/banks/NAME`. */
  readonly path: string;
  /** Whether `$BANK` says so. */
  readonly isFromBank: boolean;
}

/** For the help of every command that asks a server. */
export const serverNote =
  'The server is that of --port or --host, else of $BANK (http://127.0.0.1:8080/banks/demo too), else of PORT and HOST.';

/** The bank of `--bank NAME` in the server of {@link serverNote}; without that flag the one that `$BANK` names. */
export function bankAddress(given: Arguments): BankAddress {
  // Read even where $BANK decides: it tells of a variable that does not exist.
  const address = serverAddress(given.config());
  const variable = given.has('port') || given.has('host') ? '' : (given.variable('BANK') ?? '');
  const isFromBank = variable !== '';
  return { ...bankBelow(isFromBank ? variable : address, given, 'BANK'), isFromBank };
}

/** The bank of `--bank NAME` in the server of a base; without that flag the one at the base, which `source` gave. */
export function bankBelow(base: string, given: Arguments, source: string): Pick<BankAddress, 'server' | 'path'> {
  // As the parser writes it, so that no /banks/.. leads to the root behind our back.
  const address = URL.canParse(base) ? new URL(base).href : '';
  if (!/^https?:[^?#]*$/.test(address)) {
    throw new ConfigError(`${source} is ${JSON.stringify(base)}: expected an address such as http://127.0.0.1:8080`);
  }
  const [, server = '', path = ''] = /^(.*?)(\/banks\/[^/]+)?$/.exec(withoutTrailing(address, '/')) ?? [];
  const name = given.text('bank');
  if (name === undefined) return { server, path: path === '/banks/default' ? '' : path };
  return { server, path: name === 'default' ? '' : `/banks/${pathPart(name)}` };
}

/** A name as a part of a path. Dots alone would lead to another path, on the way to the server already. */
export function pathPart(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new WrongUse(`${JSON.stringify(name)} is no name`);
  return encodeURIComponent(name);
}
