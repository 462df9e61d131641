import { readFileSync } from 'node:fs';
import { digest, prove } from './pay.mjs';

for (const folder of process.argv.slice(2)) {
  const read = (name) => readFileSync(`${folder}/${name}`, 'utf8');
  const hash = digest(read('body'));
  const lines = read('signed').split('\n').slice(0, -1);
  const signed = Object.fromEntries(lines.map((line) => line.split(/: (.*)/)));
  if ('digest' in signed) signed.digest = hash;
  console.log(
    [hash, ...Object.values(prove(signed, read('mine.cert.pem'), read('mine.key.pem'), read('key-id')))].join('\n'),
  );
}
