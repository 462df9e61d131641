const { lstatSync, mkdirSync, statSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');

const uid = process.getuid?.();

/**
 * Makes a folder for this user only, unless it is there, and returns its path. Throws if another user could have put
 * something into it: what is executed or trusted is taken from such a folder only (docs/spec/control-plane.md B9).
 * Windows keeps users apart by itself.
 */
function ownFolder(path) {
  try {
    // Not `recursive`, which never returns where the system makes no folders (`/proc`).
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const found = lstatSync(path);
  const isOfOthers = found.uid !== uid || (found.mode & 0o077) !== 0 || isMovable(path);
  if (!found.isDirectory() || (uid !== undefined && isOfOthers)) throw new Error(`${path} is not ours`);
  return path;
}

/**
 * Whether others can rename this folder or one above it: whoever can write a folder can rename what is in it, unless it
 * is sticky.
 */
function isMovable(path) {
  const above = dirname(path);
  return above !== path && ((statSync(above).mode & 0o1002) === 0o002 || isMovable(above));
}

/** The {@link ownFolder} of this name below the system's temporary folder. */
function temporaryFolder(name) {
  return ownFolder(join(tmpdir(), uid === undefined ? `sandbank-${name}` : `sandbank-${name}-${uid}`));
}

module.exports = { ownFolder, temporaryFolder };
