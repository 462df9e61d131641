import { advanceAnswer, clockSet } from '../../control/answers.ts';
import { consoleAction } from '../console-view.ts';
import { counted, instantText } from '../parts/text.ts';

/** Lets the clock run, or freezes it. */
export const setMode = consoleAction({
  path: '/clock/mode',
  method: 'PUT',
  call: '/clock',
  answer: clockSet,
  body: (fields) => ({ mode: fields.get('mode') }),
  done: ({ mode, now }) => ({
    text:
      mode === 'frozen' ? `The clock is frozen at ${instantText(now)}.` : `The clock runs, from ${instantText(now)}.`,
  }),
});

/** Moves the clock forward to an instant. */
export const advance = consoleAction({
  path: '/clock/advance',
  method: 'POST',
  answer: advanceAnswer,
  body: (fields) => ({ to: fields.get('to') }),
  done: ({ to, runs }) => ({
    text: `The bank is at ${instantText(to)}: ${counted(runs.length, 'run')} had something to do.`,
    to: '/clock',
  }),
});
