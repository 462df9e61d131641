import type { ScaView } from '../../engine/approval/read-sca.ts';

/** What a page of the SCA shows, and the token that its forms carry. */
export type PageView = ScaView & { readonly formToken: string };
