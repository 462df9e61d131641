import * as Type from 'typebox';
import { Refusal } from '../../engine/values/fault.ts';
import { profileMembers } from '../bodies/profile.ts';
import { closed } from '../bodies/schema.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { ConfigError, type Profile } from '../start/config.ts';
import { listedProfile, profileIds, profileOf } from '../start/profile.ts';
import { orNull } from './answers.ts';
import type { ControlEndpoint } from './control-endpoint.ts';

/** A profile in a body: the id of a listed one, or one itself. */
export const profileChoice = Type.Unsafe<string | object>({
  type: ['string', 'object'],
  description: 'a bank of the platform: the id of a listed profile, or a profile itself, as fixtures/profiles has them',
  expected: 'the id of a profile, or a profile as an object',
  additionalProperties: true,
  minLength: 1,
  maxLength: 255,
});

/**
 * The profile of `profile` in a body. Takes no path: a caller could read any file of the machine. Throws a Refusal or a Problem 400 for a
 * wrong one.
 */
export async function profileGiven(given: string | object): Promise<Profile> {
  try {
    return typeof given === 'string' ? await listedProfile(given) : await profileOf(given);
  } catch (error) {
    if (error instanceof ConfigError) {
      const text = `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.`;
      throw refusedAt('profile', text, typeof given === 'string' ? profileIds() : undefined);
    }
    if (!(error instanceof Refusal)) throw error;
    const [first, ...more] = error.faults;
    const within = (fault: typeof first): typeof first => ({
      ...fault,
      path: fault.path === undefined ? 'profile' : `profile.${fault.path}`,
      text: fault.text.replace(/\bThe body\b/g, 'The profile'),
    });
    throw new Refusal(within(first), ...more.map(within));
  }
}

const { id, name: _name, group, quality, ...others } = profileMembers;

/** The answer of `GET /sandbox/profile`. */
export const profileAnswer = closed(
  {
    id: orNull(id),
    name: Type.String({ description: 'the name of the bank', examples: ['The interface document'] }),
    group: orNull(group),
    quality: orNull(quality),
    ...others,
  },
  {
    title: 'ProfileOfBank',
    description: 'The profile that the bank started with; id is null without one: the bank follows the document.',
    examples: [{ id: null, group: null, quality: null, settings: {}, quirks: {}, facts: [], unknown: [] }],
  },
);

const document = {
  id: null,
  name: 'The interface document',
  group: null,
  quality: null,
  settings: {},
  quirks: {},
  facts: [],
  unknown: [],
};

/** `GET /sandbox/profile`: the bank of the platform that this one acts as, with what is known of it (rules.md Q8). */
export const getProfile: ControlEndpoint = {
  method: 'GET',
  path: '/profile',
  summary: 'The bank of the platform that this one acts as, and what is known of it',
  answer: profileAnswer,
  handle: ({ config }) => Promise.resolve(config.profile ?? document),
};
