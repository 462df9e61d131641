/** The types of customers; each can have settlement runs of its own (rules.md T4b). */
export const customerTypes = ['private', 'corporate'] as const;
export type CustomerType = (typeof customerTypes)[number];

/** The kinds of cash accounts (interface: cashAccountType). */
export const cashAccountTypes = ['CACC', 'TAXE', 'SVGS'] as const;
export type CashAccountType = (typeof cashAccountTypes)[number];
