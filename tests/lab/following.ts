import { isBusy } from '../../engine/ledger/ledger-condition.ts';
import { checkpoints, Follower } from './follower.ts';

/** Follows the ledger file that is named, until it is killed. Whoever writes goes first. */
const [path = ''] = process.argv.slice(2);
const pauseMs = 20;

const follower = new Follower(path, 5_000);
follower.sqlite.pragma('busy_timeout = 10');
process.stdout.write('following\n');
let turn = 0;
setInterval(() => {
  turn += 1;
  try {
    follower.checkpoint(checkpoints[turn % checkpoints.length] ?? 'passive');
  } catch (error) {
    if (!isBusy(error)) throw error;
    if (!follower.sqlite.inTransaction) follower.hold();
  }
}, pauseMs);
