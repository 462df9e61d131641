import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';
import type { Html } from '../pages/html.ts';
import { fact } from './payment-facts.ts';

/** Who approves, and for whom where that is a corporation. */
export function whoSigns({ psu }: SigningView, { context, name }: ContextChoice): readonly Html[] {
  const you = fact('You', `${psu.name}, ${psu.number}`);
  return context === 'CORPORATE' ? [fact('For', name), you] : [you];
}
