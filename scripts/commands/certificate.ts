import { existsSync } from 'node:fs';
import { quote } from '../../engine/values/text.ts';
import { certificateFaults } from '../../api/signing/certificate-kit.ts';
import { testTppName } from '../../api/signing/test-tpp.ts';
import { CommandFailed, WrongUse } from '../cli/command.ts';
import { writing } from '../cli/file-input.ts';
import { serverCommand } from '../cli/server-command.ts';
import { tppFiles, writeTpp } from './throw-away-tpp.ts';

/** `POST /sandbox/certificates` of a server. */
export const certificate = serverCommand({
  name: 'certificate',
  summary: 'Makes a TPP certificate and its key, good or faulty.',
  flags: {
    '--fault <NAME>': 'Gives the certificate this fault. Default: a good certificate.',
    '--out <DIR>': 'Writes NAME.cert.pem and NAME.key.pem to DIR. `sign --tpp NAME` finds them in data/tpp.',
    '--name <NAME>':
      'Names the TPP [default] and the files; the same name is the same TPP. Without it the fault names the files.',
    '--role <ROLE>': 'A PSD2 role, PSP_AS, PSP_PI, PSP_AI or PSP_IC; repeat for more.',
  },
  notes: [
    'Without --out the certificate and the key go to standard output; everything else goes to standard error.',
    'The faults follow. The answer names the code of the refusal; docs/signing/faulty-certificates.md lists all codes.',
    `${Object.keys(certificateFaults).join(', ')}.`,
  ],
  examples: ['sandbank certificate --name mine --out .', 'sandbank certificate --fault expired --out .'],
  run: async ({ given, terminal, client }) => {
    const [fault, name] = [given.text('fault'), given.text('name')];
    const file = name ?? fault ?? 'default';
    if (!testTppName.test(file)) throw new WrongUse(`${quote(file)} is no name: use letters, digits and hyphens`);
    const roles = given.texts('role');
    const body = { name, fault, roles: roles.length > 0 ? roles : undefined };
    const folder = given.text('out');
    const files = folder === undefined ? null : tppFiles(folder, file);
    const there = Object.values(files ?? {}).find((path) => existsSync(path));
    if (there !== undefined) throw new CommandFailed(`${there} exists: remove it, or name another`);
    const made = await client.ask('POST /certificates', 'certificate', { body });
    if (files !== null) await writing(files.certificate, () => writeTpp(files, made));
    const written = files !== null && { certificateFile: files.certificate, keyFile: files.key };
    if (given.has('json')) return terminal.print(JSON.stringify({ ...made, ...written }, null, 2));
    const { certificate: pem, key, keyId, code } = made;
    const told = [
      ...(files === null ? [] : [`certificate ${files.certificate}`, `key         ${files.key}`]),
      `keyId       ${keyId}`,
      `code        ${code.any ?? 'accepted'} under any, ${code.ca ?? 'accepted'} under ca`,
    ].join('\n');
    if (files !== null) return terminal.print(told);
    terminal.print(`${pem}${key}`.trimEnd());
    terminal.error(told);
  },
});
