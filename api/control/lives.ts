import * as Type from 'typebox';
import { beginLife, endLife, listLives } from '../../engine/life/begin-life.ts';
import { personaChoice } from '../bodies/persona.ts';
import { closed, date, integer, meaning, text } from '../bodies/schema.ts';
import { story } from '../bodies/story.ts';
import { listedPersona, personaNames, personaOf } from '../start/fixtures.ts';
import { accountNumber, listAnswer } from './answers.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { givenIn } from './given-object.ts';

/** `POST /sandbox/life`. */
export const lifeBody = closed(
  {
    account: text('the BBAN or the IBAN of an account in NOK', {
      minLength: 1,
      maxLength: 100,
      examples: [story.debtorBban],
    }),
    persona: personaChoice,
    months: Type.Optional(
      integer('months of past, 1 to 120; 12 when left out', { minimum: 1, maximum: 120, examples: [12] }),
    ),
    seed: Type.Optional(
      text('what all choices follow from; sandbank when left out', {
        minLength: 1,
        maxLength: 100,
        examples: ['sandbank'],
      }),
    ),
  },
  {
    title: 'NewLife',
    description: 'Who lives on an account from now on.',
    examples: [{ account: story.debtorBban, persona: 'family' }],
  },
);

export const life = closed(
  {
    account: accountNumber,
    persona: text('the name of the persona', 'family'),
    seed: text('what all choices follow from', 'sandbank'),
    from: meaning('The first day of its past.', date),
  },
  { title: 'Life', description: 'An account on which something happens by itself.' },
);

export const lifeList = listAnswer('lives', 'Lives', life);

export const lifeRemoved = closed({ removed: accountNumber }, { title: 'LifeRemoved' });

/** `/sandbox/life`: the accounts on which something happens by itself (docs/life.md). */
export const lives = [
  controlEndpoint('GET /life', {
    summary: 'The accounts on which something happens by itself',
    answer: lifeList,
    handle: async ({ bank }) => ({ lives: await listLives(bank) }),
  }),
  controlEndpoint('POST /life', {
    adds: true,
    summary: 'Let somebody live on an account: months of past, and what comes as the clock moves',
    body: lifeBody,
    answer: life,
    refusals: { 409: 'The account has a life already, or another call moves the clock.' },
    handle: async (call) => {
      const { account, persona: given, months, seed } = call.readBody();
      const isName = typeof given === 'string';
      const read = () => (isName ? listedPersona(given) : personaOf(given));
      const persona = await givenIn('persona', 'The persona', read, isName ? personaNames() : undefined);
      return call.runExclusive(() => beginLife(call.bank, account, { persona, months, seed }));
    },
  }),
  controlEndpoint('DELETE /life/:number', {
    summary: 'End the life of an account: what is booked stays',
    answer: lifeRemoved,
    refusals: { 409: 'Another call moves the clock.' },
    handle: async ({ bank, params: { number }, runExclusive }) => {
      await runExclusive(() => endLife(bank, number));
      return { removed: number };
    },
  }),
] as const;
