import { coverageForgotten } from '../../coverage/coverage-endpoints.ts';
import { consoleAction } from '../console-view.ts';
import { counted } from '../parts/text.ts';

/** Forgets what TPPs have met. */
export const forgetCoverage = consoleAction({
  path: '/coverage/forget',
  method: 'DELETE',
  call: '/coverage',
  answer: coverageForgotten,
  done: ({ forgotten }) => ({ text: `${counted(forgotten, 'behaviour')} that had been met are forgotten.` }),
});
