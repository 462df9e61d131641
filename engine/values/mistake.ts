/** A wrong setting, flag, file or folder: one line for the person who started the program, and exit code 2. */
export class Mistake extends Error {}
