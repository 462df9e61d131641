import { describe, expect, test } from '@jest/globals';
import { type Story, storyText } from '../../api/settlement-line/story.ts';

const ordered = '2027-03-24T12:00:00.000+01:00';
const at = (date: string): string => `${date}T05:30:00.000+02:00`;

function story(own: Partial<Story>): Story {
  return { status: 'ACSP', history: [{ at: ordered }], attempts: [], nextAttempt: null, returns: [], ...own };
}

describe('C31: a payment as text, from its own answer', () => {
  test.each<[string, Partial<Story>, string]>([
    [
      'rejected without a try',
      { status: 'RJCT', history: [{ at: ordered }, { at: '2027-03-24T14:00:00.000+01:00' }] },
      'ordered Wed 24 -- ✗ 14:00',
    ],
    [
      'rejected by its last try',
      {
        status: 'RJCT',
        history: [{ at: ordered }, { at: at('2027-03-30') }],
        attempts: [{ at: at('2027-03-30'), outcome: 'reject' }],
      },
      'ordered Wed 24 -- closed 25-29 -- ✗ Tue 30 05:30',
    ],
    [
      'cancelled',
      { status: 'CANC', history: [{ at: ordered }, { at: '2027-03-24T14:00:00.000+01:00' }] },
      'ordered Wed 24 -- cancelled 14:00',
    ],
    [
      'a standing order of which an occurrence came back',
      {
        attempts: [{ at: at('2027-03-30'), outcome: 'settle' }],
        nextAttempt: { at: at('2027-04-06') },
        returns: [{ due: '2027-03-31', at: '2027-03-31T13:30:00.000+02:00' }],
      },
      'ordered Wed 24 -- closed 25-29 -- ● Tue 30 05:30 -- ↩ Wed 31 13:30 -- ○ Tue 6 Apr 05:30',
    ],
  ])('%s', (_what, own, text) => {
    expect(storyText(story(own))).toBe(text);
  });
});
