export { signRequest } from './sign-request.ts';
export { signingFetch } from './sign-request.ts';
export type { RequestToSign, SigningFetch, SigningFetchOptions, SignRequest, TppCredentials } from './types.ts';
