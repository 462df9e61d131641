import { advanceAnswer, clockSet } from '../../control/answers.ts';
import { consoleAction } from '../console-view.ts';
import { pathTo } from '../page-call.ts';
import { counted, instantText } from '../parts/text.ts';

/** Lets the clock run, or freezes it. */
export const setMode = consoleAction('PUT /clock/mode', clockSet, {
  call: '/clock',
  body: (fields) => ({ mode: fields.get('mode') }),
  done: ({ mode, now }) => `The clock ${mode === 'frozen' ? 'is frozen at' : 'runs, from'} ${instantText(now)}.`,
});

/** The view that tells what happened on a stretch of bank time. */
export const movedPath = '/clock/moved';

/** Moves the clock forward to an instant. The field `from` says where it was, for the story of a move that takes its time. */
export const advance = consoleAction('POST /clock/advance', advanceAnswer, {
  body: (fields) => ({ to: fields.get('to') }),
  done: ({ from, to, runs }) => ({
    text: `The bank is at ${instantText(to)}. ${runs.length === 0 ? 'No run' : counted(runs.length, 'run')} processed payments.`,
    to: pathTo(movedPath, { query: { from, to } }),
  }),
  meanwhile: (fields) => ({
    text: `The clock is on its way to ${instantText(fields.get('to') ?? '')}. This page shows how far it has come.`,
    to: pathTo(movedPath, { query: { from: fields.get('from'), to: fields.get('to') } }),
  }),
});
