import * as Type from 'typebox';
import { bundleType, type ControlEndpoint } from '../../control/control-endpoint.ts';
import { Problem } from '../../pipeline/problem.ts';
import { BundleRefused } from './bundle-file.ts';

/** `GET /sandbox/bundle`: the bank as one file, which `sandbank open` opens elsewhere. `bundle` saves it. */
export function bundleEndpoint(bundle: () => Promise<Buffer>): ControlEndpoint {
  return {
    method: 'GET',
    path: '/bundle',
    summary: 'The bank as one file, which sandbank open opens elsewhere',
    answerType: bundleType,
    answer: Type.Unsafe({ type: 'string', contentMediaType: bundleType, description: 'the bytes of a bundle' }),
    refusals: { 409: 'Its ledger is too large for a bundle, or cannot be copied.' },
    handle: async () => {
      try {
        return await bundle();
      } catch (error) {
        if (error instanceof BundleRefused) throw new Problem({ status: 409, detail: `The bank ${error.message}.` });
        throw error;
      }
    },
  };
}
