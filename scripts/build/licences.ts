import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build-program.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The licences of the packages that these files belong to, as one text, which a build of them has to bring. */
export function licencesOf(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].toSorted().map(licenceIn).join('\n');
}

/** Throws a Mistake for a package without a licence. */
function licenceIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const files = readdirSync(join(root, folder)).filter((file) => /^licen[cs]e/i.test(file));
  if (license === undefined && files.length === 0) throw new Mistake(`${name} has no licence`);
  const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts, ''].join('\n\n');
}
