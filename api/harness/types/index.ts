/*
 * The public types of the package. The build joins their files, which import only each other, with the types of
 * answers.ts written out: the published declarations need no other file and no other package.
 */
export type * from './answers.ts';
export type * from './bank.ts';
export type * from './expectations.ts';
export type * from './gauntlet.ts';
export type * from './tpp.ts';
