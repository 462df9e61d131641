import { lockLedger } from '../../../engine/open-bank.ts';

/* A program: locks the ledger of its word until its input ends. Says so on standard error before, and on standard output when it holds the lock. */

console.error('begins');
const lock = lockLedger(process.argv[2] ?? '', { address: 'http://127.0.0.1:2', pid: 2 });
console.log('holds');
process.stdin.resume().once('end', () => lock.release());
