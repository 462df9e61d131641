import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/index.ts';
import { openSqlite } from '../../engine/ledger/open-sqlite.ts';
import { issueAuthority } from '../../api/signing/certificate-kit.ts';
import { startTestBank } from '../lab/server.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';
import { testWith } from '../support/test-with.ts';

/* B9: Sandbank replaces only what it made, follows no link to write, and takes nothing of another user. */

const now = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();
const bank = testBank(now);
const port = (): string => `--port=${new URL(bank.address).port}`;
let count = 0;
/** A folder that no other case has. */
function own(): string {
  const path = join(folder, String((count += 1)));
  mkdirSync(path);
  return path;
}

const asRoot = testWith(process.getuid?.() === 0, 'root');
const nobody = 65_534;

/** Null, or why it did not work. */
async function outcomeOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const started = (...flags: string[]) => outcomeOf(async () => (await startTestBank(now, flags)).stop());
async function command(...args: string[]): Promise<string | null> {
  const { code, errors } = await runMain([...args, port()]);
  return code === 0 ? null : errors.join('\n');
}

/** What writes a file of this name in a folder. */
const writers: readonly (readonly [name: string, write: (inFolder: string) => Promise<string | null>])[] = [
  ['faketime', (at) => started(`--faketime-file=${join(at, 'faketime')}`)],
  ['sandbox-ca.crt', (at) => started('--tls=1', `--ledger=${join(at, 'ledger.sqlite')}`)],
  ['x.sandbank', (at) => command('bundle', 'save', join(at, 'x.sandbank'))],
  [
    'saved.sandbank',
    (at) =>
      outcomeOf(async () => {
        await using created = await createBank({ now });
        await created.save(join(at, 'saved.sandbank'));
      }),
  ],
  [
    'line.svg',
    (at) =>
      outcomeOf(async () => {
        await using created = await createBank({ now });
        const paid = await created.tpp().pay({ from: '09232911044', to: '90491105991', amount: '1.00' });
        await created.picture(paid, join(at, 'line.svg'));
      }),
  ],
];

describe.each(writers)('B9: %s', (name, write) => {
  test('is made, and replaced as often as one likes', async () => {
    const at = own();
    expect(await write(at)).toBe(null);
    expect(lstatSync(join(at, name)).isFile()).toBe(true);
    expect(await write(at)).toBe(null);
    expect(readdirSync(at).filter((each) => each.endsWith('.partial'))).toEqual([]);
  });

  test('leaves what the user has under a name like that of a part', async () => {
    const at = own();
    const kept = ['partial', '0.partial', '1.partial'].map((ending) => join(at, `${name}.${ending}`));
    for (const path of kept) writeFileSync(path, 'my own notes\n');
    expect(await write(at)).toBe(null);
    expect(kept.map((path) => readFileSync(path, 'utf8'))).toEqual(kept.map(() => 'my own notes\n'));
    expect(readdirSync(at).filter((each) => each.endsWith('.partial')).length).toBe(3);
  });

  test('is not replaced if Sandbank did not make it', async () => {
    const at = own();
    writeFileSync(join(at, name), 'my own notes\n');
    expect(await write(at)).toContain(`${name} is not replaced: Sandbank did not make it`);
    expect(readFileSync(join(at, name), 'utf8')).toBe('my own notes\n');
  });

  test('is not written through a link, nor is what is written first', async () => {
    const [at, victim] = [own(), join(own(), 'victim')];
    writeFileSync(victim, 'my own notes\n');
    symlinkSync(victim, join(at, `${name}.0.partial`));
    expect(await write(at)).toBe(null);
    const linked = own();
    symlinkSync(victim, join(linked, name));
    expect(await write(linked)).toContain(`${name} is not used: it is a link`);
    expect(readFileSync(victim, 'utf8')).toBe('my own notes\n');
  });

  asRoot('of another user is refused, with whose it is', async () => {
    const at = own();
    writeFileSync(join(at, name), '');
    chownSync(join(at, name), nobody, nobody);
    expect(await write(at)).toContain(`${name} is not used: it belongs to uid ${nobody}, and this process has uid 0`);
  });
});

test('B9: --faketime-file names neither the ledger nor the CA', async () => {
  const at = own();
  const ledger = join(at, 'ledger.sqlite');
  expect(await started('--tls=1', `--ledger=${ledger}`)).toBe(null);
  for (const name of ['ledger.sqlite', 'sandbox-ca.pem', 'sandbox-ca.crt']) {
    const before = readFileSync(join(at, name));
    expect(await started(`--ledger=${ledger}`, `--faketime-file=${join(at, name)}`)).toContain(
      'Sandbank did not make it',
    );
    if (name !== 'ledger.sqlite') expect(readFileSync(join(at, name))).toEqual(before);
  }
  expect(await started(`--ledger=${ledger}`)).toBe(null);
});

describe('B9: beside a ledger', () => {
  test.each(['ledger.sqlite.lock', 'ledger.sqlite.snapshots', 'sandbox-ca.pem'])('%s is no link', async (name) => {
    const [at, victim] = [own(), join(own(), 'victim')];
    symlinkSync(victim, join(at, name));
    const said = await started('--tls=1', `--ledger=${join(at, 'ledger.sqlite')}`);
    expect(said).toMatch(/is not used: it is a link$/);
    expect(existsSync(victim)).toBe(false);
  });

  test.each(['ledger.sqlite', 'sandbox-ca.pem'])('a part of %s is under a name that nobody has', async (name) => {
    const [at, victim, notes] = [own(), join(own(), 'victim'), 'my own notes\n'];
    symlinkSync(victim, join(at, `${name}.0.partial`));
    for (const ending of ['partial', '1.partial']) writeFileSync(join(at, `${name}.${ending}`), notes);
    expect(await started('--tls=1', `--ledger=${join(at, 'ledger.sqlite')}`)).toBe(null);
    expect(existsSync(victim)).toBe(false);
    for (const ending of ['partial', '1.partial'])
      expect(readFileSync(join(at, `${name}.${ending}`), 'utf8')).toBe(notes);
    expect(existsSync(join(at, `${name}.2.partial`))).toBe(false);
  });

  test('a ledger that is refused is left as it was, with nothing beside it', async () => {
    const at = own();
    const sound = join(own(), 'ledger.sqlite');
    expect(await started(`--ledger=${sound}`)).toBe(null);
    const changed: readonly (readonly [name: string, sql: string, said: string])[] = [
      ['damaged', 'update account set balance_minor = balance_minor + 1', 'damaged'],
      ['newer', "insert into kysely_migration values ('999-newer', '2027')", 'newer'],
    ];
    for (const [name, sql] of changed) {
      copyFileSync(sound, join(at, name));
      const sqlite = openSqlite(join(at, name));
      sqlite.exec(sql);
      sqlite.close();
    }
    writeFileSync(join(at, 'notes'), 'my own notes\n'.repeat(1_000));
    const other = openSqlite(join(at, 'other'));
    other.exec('create table mine (id integer)');
    other.close();
    const before = readdirSync(at);
    for (const [name, said] of [...changed.map(([of, , text]) => [of, text]), ['notes', ''], ['other', '']] as const)
      expect(await started(`--ledger=${join(at, name ?? '')}`)).toContain(said);
    expect(readdirSync(at)).toEqual(before);
  });

  asRoot('a ledger of another user is refused, and a link of one; an own link is followed', async () => {
    const [at, victim] = [own(), join(own(), 'victim.sqlite')];
    chmodSync(at, 0o1777);
    const link = join(at, 'ledger.sqlite');
    symlinkSync(victim, link);
    lchownSync(link, nobody, nobody);
    const of = `it belongs to uid ${nobody}, and this process has uid 0`;
    expect(await started(`--ledger=${link}`)).toBe(`the ledger ${link} is not used: ${of}`);
    expect(existsSync(victim)).toBe(false);
    lchownSync(link, 0, 0);
    expect(await started(`--ledger=${link}`)).toBe(null);
    chownSync(victim, nobody, nobody);
    expect(await started(`--ledger=${victim}`)).toBe(`the ledger ${victim} is not used: ${of}`);
  });

  asRoot('a CA of another user is not taken', async () => {
    const at = own();
    const ca = await issueAuthority('Sandbank CA');
    writeFileSync(join(at, 'sandbox-ca.pem'), ca.certificatePem + ca.keyPem);
    chownSync(join(at, 'sandbox-ca.pem'), nobody, nobody);
    const ledger = join(at, 'ledger.sqlite');
    expect(await started('--tls=1', `--ledger=${ledger}`)).toContain(
      'sandbox-ca.pem is not used: it belongs to uid 65534',
    );
  });

  asRoot('root takes the files of the owner of their folder, as of a volume', async () => {
    const at = own();
    expect(await started('--tls=1', `--ledger=${join(at, 'ledger.sqlite')}`)).toBe(null);
    for (const name of [
      '',
      'ledger.sqlite',
      'sandbox-ca.pem',
      'sandbox-ca.crt',
      'ledger.sqlite.lock',
      'ledger.sqlite.snapshots',
    ])
      chownSync(join(at, name), nobody, nobody);
    expect(await started('--tls=1', `--ledger=${join(at, 'ledger.sqlite')}`)).toBe(null);
  });
});
