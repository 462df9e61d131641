import type { Endpoint } from '../../pipeline/endpoint.ts';
import { identifyUser, identifyUserSingular } from './identify-user.ts';
import { listAgreements } from './list-agreements.ts';
import { verifyUser } from './verify-user.ts';

/** Who the PSU is, and for whom it can act. */
export const psuEndpoints: readonly Endpoint[] = [identifyUser, identifyUserSingular, listAgreements, verifyUser];
