import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/*
 * Writes `"gypfile": false` into the lock file for each package that says so itself (control-plane.md N1). npm drops
 * the member whenever it writes the file, and npm 10 then compiles, in `npm ci`, what the package brings compiled. npm
 * runs this after it has changed the tree: `dependencies` in package.json. `node scripts/keep-lock.js` does it by hand.
 */
const before = readFileSync('package-lock.json', 'utf8');
const lock = JSON.parse(before);
for (const [folder, entry] of Object.entries(lock.packages)) {
  const file = `${folder}/package.json`;
  if (folder !== '' && existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).gypfile === false)
    entry.gypfile = false;
}
const after = `${JSON.stringify(lock, null, 2)}\n`;
if (after !== before) writeFileSync('package-lock.json', after);
