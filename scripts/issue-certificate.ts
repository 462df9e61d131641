import { existsSync, readFileSync } from 'node:fs';
import { parseFlags } from '../api/start/parse-flags.ts';
import type { CertificateRequest } from '../api/signing/certificate/issue-certificate.ts';
import { roleOids } from '../api/signing/certificate/psd2-roles.ts';
import type { Psd2Role } from '../api/signing/certificate/psd2-roles.ts';
import { systemClock } from '../engine/time/clock.ts';
import { runScript } from './run-script.ts';
import { tppFiles, tppRequest, writeTpp } from './commands/throw-away-tpp.ts';

const usage = `usage: node scripts/issue-certificate.ts NAME [options]

Issues a throw-away certificate into data/tpp/NAME.cert.pem and NAME.key.pem.
  --role ROLE        PSP_AS, PSP_PI, PSP_AI or PSP_IC; repeat for more (default: PSP_AI and PSP_PI)
  --no-roles         states no PSD2 roles at all
  --days N           valid for N days (default 365)
  --expired          expired yesterday
  --organization X   organisation name
  --identifier X     organizationIdentifier (default: from NAME)
  --serial HEX       serial number (default: from the key)
  --key KIND         2048 (default), 3072, 4096; or 1024 or P-256, which the bank must refuse
  --authority        may issue other certificates
  --issuer NAME      issued by that authority (default: self-signed)
  --force            replaces an existing one`;

const options = {
  role: { type: 'string', multiple: true },
  'no-roles': { type: 'boolean' },
  days: { type: 'string', default: '365' },
  expired: { type: 'boolean', default: false },
  organization: { type: 'string' },
  identifier: { type: 'string' },
  serial: { type: 'string' },
  key: { type: 'string', default: '2048' },
  authority: { type: 'boolean', default: false },
  issuer: { type: 'string' },
  force: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseFlags<{ options: typeof options; allowPositionals: true }>>['values'];

function requestOf(name: string, values: Values): CertificateRequest {
  if (!/^[1-9]\d{0,4}$/.test(values.days)) throw new Error(`--days ${values.days} is not a number of days`);
  const plain = tppRequest(name, systemClock.now(), values.expired ? -1 : Number(values.days));
  return {
    ...plain,
    key: keyOf(values.key),
    authority: values.authority,
    roles: values['no-roles'] === true ? null : (values.role?.map(roleOf) ?? plain.roles),
    ...(values.organization === undefined ? {} : { organization: values.organization }),
    ...(values.identifier === undefined ? {} : { organizationIdentifier: values.identifier }),
    ...(values.serial === undefined ? {} : { serial: values.serial }),
    ...(values.issuer === undefined ? {} : { issuer: readIssuer(values.issuer) }),
  };
}

function roleOf(text: string): Psd2Role {
  const role = (Object.keys(roleOids) as Psd2Role[]).find((known) => known === text);
  if (role === undefined) throw new Error(`--role ${text} is none of ${Object.keys(roleOids).join(', ')}`);
  return role;
}

function keyOf(text: string): NonNullable<CertificateRequest['key']> {
  const key = ([1024, 2048, 3072, 4096, 'P-256'] as const).find((known) => String(known) === text);
  if (key === undefined) throw new Error(`--key ${text} is none of 1024, 2048, 3072, 4096, P-256`);
  return key;
}

function readIssuer(name: string) {
  const files = tppFiles(name);
  if (!existsSync(files.key)) throw new Error(`there is no ${files.key}: issue ${name} with --authority first`);
  return { certificatePem: readFileSync(files.certificate, 'utf8'), keyPem: readFileSync(files.key, 'utf8') };
}

function main(): void {
  const { values, positionals } = parseFlags({ options, allowPositionals: true });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new Error('give one NAME');
  if (!values.force && existsSync(tppFiles(name).key))
    throw new Error(`${tppFiles(name).key} exists; --force replaces it`);
  const { files, issued } = writeTpp(name, requestOf(name, values));
  console.log(JSON.stringify({ ...files, serial: issued.serialHex, issuer: issued.issuerDn }, null, 2));
}

await runScript(usage, main);
