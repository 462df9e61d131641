import { advanceClock } from '../../../engine/runs/advance-clock.ts';
import { busyEnd, openBusy } from '../../support/busy-ledger.ts';

/*
 * A process of its own that settles the busy ledger at the path given to the end. Says `open` when it begins, so that
 * a test can kill it in the middle.
 */
const bank = await openBusy(process.argv[2] ?? '');
process.stdout.write('open\n');
await advanceClock(bank, busyEnd);
await bank.close();
