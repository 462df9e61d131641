<<<<<<< ours
import { topUp } from './accounts/actions.ts';
import { accountViews } from './accounts/views.ts';
import { calendarViews } from './calendar/views.ts';
import { makeBank, removeBank, removeSnapshot, resetBank, restoreSnapshot, saveSnapshot } from './banks/actions.ts';
||||||| base
<<<<<<<<< Temporary merge branch 1
import { calendarViews } from './calendar/views.ts';
||||||||| 71c9ae2
=========
import { makeBank, removeBank, removeSnapshot, resetBank, restoreSnapshot, saveSnapshot } from './banks/actions.ts';
=======
import { bankActions } from './banks/actions.ts';
>>>>>>> theirs
import { bankViews } from './banks/views.ts';
<<<<<<< ours
||||||| base
>>>>>>>>> Temporary merge branch 2
=======
import { calendarViews } from './calendar/views.ts';
>>>>>>> theirs
import { advance, setMode } from './clock/actions.ts';
import { clockViews } from './clock/views.ts';
import type { ConsoleAction, ConsoleView } from './console-view.ts';
import { forgetCoverage } from './coverage/actions.ts';
import { coverageViews } from './coverage/views.ts';
import { overviewViews } from './overview/views.ts';
import { paymentActions } from './payments/actions.ts';
import { paymentViews } from './payments/views.ts';
import { revokeConsent } from './people/actions.ts';
import { peopleViews } from './people/views.ts';
import { proofViews } from './proof/views.ts';
import { scaActions } from './sca/actions.ts';
import { scaViews } from './sca/views.ts';
import { playScenario } from './scenarios/actions.ts';
import { scenarioViews } from './scenarios/views.ts';
import { requestViews } from './requests/views.ts';

<<<<<<< ours
/** The views of the console, in the order of its navigation. */
export const consoleViews: readonly ConsoleView[] = [
  ...overviewViews,
  ...clockViews,
  ...calendarViews,
  ...paymentViews,
||||||| base
<<<<<<<<< Temporary merge branch 1
/** The views of the console, in the order of its navigation. One line a capability. */
// prettier-ignore
export const consoleViews: readonly ConsoleView[] = [
  ...overviewViews,
  ...clockViews,
  ...calendarViews,
  ...paymentViews,
];
||||||||| 71c9ae2
/** The views of the console, in the order of its navigation. */
export const consoleViews: readonly ConsoleView[] = [...overviewViews, ...clockViews, ...paymentViews];
=========
/** The views of the console, in the order of its navigation. */
export const consoleViews: readonly ConsoleView[] = [
  ...overviewViews,
  ...clockViews,
  ...paymentViews,
=======
/** The views of the console, in the order of its navigation. One line a capability. */
// prettier-ignore
export const consoleViews: readonly ConsoleView[] = [
  ...overviewViews,
  ...clockViews,
  ...calendarViews,
  ...paymentViews,
<<<<<<< ours
>>>>>>> theirs
  ...scaViews,
  ...peopleViews,
  ...coverageViews,
  ...scenarioViews,
  ...bankViews,
  ...proofViews,
||||||| base
=======
  ...accountViews,
  ...requestViews,
>>>>>>> theirs
];

/** What the forms of the console do. */
<<<<<<< ours
||||||| base
<<<<<<<<< Temporary merge branch 1
// prettier-ignore
=======
// prettier-ignore
>>>>>>> theirs
export const consoleActions: readonly ConsoleAction[] = [
  setMode,
  advance,
  ...paymentActions,
  approveSca,
  endSca,
  revokeConsent,
  forgetCoverage,
  playScenario,
  saveSnapshot,
  restoreSnapshot,
  removeSnapshot,
  resetBank,
  makeBank,
  removeBank,
  ...scaActions,
  revokeConsent,
  forgetCoverage,
  playScenario,
  ...bankActions,
  topUp,
];
