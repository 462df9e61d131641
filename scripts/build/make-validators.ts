import { transform, type Plugin } from 'esbuild';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { endpoints } from '../../api/interface/index.ts';
import { knownStateFile } from '../../api/bodies/known-state.ts';
import type { BodySchema, SchemaShape } from '../../api/bodies/schema.ts';
import { codeOfValidators } from '../../api/pipeline/validators.ts';
import { profileFile } from '../../api/start/setting-schemas.ts';

/**
 * Replaces api/pipeline/made-validators.ts with validators of the bodies of calls: a process that checks these alone
 * loads no ajv.
 */
export async function validatorsModule(root: string): Promise<Plugin> {
  const { code } = await transform(`export const madeValidators = ${codeOfValidators(bodies())};`, { minify: true });
  return {
    name: 'made-validators',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[/\\]api[/\\]pipeline[/\\]made-validators\.ts$/ }, () => ({
        contents: code,
        loader: 'js',
        resolveDir: root,
      })),
  };
}

/**
 * The schemas of the bodies of calls, of the items of their long lists, and of what a test gives its bank. Those of
 * sandbox data, half of all code, are sent once to a server.
 */
function bodies(): readonly object[] {
  const ofInterface = endpoints.filter(({ path }) => !path.startsWith('/sandbox'));
  const ofCalls = [...ofInterface, ...ofEveryBank].flatMap(({ body }): readonly BodySchema[] =>
    body === null || body === undefined ? [] : 'byProduct' in body ? Object.values(body.byProduct) : [body],
  );
  const members: readonly SchemaShape[] = ofCalls.flatMap(({ properties = {} }) => Object.values(properties));
  return [...ofCalls, ...members.flatMap(({ longItems }) => longItems ?? []), knownStateFile, profileFile];
}
