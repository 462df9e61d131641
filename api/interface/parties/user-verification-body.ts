import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';

/** real-api-facts.md 8: POST /v1/user/verification. */
export const userVerificationBody = closed(
  {
    identifier: Type.String({
      description: 'the base64 of the SHA-256 hash of the national identity number, 44 characters',
      pattern: '^[A-Za-z0-9+/]{43}=$',
      examples: [story.psuHash],
    }),
  },
  {
    title: 'UserVerification',
    description: 'Whose PSU-ID it should be.',
    examples: [{ identifier: story.psuHash }],
  },
);

export const userVerificationAnswer = closed(
  { verified: Type.Boolean({ description: 'whether the PSU-ID is that of this number' }) },
  { title: 'UserVerificationAnswer', description: 'Whether it is the same person.' },
);
