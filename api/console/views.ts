import { topUp } from './accounts/actions.ts';
import { accountViews } from './accounts/views.ts';
import { calendarViews } from './calendar/views.ts';
import { advance, setMode } from './clock/actions.ts';
import { clockViews } from './clock/views.ts';
import type { ConsoleAction, ConsoleView } from './console-view.ts';
import { overviewViews } from './overview/views.ts';
import { paymentActions } from './payments/actions.ts';
import { paymentViews } from './payments/views.ts';
import { requestViews } from './requests/views.ts';

/** The views of the console, in the order of its navigation. One line a capability. */
// prettier-ignore
export const consoleViews: readonly ConsoleView[] = [
  ...overviewViews,
  ...clockViews,
  ...calendarViews,
  ...paymentViews,
  ...accountViews,
  ...requestViews,
];

/** What the forms of the console do. */
// prettier-ignore
export const consoleActions: readonly ConsoleAction[] = [
  setMode,
  advance,
  ...paymentActions,
  topUp,
];
