export { signingFetch, signRequest } from './sign-request.ts';
export type { RequestToSign, SigningFetch, SigningFetchOptions, SignRequest, TppCredentials } from './types.ts';
