import { accountRoom } from './accounts/views.ts';
import { bankRoom } from './banks/views.ts';
import { calendarRoom } from './calendar/views.ts';
import { clockRoom } from './clock/views.ts';
import { overviewRoom } from './overview/views.ts';
import type { ConsoleRoom } from './page-call.ts';
import { paymentRoom } from './payments/views.ts';
import { peopleRoom } from './people/views.ts';
import { proofRoom } from './proof/views.ts';
import { quirkRoom } from './quirks/views.ts';
import { doctorRoom } from './requests/doctor.ts';
import { requestRoom } from './requests/views.ts';
import { scaRoom } from './sca/views.ts';
import { whenRoom } from './when/views.ts';

/** The rooms of the console. A fixed path comes before one with a parameter. */
// oxfmt-ignore
const rooms: readonly ConsoleRoom[] = [
  overviewRoom, clockRoom, calendarRoom, paymentRoom, accountRoom, requestRoom, doctorRoom, scaRoom, peopleRoom,
  whenRoom, bankRoom, quirkRoom, proofRoom,
];

/** The views of the console. */
export const consoleViews = rooms.flatMap(({ views }) => views);

/** What the forms of the console do. */
export const consoleActions = rooms.flatMap(({ actions = [] }) => actions);
