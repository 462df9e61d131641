type Verb = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** interface: Link. */
export interface Link {
  readonly href: string;
  readonly verbs: readonly Verb[];
}

export function link(href: string, ...verbs: Verb[]): Link {
  return { href, verbs };
}
