import { endLife, startLife } from './accounts/life.ts';
import { accountViews, topUp } from './accounts/views.ts';
import { bankActions, bankViews } from './banks/views.ts';
import { snapshotActions, snapshotViews } from './banks/snapshots.ts';
import { switchView } from './banks/switch.ts';
import { calendarViews } from './calendar/views.ts';
import { clockActions, clockViews } from './clock/views.ts';
import { whenView } from './when/views.ts';
import type { ConsoleAction, ConsoleView } from './page-call.ts';
import { coverageView, forgetCoverage } from './coverage/views.ts';
import { makePayment, payView } from './overview/make-payment.ts';
import { searchView } from './overview/search.ts';
import { overviewView, playEaster } from './overview/views.ts';
import { paymentActions } from './payments/payment-forms.ts';
import { paymentViews } from './payments/views.ts';
import { openSca } from './payments/ways-on.ts';
import { peopleViews, revokeConsent } from './people/views.ts';
import { proofView } from './proof/views.ts';
import { quirkActions, quirkViews } from './quirks/views.ts';
import { armFault, disarmFaults } from './requests/armed-faults.ts';
import { doctorView, fillExample, judgeRequest } from './requests/doctor.ts';
import { requestViews } from './requests/views.ts';
import { scaActions, scaViews } from './sca/views.ts';
import { playScenario, scenarioViews } from './scenarios/views.ts';

/** The views of the console, in the order of its navigation. One line a capability. */
// oxfmt-ignore
export const consoleViews: readonly ConsoleView[] = [
  overviewView,
  payView,
  searchView,
  ...clockViews,
  ...calendarViews,
  ...paymentViews,
  ...accountViews,
  ...requestViews,
  doctorView,
  ...scaViews,
  ...peopleViews,
  coverageView,
  ...scenarioViews,
  whenView,
  ...snapshotViews,
  ...bankViews,
  switchView,
  ...quirkViews,
  proofView,
];

/** What the forms of the console do. */
// oxfmt-ignore
export const consoleActions: readonly ConsoleAction[] = [
  makePayment,
  playEaster,
  ...clockActions,
  ...paymentActions,
  openSca,
  topUp,
  startLife,
  endLife,
  armFault,
  disarmFaults,
  judgeRequest,
  fillExample,
  ...scaActions,
  revokeConsent,
  forgetCoverage,
  playScenario,
  ...snapshotActions,
  ...bankActions,
  ...quirkActions,
];
