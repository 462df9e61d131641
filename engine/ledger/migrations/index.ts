import type { Migration } from 'kysely/migration';
import * as ledger from './001-ledger.ts';
import * as clockRate from './002-clock-rate.ts';
import * as paymentInitiation from './003-payment-initiation.ts';
import * as narrowerIndexes from './004-narrower-indexes.ts';
import * as entriesByDay from './005-entries-by-day.ts';
import * as clockSeen from './006-clock-seen.ts';
import * as wrongNumbers from './007-wrong-numbers.ts';
import * as transfersOfOrders from './008-transfers-of-orders.ts';
import * as provokedRejections from './009-provoked-rejections.ts';
import * as bookingInstants from './010-booking-instants.ts';
import * as knownPsus from './011-known-psus.ts';
import * as firstAnswers from './012-first-answers.ts';
import * as sandboxData from './013-sandbox-data.ts';
import * as conditions from './014-conditions-one-by-one.ts';
import * as listKey from './015-list-key.ts';
import * as closedCreditors from './016-closed-creditors.ts';

/** In order of their names, each from the one before. One that was released is frozen and imports nothing of ours; none is taken back. */
export const migrations: Record<string, Migration> = {
  '001-ledger': ledger,
  '002-clock-rate': clockRate,
  '003-payment-initiation': paymentInitiation,
  '004-narrower-indexes': narrowerIndexes,
  '005-entries-by-day': entriesByDay,
  '006-clock-seen': clockSeen,
  '007-wrong-numbers': wrongNumbers,
  '008-transfers-of-orders': transfersOfOrders,
  '009-provoked-rejections': provokedRejections,
  '010-booking-instants': bookingInstants,
  '011-known-psus': knownPsus,
  '012-first-answers': firstAnswers,
  '013-sandbox-data': sandboxData,
  '014-conditions-one-by-one': conditions,
  '015-list-key': listKey,
  '016-closed-creditors': closedCreditors,
};
