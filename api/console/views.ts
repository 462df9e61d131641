import { topUp } from './accounts/actions.ts';
import { accountViews } from './accounts/views.ts';
import { bankActions } from './banks/actions.ts';
import { bankViews } from './banks/views.ts';
import { calendarViews } from './calendar/views.ts';
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
import { requestViews } from './requests/views.ts';
import { scaActions } from './sca/actions.ts';
import { scaViews } from './sca/views.ts';
import { playScenario } from './scenarios/actions.ts';
import { scenarioViews } from './scenarios/views.ts';

/** The views of the console, in the order of its navigation. One line a capability. */
// prettier-ignore
export const consoleViews: readonly ConsoleView[] = [
  ...overviewViews,
  ...clockViews,
  ...calendarViews,
  ...paymentViews,
  ...accountViews,
  ...requestViews,
  ...scaViews,
  ...peopleViews,
  ...coverageViews,
  ...scenarioViews,
  ...bankViews,
  ...proofViews,
];

/** What the forms of the console do. */
// prettier-ignore
export const consoleActions: readonly ConsoleAction[] = [
  setMode,
  advance,
  ...paymentActions,
  topUp,
  ...scaActions,
  revokeConsent,
  forgetCoverage,
  playScenario,
  ...bankActions,
];
