/** What a page of the SCA submits. State between the steps is in the form alone; every step is judged anew. */
export type ScaForm =
  | { readonly action: 'cancel' }
  | { readonly action: 'identify'; readonly psu: string }
  /** `context` as contextValue writes it; empty when nothing was chosen. */
  | { readonly action: 'choose'; readonly psu: string; readonly context: string }
  | {
      readonly action: 'approve';
      readonly psu: string;
      readonly context: string;
      /** The ids of the accounts that are ticked. */
      readonly accounts: readonly string[];
    };

/** Reads the body of a form, or null when no page of ours submits such a one. Blanks in the number are left out. */
export function readScaForm(body: string): ScaForm | null {
  const fields = new URLSearchParams(body);
  const psu = (fields.get('psu') ?? '').replace(/\s/g, '');
  const context = fields.get('context') ?? '';
  const action = fields.get('action') ?? '';
  switch (action) {
    case 'cancel':
      return { action };
    case 'identify':
      return { action, psu };
    case 'choose':
      return { action, psu, context };
    case 'approve':
      return { action, psu, context, accounts: fields.getAll('account') };
    default:
      return null;
  }
}
