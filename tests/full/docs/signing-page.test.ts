import { execFile, spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { trustCaOf } from '../../lab/exchange.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { certificateFaults } from '../../../api/signing/certificate-kit.ts';
import { createSignatureCheck } from '../../../api/signing/signature-check.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { pagesOf } from '../../support/markdown.ts';
import { runMain } from '../../support/recorded-terminal.ts';
import { sample } from '../../support/sample.ts';
import { hasProgram, testWith } from '../../support/test-with.ts';
import outside from '../../data/http-signature/cavage-joyent-w3c.json' with { type: 'json' };
import { keptVectors, signerOf } from '../../signing/write-vectors.ts';
import { testBank } from '../../support/test-bank.ts';

/** docs/signing.md and the pages of its folder, such as docs/signing/https.md, in one text. */
const page = pagesOf('signing')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
const folder = tempFolder();

/** The fenced blocks below a heading, in order. */
function blocks(heading: string): string[] {
  const [, rest = ''] = page.split(`\n${heading}\n`);
  const [section = ''] = rest.split(/\n##+ /);
  return [...section.matchAll(/^```\w+\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text);
}

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);

async function shell(line: string, env: Readonly<Record<string, string>> = {}, cwd = folder): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd, env: { ...process.env, ...env } });
  return stdout.trimEnd();
}

describe('docs/signing/by-hand.md', () => {
  const [key = '', certificate = '', body = '', digest = '', string = '', hash = '', signature = '', header = ''] =
    blocks('## By hand');
  /** The commands that the page gives, in backticks. */
  const commands = [...page.matchAll(/`([^`\n]*openssl dgst[^`\n]*)`/g)].map(([, line = '']) => line);
  beforeAll(() => {
    write('example.key.pem', `${key}\n`);
    write('body.json', body);
    write('string.txt', string);
  });

  test('each step is what OpenSSL and sha256sum print', async () => {
    expect(commands).toHaveLength(2);
    expect(await shell(commands[0] ?? '')).toBe(digest);
    expect(await shell(commands[1] ?? '')).toBe(signature);
    expect(await shell('sha256sum string.txt')).toBe(`${hash}  string.txt`);
    expect(page).toContain(`one line of ${Buffer.byteLength(body)} bytes`);
  });

  test('the signing string is made of the digest, and the header of the signature and the certificate', () => {
    expect(string.split('\n').map((line) => line.split(': ')[0])).toEqual([
      'date',
      'digest',
      'x-request-id',
      'tpp-redirect-uri',
    ]);
    expect(string).toContain(`\ndigest: ${digest}\n`);
    expect(createHash('sha256').update(string).digest('hex')).toBe(hash);
    expect(header).toContain(`signature="${signature}"`);
    const x509 = new X509Certificate(certificate);
    expect(x509.serialNumber).toBe('07EAF114C0FFEE');
    expect(x509.publicKey.equals(createPublicKey(key))).toBe(true);
  });

  test('the bank accepted it when it was signed, and refuses it with one byte more', async () => {
    const sent = [
      ...string.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)),
      ['tpp-signature-certificate', new X509Certificate(certificate).raw.toString('base64')],
      ['signature', header.replace('Signature: ', '')],
    ].flat() as string[];
    const request = { method: 'POST', target: '/v1/payments/norwegian-domestic-credit-transfers', rawHeaders: sent };
    const at = Date.parse('2027-03-24T11:00:30Z') as Instant;
    const check = createSignatureCheck({ trust: 'any' });
    expect((await check({ ...request, body: Buffer.from(body) }, at, 'PSP_PI')).name).toBe('Throw-away TPP example');
    await expect(check({ ...request, body: Buffer.from(`${body}\n`) }, at, 'PSP_PI')).rejects.toThrow();
  });
});

test('the page has the programs of examples/signing', () => {
  for (const { heading, file } of languages)
    expect(`${blocks(heading)[0]}\n`).toBe(readFileSync(`examples/signing/${file}`, 'utf8'));
});

test('git ignores the key that the page writes into a clone', () => {
  const ignored = readFileSync('.gitignore', 'utf8').split('\n');
  const [, out = ''] = /certificate --name mine --out (\S+)/.exec(page) ?? [];
  expect([out, ignored.includes('/*.pem')]).toEqual(['.', true]);
});

test('the page has a row for every fault of the kit, with its codes', () => {
  const rows = page.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' '));
  for (const [name, { what, any, ca }] of Object.entries(certificateFaults))
    expect(rows).toContain(`| \`${name}\` | ${what} | ${any ?? 'accepted'} | ${ca ?? 'accepted'} |`);
});

const java = 'java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
const javac = 'javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC';
/** `drive` runs the program's functions over the folders of vectors in $FOLDERS: see `vectors`. */
const languages = [
  {
    heading: '## curl and OpenSSL',
    file: 'pay.sh',
    line: 'sh pay.sh',
    drive: 'sh drive.sh $FOLDERS',
    probe: 'command -v curl && command -v openssl',
  },
  {
    heading: '## Node',
    file: 'pay.mjs',
    line: `'${process.execPath}' pay.mjs`,
    drive: `'${process.execPath}' drive.mjs $FOLDERS`,
    probe: 'true',
  },
  {
    heading: '## Python',
    file: 'pay.py',
    line: 'python3 pay.py',
    drive: 'python3 drive.py $FOLDERS',
    probe: 'python3 -c "import cryptography"',
  },
  {
    heading: '## PHP',
    file: 'pay.php',
    line: 'php pay.php',
    drive: 'php drive.php $FOLDERS',
    probe: 'php -m | grep -qx openssl',
  },
  {
    heading: '## Java',
    file: 'Pay.java',
    line: `${java} Pay.java`,
    drive: `${javac} Pay.java Drive.java && ${java} Drive $FOLDERS`,
    probe: 'command -v javac',
  },
  {
    heading: '## Go',
    file: 'pay.go',
    line: 'go run pay.go',
    drive: 'go test -count=1 -v pay.go drive_test.go',
    probe: 'go version',
  },
] as const;

/** The name of the program that verifies answers, beside one that pays. */
function verifier(file: string): string {
  return file.replace('pay', 'verify').replace('Pay', 'Verify');
}

function isThere({ probe }: (typeof languages)[number]): boolean {
  return spawnSync('sh', ['-c', probe], { stdio: 'ignore' }).status === 0;
}

/** Half of the languages of this machine, and those that it has not. */
function someLanguages(name: string): readonly (typeof languages)[number][] {
  const { here = [], absent = [] } = Object.groupBy(languages, (each) => (isThere(each) ? 'here' : 'absent'));
  return [...sample(name, here, 2), ...absent];
}

describe('examples/signing/vectors.json', () => {
  const kept = keptVectors();
  // OpenSSL gives a program the keyId in ASCII, so that it needs no encoded word.
  const made = kept.accepted.filter(
    ({ sent, undocumented }) => undocumented !== true && sent['Signature']?.startsWith('keyId'),
  );
  const own = tempFolder();

  // With the certificate of another key: the programs only send it on.
  const { certificate } = signerOf(kept, { signer: 'plain' });
  const key = createPrivateKey(outside.privateKeyPem).export({ type: 'pkcs8', format: 'pem' }).toString();
  const published = outside.cases.map(({ signingString, headersParameter, headers, body, signature }) => ({
    ...{ signingString, headers, body, certificate, key, keyId: 'published' },
    signature: `keyId="published",algorithm="rsa-sha256",headers="${(headersParameter ?? ['date']).join(' ')}",signature="${signature}"`,
  }));
  const cases = [
    ...made.map((vector) => ({
      ...{ ...signerOf(kept, vector), headers: vector.headers, body: vector.body, signingString: vector.bytes },
      signature: vector.sent['Signature'],
    })),
    ...published,
  ];

  /** Lays a case as files for the programs. The header digest is theirs to fill in. */
  function lay({ headers, body, signingString, ...signer }: (typeof cases)[number], at: number): string {
    const values = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const lines = signingString.split('\n').map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/);
      return `${name}: ${name === 'digest' ? '' : (values[name] ?? value)}\n`;
    });
    const files = {
      ...{ signed: lines.join(''), body, 'mine.cert.pem': signer.certificate, 'mine.key.pem': signer.key },
      'key-id': signer.keyId,
    };
    mkdirSync(join(own, String(at)));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(own, String(at), name), text);
    return String(at);
  }

  let folders = '';
  beforeAll(() => {
    expect([made.length, published.length]).toEqual([8, outside.cases.length]);
    folders = cases.map(lay).join(' ');
  });

  describe.each(someLanguages('vectors'))('$heading', (language) => {
    testWith(isThere(language), language.heading.slice(3))(
      'signs each vector, and the published cases, with the same bytes',
      async () => {
        const drive =
          readdirSync('tests/full/docs/vectors').find((name) => name.endsWith(language.file.slice(-3))) ?? '';
        copyFileSync(`examples/signing/${language.file}`, join(own, language.file));
        copyFileSync(`tests/full/docs/vectors/${drive}`, join(own, drive));
        const printed = await shell(language.drive, { FOLDERS: folders }, own);
        const told = printed.split('\n').filter((line) => /^(?:SHA-256=|MII|keyId=)/.test(line));
        const wanted = cases.flatMap(({ body, signature, ...signer }) => [
          `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
          new X509Certificate(signer.certificate).raw.toString('base64'),
          signature,
        ]);
        expect(told).toEqual(wanted);
      },
      60_000,
    );
  });
});

const ways = [
  ['HTTP', []],
  ['HTTPS, with signed answers', ['--tls=1', '--sign-answers=1']],
] as const;

describe.each(ways)('docs/signing/programs.md and docs/signing/answers.md, by %s', (way, flags) => {
  const bank = testBank('2027-03-24T12:00:00+01:00', ['--tpp-trust', 'ca', ...flags]);
  const own = tempFolder();
  const env: Record<string, string> = {};
  const run = (line: string): Promise<string> => shell(line, env, own);
  beforeAll(async () => {
    env['BANK'] = bank.address;
    if (flags.length > 0) {
      writeFileSync(join(own, 'sandbox-ca.crt'), await trustCaOf(bank.address));
      // The lines of the page, and the command for the store of Java.
      for (const [, name = '', value = ''] of page.matchAll(/`export (\w+)="?([^"`]*)"?`/g)) env[name] = value;
      const [, keytool = ''] = /`(keytool [^`]*)`/.exec(page) ?? [];
      if (hasProgram('keytool')) await run(keytool);
    }
    // Step 1 of the page: its command, and the line that makes $KEY_ID.
    const [make = '', keyId = ''] = blocks('## 1. A certificate');
    const [, command = ''] = /npm run -s sandbank -- (.*)$/.exec(make) ?? [];
    const words = command.replace('--out .', `--out ${own}`).split(' ');
    const made = await runMain(words, { env: { ...env, SANDBANK_LEDGER: join(own, 'ledger.sqlite') } });
    expect(made.errors).toEqual([]);
    env['KEY_ID'] = await run(`${keyId}; printf %s "$KEY_ID"`);
    expect(made.lines.join('\n')).toContain(env['KEY_ID'].replace(/^SN=0*/, 'SN='));
  });

  describe.each(someLanguages(way))('$heading', (language) => {
    const { heading, file, line } = language;
    testWith(isThere(language), heading.slice(3))(
      'initiates a payment',
      async () => {
        const [program = ''] = blocks(heading);
        writeFileSync(join(own, file), program);
        const printed = await run(line);
        expect(printed).toMatch(/201$/);
        expect(printed).toContain('"scaRedirect"');
        expect(printed).toContain('"transactionStatus":"RCVD"');
      },
      60_000,
    );

    if (flags.length === 0 || !existsSync(`examples/signing/${verifier(file)}`)) return;
    testWith(isThere(language), heading.slice(3))(
      'verifies an answer, and refuses one that was spoilt',
      async () => {
        const [program = ''] = blocks(heading.replace('## ', '## Verify in '));
        expect(program).not.toBe('');
        writeFileSync(join(own, verifier(file)), program);
        // Three runs of a program of Java are compiled once.
        const isJava = file.endsWith('.java');
        if (isJava) await run(`${javac} ${verifier(file)}`);
        const verifying = isJava ? `${java} Verify` : line.replace(file, verifier(file));
        expect(await run(verifying)).toBe('verified');
        for (const badSignature of ['digest', 'key']) {
          await bank.control('POST', '/sandbox/faults', { badSignature, method: 'GET' });
          await expect(run(verifying)).rejects.toThrow();
        }
      },
      60_000,
    );
  });
});
