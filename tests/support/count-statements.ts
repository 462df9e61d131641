import type { Bank } from '../../engine/bank.ts';

const control = /^\s*(begin|commit|rollback|savepoint|release|pragma)\b/i;

/** The SQL statements that a bank carries out while the work goes on, without those that only begin and end transactions. */
export async function statementsOf(bank: Bank, work: () => Promise<unknown>): Promise<string[]> {
  return (await allStatementsOf(bank, work)).filter((statement) => !control.test(statement));
}

/** As {@link statementsOf}, with every begin, commit, savepoint and pragma. */
export async function allStatementsOf(bank: Bank, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  // A ledger has one connection, an object that every transaction gets.
  const restore = await bank.ledger.write((tx) =>
    tx.getExecutor().provideConnection((connection) => {
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = (query, options) => {
        statements.push(query.sql);
        return executeQuery(query, options);
      };
      return Promise.resolve(() => {
        connection.executeQuery = executeQuery;
      });
    }),
  );
  // The write above ends after its connection began to be watched.
  statements.length = 0;
  try {
    await work();
  } finally {
    restore();
  }
  return statements;
}
