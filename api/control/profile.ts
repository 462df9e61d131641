import * as Type from 'typebox';
import { profileMembers } from '../start/setting-schemas.ts';
import { text, titled } from '../bodies/schema.ts';
import type { Profile } from '../start/config.ts';
import { listedProfile, profileIds, profileOf } from '../start/profile.ts';
import { orNull } from './answers/forms.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { givenIn } from './name-or-object.ts';

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
 * The profile of `profile` in a body. Takes no path: a caller could read any file of the machine. Throws a Refusal or a
 * Problem 400 for a wrong one.
 */
export function profileGiven(given: string | object): Promise<Profile> {
  const isId = typeof given === 'string';
  const read = () => (isId ? listedProfile(given) : profileOf(given));
  return givenIn('profile', 'The profile', read, isId ? profileIds() : undefined);
}

const { id, name: _name, group, quality, ...others } = profileMembers;

/** The answer of `GET /sandbox/profile`. */
const profileAnswer = titled(
  'ProfileOfBank',
  'The profile that the bank started with; id is null without one: the bank follows the document.',
  {
    examples: [{ id: null, group: null, quality: null, settings: {}, quirks: {}, facts: [], unknown: [] }],
  },
).closed({
  id: orNull(id),
  name: text('the name of the bank', 'The interface document'),
  group: orNull(group),
  quality: orNull(quality),
  ...others,
});

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
export const getProfile = controlEndpoint('GET /profile', {
  summary: 'The bank of the platform that this one acts as, and what is known of it',
  answer: profileAnswer,
  handle: ({ config }) => Promise.resolve(config.profile ?? document),
});
