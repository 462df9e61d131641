export { signRequest } from './sign-request.ts';
export { signingFetch } from './signing-fetch.ts';
export type { RequestToSign, SigningFetch, SigningFetchOptions, SignRequest, TppCredentials } from './types.ts';
