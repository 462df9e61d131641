/** The types of customers; each can have settlement runs of its own (rules.md T4b). */
export const customerTypes = ['private', 'corporate'] as const;
export type CustomerType = (typeof customerTypes)[number];
